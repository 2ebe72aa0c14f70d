import type { Tree } from "@lezer/common";

const MAX_HEADERS = 500;
const MAX_HEADER = 2_000;
const OPENING = new Set(["(", "[", "{"]);

/**
 * The text with `with (open(a) as f, open(b) as g):` as `with  open(a) as f, open(b) as g :`, which is the same, and
 * `as (a, b)` as `as  a, b `. The grammar knows neither.
 */
export function withoutBrackets(text: string, tree: Tree): string {
  const cursor = tree.cursor();
  const pieces: string[] = [];
  let end = 0;
  do {
    const from = cursor.to;
    if (cursor.name !== "with" || from === cursor.from || from < end) continue;
    const header = openHeader(text.slice(from, from + MAX_HEADER));
    pieces.push(text.slice(end, from), header);
    end = from + header.length;
  } while (cursor.next() && pieces.length < MAX_HEADERS * 2);
  return pieces.join("") + text.slice(end);
}

/** @param header what follows `with`, as long as it is looked at. Returns what of it comes before the colon. */
function openHeader(header: string): string {
  const open = skipBlank(header, 0);
  const whole = header[open] === "(" ? readBrackets(header, open) : undefined;
  const isHeader = whole?.hasAs === true && header[skipBlank(header, whole.end)] === ":";
  let plain = isHeader ? header.slice(0, open) + whole.inside + header.slice(whole.end) : header;
  let at = 0;
  while (at < plain.length && plain[at] !== ":" && plain[at] !== "\n") {
    const isAs = plain.startsWith("as", at) && isBlank(plain[at - 1]) && !isWordPart(plain[at + 2]);
    const target = isAs ? skipBlank(plain, at + 2) : at;
    const brackets = OPENING.has(plain[target] ?? "") ? readBrackets(plain, target) : undefined;
    if (brackets && isAs) plain = plain.slice(0, target) + brackets.inside + plain.slice(brackets.end);
    at = brackets?.end ?? skipText(plain, at) ?? at + 1;
  }
  return plain.slice(0, at);
}

type Brackets = {
  readonly end: number;
  /** On one line, without comments and the brackets themselves: as many characters. */
  readonly inside: string;
  readonly hasAs: boolean;
};

function readBrackets(text: string, open: number): Brackets | undefined {
  const made: string[] = [" "];
  let depth = 1;
  let hasAs = false;
  let comma = -1;
  for (let at = open + 1; at < text.length; ) {
    const sign = text[at] ?? "";
    const after = skipText(text, at);
    const isComment = sign === "#";
    if (OPENING.has(sign)) depth++;
    else if (sign === ")" || sign === "]" || sign === "}") depth--;
    if (depth === 0) {
      if (comma >= 0) made[comma] = " ";
      return { end: at + 1, inside: `${made.join("")} `, hasAs };
    }
    if (depth === 1 && isBlank(sign) && text.startsWith("as", at + 1) && !isWordPart(text[at + 3]))
      hasAs = true;
    if (sign === "," && depth === 1) comma = made.length;
    else if (!isBlank(sign) && !isComment) comma = -1;
    const end = after ?? at + 1;
    const piece = text.slice(at, end);
    made.push(isComment || isBlank(sign) ? " ".repeat(piece.length) : piece);
    at = end;
  }
  return undefined;
}

/** Behind a string or a comment that begins here. */
function skipText(text: string, at: number): number | undefined {
  const sign = text[at];
  if (sign === "#") return endOr(text, text.indexOf("\n", at));
  if (sign !== '"' && sign !== "'") return undefined;
  const quote = text.startsWith(sign.repeat(3), at) ? sign.repeat(3) : sign;
  for (let end = at + quote.length; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text.startsWith(quote, end)) return end + quote.length;
  }
  return text.length;
}

function endOr(text: string, at: number): number {
  return at === -1 ? text.length : at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (isBlank(text[at])) at++;
  return at;
}

function isBlank(sign: string | undefined): boolean {
  return sign === " " || sign === "\t" || sign === "\n" || sign === "\r" || sign === "\\";
}

function isWordPart(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
}
