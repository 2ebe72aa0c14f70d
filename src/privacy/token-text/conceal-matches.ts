import type { FormMatch } from "../forms/form-index.ts";
import { toBase64Encoder } from "./base64-text.ts";
import { type PlaceOptions, placeTokens, type TokenPlace } from "./escape-tokens.ts";

/**
 * The text with a token for each match, and what looks like a token made harmless. A text within base64 is concealed within it,
 * so that it can be revealed there; where that can't be, the token stands in its place.
 */
export function concealMatches<Entry>(
  text: string,
  matches: readonly FormMatch<Entry>[],
  toToken: (match: FormMatch<Entry>, written: string) => string,
  options: PlaceOptions = {},
): string {
  let result = "";
  let places: TokenPlace[] = [];
  let after = 0;
  for (const match of matches) {
    const { start, end, form, inside } = match;
    const run = inside?.encoding === "base64" ? inside : undefined;
    const encode = run && toBase64Encoder(text.slice(run.start, run.end), run.decoded);
    if (run === undefined || encode === undefined || run.start < after || isShared(matches, match, run)) {
      const token = toToken(toInnermost(match), text.slice(start, end));
      places.push({ start: start - after, end: end - after, token, form });
      continue;
    }
    result += placeTokens(text.slice(after, run.start), places, options);
    result += encode(concealMatches(run.decoded, run.matches, toToken, options));
    places = [];
    after = run.end;
  }
  return result + placeTokens(text.slice(after), places, options);
}

/** Whether something else was found in the same run, read in another way. */
function isShared<Entry>(
  matches: readonly FormMatch<Entry>[],
  own: FormMatch<Entry>,
  run: { readonly start: number; readonly end: number },
): boolean {
  return matches.some((match) => match !== own && match.start < run.end && match.end > run.start);
}

function toInnermost<Entry>(match: FormMatch<Entry>): FormMatch<Entry> {
  const [first] = match.inside?.matches ?? [];
  return first === undefined ? match : toInnermost(first);
}
