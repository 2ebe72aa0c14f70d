import type { Finding } from "../finding.ts";
import type { Claims } from "./claims.ts";
import { gapAt, has, isSign, kindAt, NEW_LINE, SIGN, TAKEN, type Tokens, wordAt } from "./tokens.ts";
import { JOB } from "./word-flags.ts";

const MOST_WORDS = 6;

/** What a person is by work, where it stands right after the name: "Anna Berg, the civil engineer, said". */
export function findJobs(tokens: Tokens, claims: Claims): void {
  const ends = new Set(
    claims.findings.filter((finding: Finding) => finding.class === "NAME").map(({ end }) => end),
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
    if (/^(?:the|a|an|our|my)$/.test(wordAt(tokens, start))) start++;
    const end = jobEnd(tokens, start);
    if (end !== undefined) claims.take("TITLE", start, end, "job", 0.65);
  }
}

function jobEnd(tokens: Tokens, start: number): number | undefined {
  for (let at = start; at < start + MOST_WORDS && at < tokens.count; at++) {
    if (at > start && gapAt(tokens, at) >= NEW_LINE) return undefined;
    const isHyphen = isSign(tokens, at, "-") || isSign(tokens, at, "/");
    if ((kindAt(tokens, at) === SIGN && !isHyphen) || kindAt(tokens, at) === TAKEN) return undefined;
    const isLast =
      at + 1 >= tokens.count || kindAt(tokens, at + 1) === SIGN || gapAt(tokens, at + 1) >= NEW_LINE;
    if (isLast && !isSign(tokens, at + 1, "-") && !isSign(tokens, at + 1, "/"))
      return has(tokens, at, JOB) ? at + 1 : undefined;
  }
  return undefined;
}
