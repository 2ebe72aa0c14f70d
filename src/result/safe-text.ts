import { ESCAPES, toVisibleText } from "../text/plain-text.ts";

export { toVisibleText } from "../text/plain-text.ts";

/**
 * The same for text that is no JSON. Colours and cursor movements, which programs print out of habit, carry nothing for a
 * model and go; Windows' line ends are line ends.
 */
export function toVisibleLines(text: string): string {
  return toVisibleText(text.replace(ESCAPES, "").replace(/\r\n?/g, "\n"));
}

/** Without half a surrogate pair at the end. */
export function sliceStart(text: string, length: number): string {
  const end = length > 0 && isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

/** Without half a surrogate pair at the start. */
export function sliceEnd(text: string, length: number): string {
  if (length <= 0) return "";
  const start = Math.max(0, text.length - length);
  return text.slice(start > 0 && isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
