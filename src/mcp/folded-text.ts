import { ESCAPES } from "../text/plain-text.ts";

/** A text as it is searched for secrets, and where each of its characters came from. */
export type FoldedText = {
  readonly text: string;
  from(index: number): number;
  to(index: number): number;
};

/**
 * Without letter case, white space, terminal escapes and what nobody sees; base64url as base64. In one pass: the text may
 * be a server's, and long.
 */
export function fold(text: string): FoldedText {
  return foldBy(text, () => undefined);
}

/** The same of what `%2B`, `\u002b`, `\x2b` and `&#43;` stand for; nothing where a text has none of these. */
export function foldDecoded(text: string): FoldedText | undefined {
  return /[%&\\]/.test(text) ? foldBy(text, decodeAt) : undefined;
}

type Step = { readonly code: number; readonly length: number };

function foldBy(text: string, decode: (text: string, at: number) => Step | undefined): FoldedText {
  const codes = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; ) {
    const plain = text.charCodeAt(at);
    const step = plain === 0x1b ? escapeAt(text, at) : decode(text, at);
    const code = foldedCode(step?.code ?? plain);
    const next = at + (step?.length ?? 1);
    if (code !== DROPPED) {
      codes[size] = code;
      starts[size] = at;
      ends[size++] = next;
    }
    at = next;
  }
  return {
    text: Buffer.from(codes.buffer, 0, size * 2).toString("utf16le"),
    from: (index) => starts[index] ?? text.length,
    to: (index) => ends[index] ?? text.length,
  };
}

const DROPPED = 0;
const ESCAPE = new RegExp(ESCAPES.source, "y");

/** Taken out later, when it is shown: then it parts nothing. */
function escapeAt(text: string, at: number): Step | undefined {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(text);
  return found === null ? undefined : { code: DROPPED, length: found[0].length };
}

function foldedCode(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  if (code === 0x2d) return 0x2b;
  if (code === 0x5f) return 0x2f;
  if (code <= 0x20) return DROPPED;
  if (code < 0x7f) return code;
  if (code <= 0xa0 || code === 0xad || code === 0xfeff || code === 0x3000) return DROPPED;
  if ((code >= 0x2000 && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f)) return DROPPED;
  if ((code >= 0x205f && code <= 0x206f) || (code >= 0xfe00 && code <= 0xfe0f)) return DROPPED;
  // The wide forms of ASCII.
  if (code >= 0xff01 && code <= 0xff5e) return foldedCode(code - 0xfee0);
  return code;
}

const PERCENT = /%([0-9a-f]{2})/iy;
/** However often it was escaped: JSON in JSON doubles the slashes. */
const BACKSLASH = /\\{1,1000}(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrtbfv])|)/iy;
const ENTITY = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/iy;

function decodeAt(text: string, at: number): Step | undefined {
  const char = text[at];
  if (char === "%") return hexStep(match(PERCENT, text, at));
  if (char === "\\") {
    const found = match(BACKSLASH, text, at);
    if (found === undefined || (found[1] ?? found[2]) === undefined)
      return { code: DROPPED, length: found?.[0].length ?? 1 };
    return hexStep(found);
  }
  if (char !== "&") return undefined;
  const found = match(ENTITY, text, at);
  if (found?.[2] !== undefined) return { code: Number(found[2]) & 0xffff, length: found[0].length };
  return hexStep(found);
}

function hexStep(found: RegExpExecArray | undefined): Step | undefined {
  const digits = found?.[1] ?? found?.[2];
  if (found === undefined || digits === undefined) return undefined;
  return { code: Number.parseInt(digits, 16) & 0xffff, length: found[0].length };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
