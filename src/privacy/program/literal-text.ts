import type { LiteralPiece, ProgramLanguage } from "./literal-piece.ts";

/** What a piece of a literal says; nothing where it is no text, or written in a way that is none. */
export function readLiteralText(
  code: string,
  piece: LiteralPiece,
  language: ProgramLanguage,
): string | undefined {
  const written = code.slice(piece.start, piece.end);
  if (isPlainlyWritten(written, piece)) return written;
  const units = readUnits(code, piece, language);
  return units && toText(units.text, piece);
}

export type WritingStyle = {
  /** Whether a character may stand as it is; quotes, braces, backslashes and line ends never do. */
  isPlain(unit: number): boolean;
};

/**
 * The piece written anew with another text, on as many lines. What is the same at its beginning and end stays as it is written.
 * Nothing where it can't be written.
 */
export function writeLiteralText(
  code: string,
  piece: LiteralPiece,
  language: ProgramLanguage,
  changed: string,
  style: WritingStyle,
): string | undefined {
  const units = readUnits(code, piece, language);
  if (!units) return undefined;
  const target = piece.isBytes ? toByteUnits(changed) : changed;
  const { text, places } = units;
  let from = 0;
  const most = Math.min(text.length, target.length);
  while (from < most && text.charCodeAt(from) === target.charCodeAt(from)) from++;
  while (from > 0 && (isInside(units, from) || (!piece.isRaw && isOpenEnded(code, units, from)))) from--;
  let kept = 0;
  while (
    kept < most - from &&
    text.charCodeAt(text.length - 1 - kept) === target.charCodeAt(target.length - 1 - kept)
  )
    kept++;
  while (kept > 0 && isInside(units, text.length - kept)) kept--;
  const start = places[from] ?? piece.end;
  const end = places[text.length - kept] ?? piece.end;
  const middle = target.slice(from, target.length - kept);
  const before = code.slice(start, end);
  const isAfterBackslash = start > piece.start && code[start - 1] === "\\";
  if (piece.isRaw && isAfterBackslash) return undefined;
  const written = piece.isRaw
    ? writeRaw(middle, before, piece)
    : writeEscaped(middle, language, piece, style) + toContinuations(before, language);
  return written === undefined
    ? undefined
    : code.slice(piece.start, start) + written + code.slice(end, piece.end);
}

type Units = {
  /** Of bytes, one for each. */
  readonly text: string;
  /** Where each is written, and where the last ends. */
  readonly places: readonly number[];
};

/** In the middle of what one escape stands for, or of a pair. */
function isInside({ text, places }: Units, at: number): boolean {
  if (at >= text.length) return false;
  return places[at] === places[at - 1] || (isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)));
}

/** Behind an escape to which more could belong: by an octal number, or a backslash that is none. */
function isOpenEnded(code: string, { places }: Units, at: number): boolean {
  const start = places[at - 1] ?? 0;
  const isAlone = (places[at] ?? 0) === start + 1;
  return code[start] === "\\" && (isAlone || /[0-7]/.test(code[start + 1] ?? ""));
}

function isPlainlyWritten(written: string, { isRaw, isBytes, isFormat }: LiteralPiece): boolean {
  if (isBytes || written.includes("\r")) return false;
  return (isRaw || !written.includes("\\")) && !(isFormat && /[{}]/.test(written));
}

function readUnits(code: string, piece: LiteralPiece, language: ProgramLanguage): Units | undefined {
  const places: number[] = [];
  const parts: string[] = [];
  const add = (text: string, at: number) => {
    parts.push(text);
    for (let count = 0; count < text.length; count++) places.push(at);
  };
  for (let at = piece.start; at < piece.end; ) {
    const sign = code[at] ?? "";
    if (sign === "\\" && !piece.isRaw) {
      const read =
        language === "python" ? readPythonEscape(code, at, piece) : readEscape(code, at, piece.end);
      if (read === undefined) return undefined;
      add(read.text, at);
      at = read.end;
      continue;
    }
    const isCrLf = sign === "\r" && code[at + 1] === "\n";
    const isDouble = isCrLf || (piece.isFormat && /[{}]/.test(sign) && code[at + 1] === sign);
    add(sign === "\r" ? "\n" : sign, at);
    at += isDouble ? 2 : 1;
  }
  places.push(piece.end);
  return { text: parts.join(""), places };
}

type ReadEscape = { readonly text: string; readonly end: number };

const SIGNS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
};

function readEscape(code: string, at: number, limit: number): ReadEscape | undefined {
  const sign = code[at + 1] ?? "";
  const sign2 = code[at + 2];
  if (at + 1 >= limit) return undefined;
  if (/[\n\r\u2028\u2029]/.test(sign))
    return { text: "", end: at + (sign === "\r" && sign2 === "\n" ? 3 : 2) };
  if (sign === "x") return readHex(code, at + 2, 2, limit);
  if (sign === "u" && sign2 === "{") {
    let close = at + 3;
    while (close < limit && code[close] === "0") close++;
    const digits = /^[\da-f]{0,6}\}/i.exec(code.slice(close, Math.min(limit, close + 7)))?.[0].slice(0, -1);
    const isNone = digits === undefined || close + digits.length === at + 3;
    const codePoint = isNone ? Number.NaN : Number.parseInt(digits || "0", 16);
    if (isNone || codePoint > 0x10ffff) return undefined;
    return { text: String.fromCodePoint(codePoint), end: close + digits.length + 1 };
  }
  if (sign === "u") return readHex(code, at + 2, 4, limit);
  if (sign === "0" && !/[0-9]/.test(sign2 ?? "")) return { text: "\0", end: at + 2 };
  if (/[0-9]/.test(sign)) return undefined;
  return { text: SIGNS[sign] ?? sign, end: at + 2 };
}

function readPythonEscape(
  code: string,
  at: number,
  { end: limit, isBytes }: LiteralPiece,
): ReadEscape | undefined {
  const sign = code[at + 1] ?? "";
  if (at + 1 >= limit) return { text: "\\", end: at + 1 };
  if (sign === "\n" || sign === "\r")
    return { text: "", end: at + (sign === "\r" && code[at + 2] === "\n" ? 3 : 2) };
  if (sign === "x") return readHex(code, at + 2, 2, limit);
  if (sign === "u" && !isBytes) return readHex(code, at + 2, 4, limit);
  if (sign === "U" && !isBytes) return readHex(code, at + 2, 8, limit);
  const octal = /^[0-7]{1,3}/.exec(code.slice(at + 1, Math.min(limit, at + 4)))?.[0];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8)), end: at + 1 + octal.length };
  if (sign === "a") return { text: "\x07", end: at + 2 };
  if (sign === "\\" || sign === "'" || sign === '"') return { text: sign, end: at + 2 };
  const known = SIGNS[sign];
  return known === undefined ? { text: "\\", end: at + 1 } : { text: known, end: at + 2 };
}

function readHex(code: string, start: number, length: number, limit: number): ReadEscape | undefined {
  const digits = code.slice(start, Math.min(limit, start + length));
  if (digits.length < length || !/^[\da-f]+$/i.test(digits)) return undefined;
  const codePoint = Number.parseInt(digits, 16);
  return codePoint > 0x10ffff ? undefined : { text: String.fromCodePoint(codePoint), end: start + length };
}

/** Bytes are looked at as the UTF-8 that they nearly always are. */
function toText(units: string, { isBytes }: LiteralPiece): string | undefined {
  if (!isBytes) return units;
  const text = Buffer.from(units, "latin1").toString("utf8");
  return toByteUnits(text) === units ? text : undefined;
}

function toByteUnits(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Never plain: what could end a literal, or begin code in it. */
const ALWAYS_ESCAPED = new Set([..."\"'`\\${}\n\r\u2028\u2029"].map((sign) => sign.charCodeAt(0)));

function writeEscaped(
  text: string,
  language: ProgramLanguage,
  { isBytes }: LiteralPiece,
  style: WritingStyle,
): string {
  let written = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!ALWAYS_ESCAPED.has(unit) && style.isPlain(unit) && !(isBytes && unit > 0x7e)) written += text[at];
    else if (unit < 0x100) written += `\\x${toHex(unit, 2)}`;
    else if (language === "python" && isHigh(unit) && isLow(text.charCodeAt(at + 1)))
      written += `\\U${toHex(text.codePointAt(at++) ?? 0, 8)}`;
    else written += `\\u${toHex(unit, 4)}`;
  }
  return written;
}

/** Without escapes, the lines must be as many by themselves, and nothing may be written that ends the literal. */
function writeRaw(text: string, before: string, { isFormat, isBytes }: LiteralPiece): string | undefined {
  if (/["'`${}]|\\$/.test(isFormat ? text.replace(/[{}]/g, "") : text)) return undefined;
  if (isBytes && /[^\x00-\x7f]/.test(text)) return undefined;
  if (text.split("\n").length !== before.split(/\r\n|[\r\n]/).length || text.includes("\r")) return undefined;
  return isFormat ? text.replace(/[{}]/g, "$&$&") : text;
}

/** A backslash at the end of a line says nothing, and is a line. */
function toContinuations(before: string, language: ProgramLanguage): string {
  const lineEnds = before.match(language === "python" ? /\r\n|[\r\n]/g : /\r\n|[\r\n\u2028\u2029]/g) ?? [];
  return lineEnds.map((lineEnd) => `\\${lineEnd}`).join("");
}

function toHex(code: number, length: number): string {
  return code.toString(16).padStart(length, "0");
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
