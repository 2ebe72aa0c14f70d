import type { FoundLiterals, LiteralPiece } from "./literal-piece.ts";

/** A format string around the code in its braces. */
type Field = {
  readonly text: OpenText;
  /** Brackets that are open in it. */
  depth: number;
  /** Behind its colon: text with fields in it, which says how the value is written. */
  isSpec: boolean;
};

type OpenText = {
  readonly quote: string;
  readonly isRaw: boolean;
  readonly isBytes: boolean;
  readonly isFormat: boolean;
};

const PREFIX = /^(?:[rubft]|br|rb|fr|rf|tr|rt)$/i;

/** The literals of a program in Python, with those in the fields of format strings as of Python 3.12. One pass. */
export function findPythonLiterals(code: string): FoundLiterals {
  const pieces: LiteralPiece[] = [];
  const fields: Field[] = [];
  let at = 0;

  const addPiece = (start: number, end: number, { isRaw, isBytes, isFormat }: OpenText) => {
    if (end > start) pieces.push({ start, end, isRaw, isBytes, isFormat, isModule: false });
  };
  /** From behind the quote or brace before it. Where it ends, or nothing. */
  const readText = (from: number, text: OpenText): number | undefined => {
    const { quote, isRaw, isFormat } = text;
    const isLong = quote.length === 3;
    const quoteUnit = quote.charCodeAt(0);
    let start = from;
    for (let end = from; end < code.length; end++) {
      const unit = code.charCodeAt(end);
      if (unit === quoteUnit && (!isLong || code.startsWith(quote, end))) {
        addPiece(start, end, text);
        return end + quote.length;
      }
      if (!isLong && isLineEnd(unit)) return undefined;
      if (unit === 0x5c) {
        const next = code.charCodeAt(end + 1);
        if (next === 0x4e && !isRaw && code.charCodeAt(end + 2) === 0x7b) {
          // A character by its name, which nobody here knows.
          const close = findNameEnd(code, end + 3);
          if (close === undefined) continue;
          addPiece(start, end, text);
          start = close + 1;
          end = close;
        } else if (next === 0x0d && code.charCodeAt(end + 2) === 0x0a) end += 2;
        else if (!isFormat || (next !== 0x7b && next !== 0x7d)) end++;
      } else if (isFormat && (unit === 0x7b || unit === 0x7d)) {
        if (code.charCodeAt(end + 1) === unit) end++;
        else if (unit === 0x7b) {
          addPiece(start, end, text);
          fields.push({ text, depth: 0, isSpec: false });
          return end + 1;
        }
      }
    }
    return undefined;
  };

  while (at < code.length) {
    const field = fields.at(-1);
    const unit = code.charCodeAt(at);
    if (field?.isSpec) {
      if (unit === 0x7b) fields.push({ text: field.text, depth: 0, isSpec: false });
      if (unit !== 0x7d) {
        at++;
        continue;
      }
    }
    if (unit === 0x7d && field?.depth === 0) {
      fields.pop();
      const isInSpec = fields.at(-1)?.isSpec === true && fields.at(-1)?.text === field.text;
      const end = isInSpec ? at + 1 : readText(at + 1, field.text);
      if (end === undefined) return { pieces, lostAt: at };
      at = end;
    } else if (isWordUnit(unit)) {
      let end = at + 1;
      while (end < code.length && isWordUnit(code.charCodeAt(end))) end++;
      const isPrefix = end - at <= 2 && isQuote(code.charCodeAt(end)) && PREFIX.test(code.slice(at, end));
      const after = isPrefix ? readText(...openText(code, at, end)) : end;
      if (after === undefined) return { pieces, lostAt: at };
      at = after;
    } else if (isQuote(unit)) {
      const end = readText(...openText(code, at, at));
      if (end === undefined) return { pieces, lostAt: at };
      at = end;
    } else if (unit === 0x23) {
      while (at < code.length && !isLineEnd(code.charCodeAt(at))) at++;
    } else if (unit === 0x60) {
      // No sign of Python.
      return { pieces, lostAt: at };
    } else {
      if (field) {
        if (unit === 0x28 || unit === 0x5b || unit === 0x7b) field.depth++;
        else if (unit === 0x29 || unit === 0x5d || unit === 0x7d) field.depth--;
        else if (unit === 0x3a && field.depth === 0) field.isSpec = true;
      }
      at++;
    }
  }
  return { pieces };
}

function openText(code: string, start: number, quoteAt: number): [at: number, text: OpenText] {
  const prefix = code.slice(start, quoteAt).toLowerCase();
  const sign = code[quoteAt] ?? "";
  const quote = code.startsWith(sign.repeat(3), quoteAt) ? sign.repeat(3) : sign;
  const text = {
    quote,
    isRaw: prefix.includes("r"),
    isBytes: prefix.includes("b"),
    isFormat: prefix.includes("f") || prefix.includes("t"),
  };
  return [quoteAt + quote.length, text];
}

const LONGEST_NAME = 100;

function findNameEnd(code: string, start: number): number | undefined {
  for (let at = start; at < start + LONGEST_NAME; at++) {
    const unit = code.charCodeAt(at);
    if (unit === 0x7d) return at;
    if (!isWordUnit(unit) && unit !== 0x20 && unit !== 0x2d) return undefined;
  }
  return undefined;
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

function isQuote(unit: number): boolean {
  return unit === 0x22 || unit === 0x27;
}

function isWordUnit(unit: number): boolean {
  const small = unit | 0x20;
  return (small >= 0x61 && small <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f || unit > 0x7f;
}
