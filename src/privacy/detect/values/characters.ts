const WORD = new Uint8Array(128);
for (const characters of ["0123456789_", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"])
  for (const character of characters) WORD[character.charCodeAt(0)] = 1;

/** ASCII alone: other letters do not stand in the values that are found by their form. */
export const isDigit = (code: number) => code >= 48 && code <= 57;
export const isLatinLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;
/** `_` too: what it joins is a name, not a value. */
export const isWordCharacter = (code: number) => code < 128 && WORD[code] === 1;
export const isHexDigit = (code: number) => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);
export const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0;

/** Whether what ends before `start` goes on there: `ORD-|123`, `a/|123`, `1.|5`. */
export function isJoinedBefore(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWordCharacter(before)) return true;
  const further = text.charCodeAt(start - 2);
  // A hyphen, a slash, a full stop or a colon that has something on its other side as well.
  if (before === 45 || before === 47) return isWordCharacter(further);
  if (before === 46 || before === 58 || before === 44) return before !== 44 && isDigit(further);
  return before === 36 || before === 0x20ac || before === 0xa3;
}

export function isJoinedAfter(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWordCharacter(after) || after === 37) return true;
  const further = text.charCodeAt(end + 1);
  if (after === 45 || after === 47) return isWordCharacter(further);
  return (after === 46 || after === 58) && isDigit(further);
}
