import { toBoundedText, toOneLine } from "../../text/doc-text.ts";

const MAX_READ = 2_000;

/**
 * The first sentence of a server's text, on one line. Each such line stands behind a marker of ours (`//`, `:`), so that
 * no text of a server can begin a line and be taken for Keyhole's own.
 */
export function toSentence(text: string, max: number): string {
  const line = toOneLine(toOpening(text.slice(0, MAX_READ)), MAX_READ).replace(/\s+/g, " ");
  const end = /[.!?](?=\s+\p{Lu})|[。！？]/u.exec(line.slice(0, max + 1));
  const sentence = end === null ? line : line.slice(0, end.index + end[0].length);
  return toBoundedText(sentence, max);
}

/** What stands before the first empty line or list: that ends a sentence, with or without a full stop. */
function toOpening(text: string): string {
  const lines = text.trimStart().split("\n");
  const end = lines.findIndex((line, at) => at > 0 && /^\s*(?:$|[-*•]\s)/.test(line));
  return end === -1 ? text : lines.slice(0, end).join("\n");
}

export function toCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
