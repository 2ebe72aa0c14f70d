import { toBlank } from "./position.ts";

/** A line that opens or closes a Markdown fence: three or more backticks or tildes, and at most a language. */
const FENCE = /^[^\S\r\n]*(`{3,}|~{3,})[^\S\r\n]*([\w+.#-]*)[^\r\n]*$/;
const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/g;

/**
 * The program in a text as a model sends it: without Markdown fences, byte order mark and `#!` line. These become blank
 * space, so every place in the program stays what it was.
 */
export function toProgramText(source: string): string {
  const text = source.replace(/^\ufeff/, " ");
  return withoutHashbang(isFenced(text) ? withoutFences(text) : text);
}

/** The text between fences in a text that is otherwise prose, for when the whole is no program. */
export function toFencedText(source: string): string | undefined {
  if (!/```|~~~/.test(source)) return undefined;
  const text = withoutFences(source);
  return text.trim() === "" ? undefined : withoutHashbang(text);
}

/** No program that means anything begins with a line of three backticks. */
function isFenced(text: string): boolean {
  const first = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? "";
  return FENCE.test(first);
}

/** Keeps what is between an opening and its closing fence; a fence that is never closed ends with the text. */
function withoutFences(text: string): string {
  let open: string | undefined;
  return text.replace(LINE, (line) => {
    const [, mark] = FENCE.exec(line.trimEnd()) ?? [];
    if (open === undefined) {
      open = mark;
      return toBlank(line);
    }
    if (mark === undefined || !mark.startsWith(open) || !/^\s*[`~]+\s*$/.test(line)) return line;
    open = undefined;
    return toBlank(line);
  });
}

function withoutHashbang(text: string): string {
  return text.replace(/^\s*#![^\n\r\u2028\u2029]*/, toBlank);
}
