import type { Claims } from "./claims.ts";
import { gapAt, has, isSignOf, kindAt, NEW_LINE, SIGN, TAKEN, type Tokens } from "./tokens.ts";
import { FUNCTION_WORD, JOB, NAMED } from "./word-flags.ts";

const MOST_WORDS = 6;

/** Of a person, a company and an address, each in its line, the company is the line between the others. */
export function findCompanyLines(tokens: Tokens, claims: Claims): void {
  const addresses = new Set(
    claims.findings.filter((one) => one.class === "ADDRESS").map(({ start }) => start),
  );
  if (addresses.size === 0) return;
  for (let at = 1; at < tokens.count; at++) {
    if (gapAt(tokens, at) !== NEW_LINE || !has(tokens, at - 1, NAMED)) continue;
    const start = lineStart(tokens, at);
    const end = lineEnd(tokens, start);
    if (end === undefined || has(tokens, end - 1, JOB)) continue;
    const next = lineStart(tokens, end);
    if (gapAt(tokens, end) === NEW_LINE && addresses.has(tokens.starts[next] as number))
      claims.take("COMPANY", start, end, "company-line", 0.65);
  }
}

/** Past the marks by which quoted lines begin. */
function lineStart(tokens: Tokens, at: number): number {
  let start = at;
  while (start < at + 3 && isSignOf(tokens, start, "?>*|#")) start++;
  return start;
}

function lineEnd(tokens: Tokens, start: number): number | undefined {
  if (has(tokens, start, FUNCTION_WORD) && kindAt(tokens, start) !== TAKEN) return undefined;
  for (let at = start; at < start + MOST_WORDS + 1 && at < tokens.count; at++) {
    if (at > start && gapAt(tokens, at) >= NEW_LINE) return at;
    const kind = kindAt(tokens, at);
    if (kind === TAKEN || (kind === SIGN && !isSignOf(tokens, at, "-&.,"))) return undefined;
  }
  return undefined;
}
