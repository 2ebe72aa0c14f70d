import type { PiiFinding } from "../../finding.ts";
import { readKey } from "../keys/key-meaning.ts";
import { foldWord } from "../keys/key-words.ts";
import type { KnownNames } from "./known-names.ts";

const CONFIDENCE = 0.92;
const SHORT_CONFIDENCE = 0.7;
const LEAST_TOKEN = 4;
const MAX_TOKEN = 200;
const SURELY_TWO = 10;

/**
 * Identifiers that a known name is in: `yusuf_rossi_9620`, `YusufRossi`, `yusuf.rossi@…`. Shortened ones (`yrossi`) only
 * under a key that means somebody: by chance they are words.
 */
export function findEmbeddedNames(text: string, known: KnownNames, key?: string): PiiFinding[] {
  if (known.whole.size === 0) return [];
  const findings: PiiFinding[] = [];
  const meaning = key === undefined ? undefined : readKey(key);
  const isSomebodys = meaning?.class === "USER_ID" || meaning?.kind === "role" || meaning?.kind === "id";
  let at = 0;
  while (at < text.length) {
    if (!isTokenCode(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    let marks = 0;
    for (let isSmall = false; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!isTokenCode(code)) break;
      if (code < 65 || code === 95 || (isSmall && isUpper(code))) marks++;
      isSmall = code >= 97;
    }
    if (at - start < LEAST_TOKEN || at - start > MAX_TOKEN) continue;
    const isPlain = marks === 0 && !isSomebodys && text.charCodeAt(at) !== 64;
    if (isPlain && at - start < SURELY_TWO) continue;
    findInToken(text, start, at, known, isSomebodys, findings);
  }
  return findings;
}

type Word = { readonly start: number; readonly end: number; readonly folded: string };

function findInToken(
  text: string,
  start: number,
  end: number,
  known: KnownNames,
  isSomebodys: boolean,
  findings: PiiFinding[],
): void {
  const words = readWords(text, start, end);
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    const next = words[index + 1];
    const isRunTogether = known.whole.has(word.folded) && (isSomebodys || !isPlainWord(text, word));
    const isPair =
      next !== undefined && known.words.has(word.folded) && known.whole.has(word.folded + next.folded);
    if (!isRunTogether && !isPair) continue;
    const last = isRunTogether ? word : next;
    if (last === undefined) continue;
    findings.push(toFinding(text, word.start, last.end, end));
    if (isPair && !isRunTogether) index++;
  }
  const only = words.map((word) => word.folded).join("");
  if (isSomebodys && words.length <= 2 && known.short.has(only) && !known.whole.has(only))
    findings.push({ class: "USER_ID", start, end, rule: "known-name-short", confidence: SHORT_CONFIDENCE });
}

/** A word by itself: two short names make many of those. */
function isPlainWord(text: string, { end, folded }: Word): boolean {
  const after = text.charCodeAt(end);
  return folded.length < SURELY_TWO && after !== 64 && !(after >= 48 && after <= 57);
}

/** With the number that follows; with the host when it is an address. */
function toFinding(text: string, start: number, nameEnd: number, tokenEnd: number): PiiFinding {
  let end = nameEnd;
  const number = /^[._-]?\d{1,12}(?![\p{L}])/u.exec(text.slice(end, Math.min(tokenEnd, end + 14)));
  if (number !== null) end += number[0].length;
  if (text.charAt(end) === "@") {
    let host = end + 1;
    while (host < text.length && isTokenCode(text.charCodeAt(host))) host++;
    while (host > end + 1 && text.charAt(host - 1) === ".") host--;
    if (host > end + 1)
      return { class: "EMAIL", start, end: host, rule: "known-name", confidence: CONFIDENCE };
  }
  return { class: "USER_ID", start, end, rule: "known-name", confidence: CONFIDENCE };
}

/** Letters between digits and marks, and from one large letter to the next. */
function readWords(text: string, start: number, end: number): Word[] {
  const words: Word[] = [];
  let from = -1;
  for (let at = start; at <= end; at++) {
    const code = at < end ? text.charCodeAt(at) : 0;
    const letter = isLetterCode(code);
    const isNew = letter && from !== -1 && isUpper(code) && !isUpper(text.charCodeAt(at - 1));
    if (from !== -1 && (!letter || isNew)) {
      words.push({ start: from, end: at, folded: foldWord(text.slice(from, at)) });
      from = -1;
    }
    if (letter && from === -1) from = at;
  }
  return words;
}

function isTokenCode(code: number): boolean {
  return isLetterCode(code) || (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 95;
}

function isLetterCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code <= 0x1fff && code !== 0xd7 && code !== 0xf7)
  );
}

function isUpper(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde) || (code >= 0x410 && code <= 0x42f);
}
