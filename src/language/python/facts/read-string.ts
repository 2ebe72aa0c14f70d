type ReadText = { readonly text: string; readonly isBuilt: boolean };

/** The value of a Python string as it is written; `isBuilt` where it has escapes of letters that need none. */
export function readString(written: string): ReadText {
  const { prefix, from, to } = bodyOf(written);
  return read(prefix, written.slice(from, to));
}

/** What stands between the quotes, or a part of it. Nothing where a character is given by its name in Unicode. */
export function readInside(prefix: string, inside: string): ReadText | undefined {
  return !prefix.includes("r") && inside.includes("\\N{") ? undefined : read(prefix, inside);
}

function read(prefix: string, inside: string): ReadText {
  return prefix.includes("r") ? { text: inside, isBuilt: false } : unescaped(inside);
}

/** Where a string begins and ends within its quotes. */
export function bodyOf(written: string): {
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
} {
  let start = 0;
  while (start < written.length && written[start] !== '"' && written[start] !== "'") start++;
  const prefix = written.slice(0, start).toLowerCase();
  const quote = written[start] ?? "";
  const size = written.startsWith(quote.repeat(3), start) && written.length >= start + 6 ? 3 : 1;
  return { prefix, from: start + size, to: Math.max(start + size, written.length - size) };
}

const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: "\n",
    t: "\t",
    r: "\r",
    "\\": "\\",
    "'": "'",
    '"': '"',
    a: "\u0007",
    b: "\b",
    f: "\f",
    v: "\v",
  }),
);
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

function unescaped(inside: string): ReadText {
  let isBuilt = false;
  let text = "";
  let from = 0;
  for (let at = inside.indexOf("\\"); at >= 0; at = inside.indexOf("\\", from)) {
    text += inside.slice(from, at);
    const sign = inside[at + 1] ?? "";
    const digits = HEX_DIGITS.get(sign);
    const octal = octalAt(inside, at + 1);
    from = at + 2 + (digits ?? Math.max(0, octal.length - 1));
    const code = digits ? Number.parseInt(inside.slice(at + 2, from), 16) : Number.parseInt(octal, 8);
    if (sign === "\n") continue;
    if (Number.isNaN(code) || code > 0x10ffff) {
      text += PLAIN.get(sign) ?? `\\${sign}`;
      from = at + 2;
    } else {
      text += String.fromCodePoint(code);
      isBuilt ||= isLetter(code);
    }
  }
  return { text: text + inside.slice(from), isBuilt };
}

function octalAt(text: string, at: number): string {
  let end = at;
  while (end < at + 3 && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 55) end++;
  return text.slice(at, end);
}

function isLetter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
  );
}
