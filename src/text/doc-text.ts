import { dropHidden, ESCAPES, HIDDEN_CLASS, JOINERS_CLASS } from "./plain-text.ts";

/**
 * Text from servers is untrusted: it goes into comments, docstrings and string literals, from which it must not
 * break out, and in which it must not look like something else.
 */

const LONE_SURROGATE = /\p{Surrogate}/gu;
const NEEDS_CLEANING = new RegExp(`[\\t\\u2028\\u2029\\p{Surrogate}${HIDDEN_CLASS}${JOINERS_CLASS}]`, "u");

/** The text without anything that a terminal, an editor or a model would not show as it is. */
export function toCleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text.trim();
  const lines = text
    .replace(ESCAPES, "")
    .replace(/\r\n?|[\u2028\u2029\u0085\f\v]/g, "\n")
    .replace(/\t/g, "  ");
  return dropHidden(lines).replace(LONE_SURROGATE, "\ufffd").trim();
}

/** At most `max` characters, cut at a word. */
export function toBoundedText(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  const space = cut.search(/\s\S*$/);
  const atWord = space > max / 2 ? cut.slice(0, space) : cut.replace(/[\ud800-\udbff]$/, "");
  return `${atWord.trimEnd()}…`;
}

/** One line of clean text, bounded. */
export function toOneLine(text: string, max: number): string {
  // Split and joined: a pattern for "line end with space around" takes quadratic time on long runs of space.
  const lines = toCleanText(text).split("\n");
  const words = lines.map((line) => line.trim()).filter((line) => line !== "");
  return toBoundedText(words.join(" "), max);
}

/** Clean text as lines, without empty lines in a row. */
export function toLines(text: string, max: number): string[] {
  const lines = toBoundedText(toCleanText(text), max).split("\n");
  const trimmed = lines.map((line) => line.trimEnd());
  return trimmed.filter((line, index) => line !== "" || trimmed[index - 1] !== "");
}

/** A line safe inside a block comment: it can neither end the comment nor start a tag or a compiler directive. */
export function toCommentLine(line: string): string {
  return line.replaceAll("*/", "*\\/").replace(/^([\s*/]*)@/, "$1\\@");
}

/** A line safe after `#`: it is no directive to a type checker. */
export function toHashComment(line: string): string {
  return line.replace(/(^|#)(\s*(?:type|pyright|mypy)):/gi, "$1$2 :");
}

/** A line safe inside a docstring in triple double quotes. */
export function toDocstringLine(line: string): string {
  return line.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
}

const LITERAL_ESCAPES = new RegExp(`[${HIDDEN_CLASS}${JOINERS_CLASS}\\u2028\\u2029\\p{Surrogate}]`, "gu");

/** A double-quoted string literal that means exactly `value`, in ASCII wherever a reader could be misled. */
export function toTypeScriptString(value: string): string {
  return JSON.stringify(value).replace(LITERAL_ESCAPES, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

export function toPythonString(value: string): string {
  return JSON.stringify(value).replace(LITERAL_ESCAPES, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
