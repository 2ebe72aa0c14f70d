const MAX_DEPTH = 8;
/** Lists, objects and what stands in them: a parser makes much more of each than the two bytes that it takes. */
const MAX_PARTS = 300_000;
const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** Whether a text can be handed to a parser: it is not deep, and has no more parts than would be taken. */
export function isModestJson(text: string): boolean {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      depth++;
      parts++;
    } else if (CLOSING.has(code)) depth--;
    else if (code === COMMA) parts++;
    if (depth > MAX_DEPTH || parts > MAX_PARTS) return false;
  }
  return true;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
