import { findRunEnd, isRunUnit, readEncodedRuns } from "../forms/encoded-runs.ts";
import { findTokenShapes } from "./token-shapes.ts";

/**
 * Base64 in data, of a text with what looks like a token, is escaped by a tilde after its first four characters: what is within it
 * is not touched, so that it comes back as it was.
 */
const HEAD = 4;

export function escapeBase64(text: string): string {
  return changeParts(text, {
    escaped: (tildes) => `${tildes}~`,
    plain: (written) => `${written.slice(0, HEAD)}~${written.slice(HEAD)}`,
  });
}

/** Takes one tilde away; where there is none, changes the text that is written so. */
export function revealBase64(text: string, reveal: (decoded: string) => string): string {
  return changeParts(text, {
    escaped: (tildes) => tildes.slice(1),
    plain: (written, decoded) => toBase64Encoder(written, decoded)?.(reveal(decoded)) ?? written,
  });
}

type Changes = {
  escaped(tildes: string): string;
  plain(written: string, decoded: string): string;
};

type Part = { readonly start: number; readonly end: number; readonly changed: string };

function changeParts(text: string, changes: Changes): string {
  const parts: Part[] = [];
  const taken: { readonly start: number; readonly end: number }[] = [];
  for (const { start, tildesAt, end, after } of findEscaped(text)) {
    parts.push({ start: tildesAt, end, changed: changes.escaped(text.slice(tildesAt, end)) });
    taken.push({ start, end: after });
  }
  let next = 0;
  for (const { encoding, start, end, decoded } of readEncodedRuns(text)) {
    if (encoding !== "base64" || (start > 0 && isRunUnit(text, start - 1))) continue;
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) < end || !isMeant(text.slice(start, end), decoded))
      continue;
    parts.push({ start, end, changed: changes.plain(text.slice(start, end), decoded) });
  }
  if (parts.length === 0) return text;
  let result = "";
  let done = 0;
  for (const { start, end, changed } of parts.sort((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + changed;
    done = end;
  }
  return result + text.slice(done);
}

type Escaped = {
  readonly start: number;
  readonly tildesAt: number;
  readonly end: number;
  readonly after: number;
};

function* findEscaped(text: string): Generator<Escaped> {
  let done = 0;
  for (let at = text.indexOf("~"); at >= 0; ) {
    let end = at + 1;
    while (text[end] === "~") end++;
    const start = at - HEAD;
    if (start >= done && isHead(text, start, at)) {
      const after = findRunEnd(text, end);
      const written = text.slice(start, at) + text.slice(end, after);
      if (isMeant(written, Buffer.from(written, "base64").toString("utf8"))) {
        yield { start, tildesAt: at, end, after };
        done = after;
      }
    }
    at = text.indexOf("~", end);
  }
}

function isHead(text: string, start: number, end: number): boolean {
  if (start > 0 && isRunUnit(text, start - 1)) return false;
  for (let at = start; at < end; at++) if (!isRunUnit(text, at)) return false;
  return true;
}

function isMeant(written: string, decoded: string): boolean {
  return findTokenShapes(decoded).length > 0 && toBase64Encoder(written, decoded) !== undefined;
}

type Encode = (text: string) => string;

const ENCODERS: readonly Encode[] = [
  (text) => Buffer.from(text, "utf8").toString("base64"),
  (text) => Buffer.from(text, "utf8").toString("base64").replace(/=+$/, ""),
  (text) => Buffer.from(text, "utf8").toString("base64url"),
  (text) => Buffer.from(text, "utf8").toString("base64").replaceAll("+", "-").replaceAll("/", "_"),
];

/** How a text was written as base64; nothing where it would not be written so again. */
export function toBase64Encoder(written: string, decoded: string): Encode | undefined {
  return ENCODERS.find((encode) => encode(decoded) === written);
}
