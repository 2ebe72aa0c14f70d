import type { Claims } from "./claims.ts";
import {
  DIGITS,
  gapAt,
  isIn,
  isSign,
  JOINED,
  kindAt,
  SIGN,
  TAKEN,
  type Tokens,
  wordAt,
  wordSet,
} from "./tokens.ts";

/** Domains that stand without scheme and `www`; those that are also words or endings of files are left out. */
const SURE = wordSet(`
  com net org edu gov mil eu co uk de fr es nl se dk fi ch ca au nz jp cn br mx ru ua cz hu gr ie pt il za kr ar cl tr
  info biz`);
const WWW = wordSet("www");
const MOST_LABELS = 6;

/** The host of a URL, or a domain in running text. */
export function findDomains(tokens: Tokens, claims: Claims): void {
  for (let at = 0; at < tokens.count; at++) {
    if (!isLabel(tokens, at) || !isSign(tokens, at + 1, ".") || gapAt(tokens, at + 1) !== JOINED) continue;
    if (gapAt(tokens, at) === JOINED && (isSign(tokens, at - 1, "@") || isSign(tokens, at - 1, ".")))
      continue;
    const isUrl = isSign(tokens, at - 1, "/") && isSign(tokens, at - 2, "/") && isSign(tokens, at - 3, ":");
    const { end, last, labels } = readLabels(tokens, at);
    if (labels < 2) continue;
    const isWeb = isIn(tokens, at, WWW) && labels > 2;
    const ending = wordAt(tokens, last);
    const isHost =
      isUrl ||
      isWeb ||
      (isIn(tokens, last, SURE) &&
        !isSign(tokens, end, "(") &&
        !isSign(tokens, at - 1, "/") &&
        !isSign(tokens, end, "_"));
    if (isHost && /^[a-z]{2,}$/.test(ending))
      claims.take("DOMAIN", at, end, isUrl ? "url-host" : "domain", 0.75);
    at = Math.max(at, end - 1);
  }
}

function readLabels(tokens: Tokens, at: number): { end: number; last: number; labels: number } {
  let end = labelEnd(tokens, at);
  let last = at;
  let labels = 1;
  while (
    labels < MOST_LABELS &&
    isSign(tokens, end, ".") &&
    gapAt(tokens, end) === JOINED &&
    gapAt(tokens, end + 1) === JOINED &&
    isLabel(tokens, end + 1)
  ) {
    last = end + 1;
    end = labelEnd(tokens, last);
    labels++;
  }
  return { end, last, labels };
}

/** Labels may hold hyphens. */
function labelEnd(tokens: Tokens, at: number): number {
  let end = at + 1;
  while (
    isSign(tokens, end, "-") &&
    gapAt(tokens, end) === JOINED &&
    gapAt(tokens, end + 1) === JOINED &&
    isLabel(tokens, end + 1) &&
    end < at + 16
  )
    end += 2;
  return end;
}

function isLabel(tokens: Tokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  return kind !== 0 && kind !== SIGN && kind !== TAKEN && kind !== DIGITS;
}
