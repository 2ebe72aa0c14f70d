import { isUtf8 } from "node:buffer";

/** A run of base64 or hexadecimal digits in a text, and what it stands for. */
export type EncodedRun = {
  readonly encoding: "base64" | "hex";
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
  /** Whether it is a text that somebody could read. If its bytes are not UTF-8, each is a character. */
  readonly isReadable: boolean;
  /** Where a place of the decoded text stands in the run. */
  place(at: number, isEnd: boolean): number;
};

const SHORTEST = 8;
const LINES: ReadonlySet<number> = new Set([64, 76]);
/** What is text by chance is short. */
const SURE = 64;
const BASE64 = 1;
const HEX = 2;
const UPPER = 4;
const LOWER = 8;
const DIGIT = 16;

const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  let kind = /[A-Za-z0-9+/_-]/.test(character) ? BASE64 : 0;
  if (/[0-9a-fA-F]/.test(character)) kind |= HEX;
  if (/[A-Z]/.test(character)) kind |= UPPER;
  if (/[a-z]/.test(character)) kind |= LOWER;
  if (/[0-9]/.test(character)) kind |= DIGIT;
  return kind;
});

/** Each run that could be one, in all the ways in which it could begin: it may have been cut off. */
export function* readEncodedRuns(text: string): Generator<EncodedRun> {
  let after = 0;
  // A run is no shorter than that, so that one of its characters stands in such a place.
  for (let probe = SHORTEST - 1; probe < text.length; probe += SHORTEST) {
    if (probe < after || !isRunUnit(text, probe)) continue;
    let start = probe;
    while (start > after && isRunUnit(text, start - 1)) start--;
    const end = findEnd(text, start, probe + 1);
    after = end;
    if (end - start >= SHORTEST && isDigitsOfText(text, start, end)) yield* readRun(text, start, end);
  }
}

/** Letters have it in lines of 76, keys in lines of 64. */
function findEnd(text: string, start: number, from: number): number {
  let end = from;
  for (let line = start; ; ) {
    while (end < text.length && isRunUnit(text, end)) end++;
    if (!LINES.has(end - line) || text[end] === "=") return skipPadding(text, end);
    const next = text[end] === "\r" ? end + 2 : end + 1;
    if (text[next - 1] !== "\n" || !isLine(text, next)) return end;
    line = next;
    end = next;
  }
}

function isLine(text: string, start: number): boolean {
  const end = findRunEnd(text, start);
  return end - start >= 4 && /^[\s"'\\]?$/.test(text.charAt(end));
}

/** Where a run ends that goes on here. */
export function findRunEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isRunUnit(text, end)) end++;
  return skipPadding(text, end);
}

function skipPadding(text: string, at: number): number {
  if (text[at] !== "=") return at;
  return text[at + 1] === "=" ? at + 2 : at + 1;
}

export function isRunUnit(text: string, at: number): boolean {
  return ((KINDS[text.charCodeAt(at)] ?? 0) & BASE64) !== 0;
}

/** What is text has letters of both sizes in base64, and numbers as hexadecimal digits; words have not. */
function isDigitsOfText(text: string, start: number, end: number): boolean {
  let any = 0;
  for (let at = start + 1; at < end; at++) any |= KINDS[text.charCodeAt(at)] ?? 0;
  return (any & DIGIT) !== 0 || (any & (UPPER | LOWER)) === (UPPER | LOWER);
}

function* readRun(text: string, start: number, end: number): Generator<EncodedRun> {
  let any = 0;
  for (let at = start + 1; at < end; at++) any |= KINDS[text.charCodeAt(at)] ?? 0;
  if ((any & DIGIT) !== 0) yield* readHexParts(text, start, end);
  if ((any & (UPPER | LOWER)) !== (UPPER | LOWER)) return;
  for (let shift = 0; shift < 4 && end - start - shift >= SHORTEST; shift++) {
    const [run] = readAt(text, "base64", start + shift, end);
    if (run === undefined) continue;
    yield run;
    if (end - start >= SURE && run.isReadable) return;
  }
}

/** Also with other letters beside them: `id_6e61646961`. */
function* readHexParts(text: string, start: number, end: number): Generator<EncodedRun> {
  for (let at = start; at < end; ) {
    let stop = at;
    while (stop < end && ((KINDS[text.charCodeAt(stop)] ?? 0) & HEX) !== 0) stop++;
    if (stop - at >= SHORTEST) {
      yield* readAt(text, "hex", at, stop);
      yield* readAt(text, "hex", at + 1, stop);
    }
    at = stop + 1;
  }
}

function readAt(text: string, encoding: "base64" | "hex", start: number, end: number): EncodedRun[] {
  const written = text.slice(start, encoding === "hex" ? start + ((end - start) & ~1) : end);
  const bytes = Buffer.from(written, encoding);
  if (bytes.length < 3) return [];
  const isText = isUtf8(bytes);
  const decoded = bytes.toString(isText ? "utf8" : "latin1");
  const isInLines = written.includes("\n");
  const perByte = encoding === "hex" ? 2 : 4 / 3;
  return [
    {
      encoding,
      start,
      end: start + written.length,
      decoded,
      isReadable: isText && isMostlyReadable(decoded),
      place(at, isEnd) {
        if (isInLines) return isEnd ? end : start;
        const byte = isText ? Buffer.byteLength(decoded.slice(0, at)) : at;
        const place = start + (isEnd ? Math.ceil(byte * perByte) : Math.floor(byte * perByte));
        return Math.min(start + written.length, place);
      },
    },
  ];
}

const READABLE = 0.9;

function isMostlyReadable(text: string): boolean {
  let readable = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit >= 0x20 && unit < 0x7f) || unit === 0x0a || unit >= 0xa0) readable++;
  }
  return readable >= text.length * READABLE;
}
