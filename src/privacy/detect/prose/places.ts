import { gapAt, has, isSign, JOINED, NEW_LINE, type Tokens } from "./tokens.ts";
import { CITY, COUNTRY, LARGE_CITY, STARTS_PHRASE } from "./word-flags.ts";
import { addToPhrase } from "./word-table.ts";

export type KnownPlace = { readonly end: number; readonly flags: number };

const LONGEST_PHRASE = 6;
const PLACE = COUNTRY | LARGE_CITY | CITY;

/** The longest name of a known city, country or state that begins here. */
export function readPlace(tokens: Tokens, at: number): KnownPlace | undefined {
  let best: KnownPlace | undefined;
  if (has(tokens, at, PLACE)) best = { end: at + 1, flags: (tokens.flags[at] as number) & PLACE };
  if (!has(tokens, at, STARTS_PHRASE)) return best;
  let phrase = addToPhrase(0, tokens.hashes[at] as number);
  for (let next = at + 1, words = 1; words < LONGEST_PHRASE && next < tokens.count; words++, next++) {
    // Saint-Denis, St. Louis
    if ((isSign(tokens, next, "-") || isSign(tokens, next, ".")) && gapAt(tokens, next) === JOINED) next++;
    if (gapAt(tokens, next) >= NEW_LINE || next >= tokens.count) return best;
    phrase = addToPhrase(phrase, tokens.hashes[next] as number);
    const flags = tokens.table.flagsOf(phrase) & PLACE;
    if (flags !== 0) best = { end: next + 1, flags };
  }
  return best;
}
