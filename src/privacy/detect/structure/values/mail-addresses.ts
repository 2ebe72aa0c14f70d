export type TextSpan = { readonly start: number; readonly end: number };

const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
const STOPS = new Set(
  Array.from(' \t\r\n<>,;()[]\\"|{}\u3000：，；（）、。«»“”', (letter) => letter.charCodeAt(0)),
);

/** Everything around an `@` that can be an address, with or without a top level, and what a name before it would be. */
export function findMailAddresses(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > from && at - start < MAX_LOCAL && !isStop(text, start - 1)) start--;
    let end = at + 1;
    while (end < text.length && end - at <= MAX_DOMAIN && !isStop(text, end) && text.charCodeAt(end) !== 64)
      end++;
    while (end > at + 1 && /[.!?'’:/]/.test(text.charAt(end - 1))) end--;
    if (/^(?:mailto:|')/i.test(text.slice(start, start + 7))) start += text.charAt(start) === "'" ? 1 : 7;
    if (start < at && end > at + 1 && isDomain(text.slice(at + 1, end))) {
      spans.push({ start, end });
      from = end;
      at = end - 1;
    }
  }
  return spans;
}

function isStop(text: string, at: number): boolean {
  return STOPS.has(text.charCodeAt(at));
}

function isDomain(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*$/u.test(text);
}
