import type { PiiFinding } from "../finding.ts";
import { findAddresses } from "./addresses.ts";
import { findCompanyLines } from "./blocks.ts";
import { createClaims } from "./claims.ts";
import { findDates } from "./dates.ts";
import { findDomains } from "./domains.ts";
import { findJobs } from "./jobs.ts";
import { foldText } from "./letters.ts";
import { findProseNumbers } from "./numbers.ts";
import { findNamesAgain } from "./people-again.ts";
import { findProperNames } from "./proper-names.ts";
import { PIECE_LENGTH, readTokens } from "./tokens.ts";
import { hashOf, loadWordTable } from "./word-table.ts";

export type ProseOptions = {
  /** Names of persons that the session knows. */
  readonly known?: readonly string[];
  /** What was found by value; nothing is looked for in it. */
  readonly found?: readonly PiiFinding[];
};

/**
 * Names, companies, addresses, places and dates in free text: by lists of words, by how words are written, and by the
 * words around them. In pieces, so that a long text needs no more memory than a short one; time grows with length alone.
 */
export function findInProse(text: string, { known = [], found = [] }: ProseOptions = {}): PiiFinding[] {
  if (text.length < 2) return [];
  const table = loadWordTable();
  const knownWords = new Set(known.flatMap(toHashes));
  const taken = found.toSorted((one, other) => one.start - other.start);
  const findings: PiiFinding[] = [];
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from);
    const tokens = readTokens(text, from, to, table, taken);
    const claims = createClaims(tokens);
    findDomains(tokens, claims);
    if (tokens.numbers > 0) findDates(tokens, claims);
    findAddresses(tokens, claims);
    if (tokens.numbers > 0) findProseNumbers(tokens, claims);
    findProperNames(tokens, claims, knownWords);
    findNamesAgain(tokens, claims);
    findCompanyLines(tokens, claims);
    findJobs(tokens, claims);
    findings.push(...claims.findings.sort((one, other) => one.start - other.start));
    from = to;
  }
  return findings;
}

function toHashes(name: string): number[] {
  const words = foldText(name)
    .split(/[\s.,-]+/)
    .filter((word) => word.length > 2);
  return words.map((word) => hashOf(word, 0, word.length));
}

/** Pieces end at a line's end or a space, if there is one. */
function pieceEnd(text: string, from: number): number {
  const most = from + PIECE_LENGTH;
  if (most >= text.length) return text.length;
  const earliest = most - 2_048;
  for (const sign of ["\n", " "]) {
    const at = text.slice(earliest, most).lastIndexOf(sign);
    if (at !== -1) return earliest + at + 1;
  }
  return most;
}
