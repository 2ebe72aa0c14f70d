import type { PiiFinding } from "../finding.ts";
import type { Claims } from "./claims.ts";
import {
  gapAt,
  has,
  isIn,
  isSign,
  kindAt,
  NEW_LINE,
  SIGN,
  TAKEN,
  type Tokens,
  wordAt,
  wordSet,
} from "./tokens.ts";
import { JOB } from "./word-flags.ts";

const MOST_WORDS = 10;
/** Endings of what people are: platemaker, distributor, librarian. */
const JOB_ENDING =
  /(?:maker|worker|keeper|master|man|woman|person|grapher|ologist|ician|ator|itor|utor|ller|arian|iner|ager|yer)$/;

const ARTICLES = wordSet("the a an our my");

/** What a person is by work, where it stands right after the name: "Anna Berg, the civil engineer, said". */
export function findJobs(tokens: Tokens, claims: Claims): void {
  const ends = new Set(
    claims.findings.filter((finding: PiiFinding) => finding.class === "NAME").map(({ end }) => end),
  );
  if (ends.size === 0) return;
  for (let at = 1; at < tokens.count; at++) {
    if (
      kindAt(tokens, at - 1) !== TAKEN ||
      kindAt(tokens, at) === TAKEN ||
      !ends.has(tokens.ends[at - 1] as number)
    )
      continue;
    const isLine = gapAt(tokens, at) >= NEW_LINE;
    if (!isLine && !isSign(tokens, at, ",")) continue;
    let start = isLine ? at : at + 1;
    if (isIn(tokens, start, ARTICLES)) start++;
    const end = jobEnd(tokens, start, isLine);
    if (end !== undefined) claims.take("TITLE", start, end, "job", 0.65);
  }
}

/** In running text it ends at a comma; a line of its own may hold commas. */
function jobEnd(tokens: Tokens, start: number, isLine: boolean): number | undefined {
  for (let at = start; at < start + MOST_WORDS && at < tokens.count; at++) {
    if (at > start && gapAt(tokens, at) >= NEW_LINE) return undefined;
    const isHyphen =
      isSign(tokens, at, "-") || isSign(tokens, at, "/") || (isLine && isSign(tokens, at, ","));
    if ((kindAt(tokens, at) === SIGN && !isHyphen) || kindAt(tokens, at) === TAKEN) return undefined;
    const isLast =
      at + 1 >= tokens.count ||
      gapAt(tokens, at + 1) >= NEW_LINE ||
      (!isLine && kindAt(tokens, at + 1) === SIGN);
    if (isLast && !isSign(tokens, at + 1, "-") && !isSign(tokens, at + 1, "/"))
      return has(tokens, at, JOB) || JOB_ENDING.test(wordAt(tokens, at)) ? at + 1 : undefined;
  }
  return undefined;
}
