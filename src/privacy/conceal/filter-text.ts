import type { Work } from "../../text/slices.ts";
import type { FormMatch, FormsFound } from "../forms/form-index.ts";
import { ordinarinessOf } from "../forms/ordinary-words.ts";
import { concealMatches } from "../token-text/conceal-matches.ts";
import { findTokenShapes } from "../token-text/token-shapes.ts";
import type { VaultEntry } from "../vault/workspace-vault.ts";

const WITHHELD = "[withheld]";

export type FilterParts = {
  find(text: string): FormsFound<VaultEntry>;
  /**
   * What stands for a value; nothing where it may be seen.
   * @param written empty where it stands in an encoding
   */
  toShown(entry: VaultEntry, written: string): string | undefined;
};

/**
 * The text without any value that is known, in whatever form. Tokens stay as they are, so that it can be done again. In a key
 * only what is clear counts: a program reads its rows by their keys.
 */
export function filterText(text: string, { find, toShown }: FilterParts, isKey = false): string {
  const { matches, end } = find(text);
  const rest = end < text.length ? WITHHELD : "";
  const searched = end < text.length ? text.slice(0, end) : text;
  if (matches.length === 0) return searched + rest;
  const shown = new Map<FormMatch<VaultEntry>, string>();
  const hidden = outsideTokens(searched, matches).filter((match) => {
    const innermost = toInnermost(match);
    if (isKey && !isClear(searched, match)) return false;
    if (innermost.entry.class === "COMPANY" && isInDomain(searched, match)) return false;
    const written = match.inside === undefined ? searched.slice(match.start, match.end) : "";
    const replaced = toShown(innermost.entry, written);
    if (replaced !== undefined) shown.set(match, replaced);
    return replaced !== undefined;
  });
  if (hidden.length === 0) return searched + rest;
  const toToken = (match: FormMatch<VaultEntry>, written: string) =>
    shown.get(match) ?? toShown(match.entry, written) ?? written;
  return concealMatches(searched, hidden, toToken, { escapes: false }) + rest;
}

/** Whether it is more than one word of letters: an address, a number, a full name, an id. */
export function isClear(text: string, match: FormMatch<VaultEntry>): boolean {
  const [first] = match.inside?.matches ?? [];
  if (match.inside !== undefined && first !== undefined) return isClear(match.inside.decoded, first);
  const { start, end, entry, isPart } = match;
  const word = isPart ? text.slice(start, end) : entry.value.trim();
  if (!ONE_WORD.test(word)) return true;
  // A key that is a name, as names are written, and no other word.
  const written = text.slice(start, end);
  return (
    entry.class === "NAME" && written !== written.toLowerCase() && ordinarinessOf(word, "NAME") === "rare"
  );
}

const ONE_WORD = /^[\p{L}\p{M}'’]*$/u;

/** A company's domain tells of no person, and is kept as domains are: `elmtree.example`, where "Elmtree Ltd" is known. */
function isInDomain(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const isWord = !/[^a-z0-9-]/i.test(text.slice(start, end));
  return isWord && DOMAIN_END.test(text.slice(end, end + 64));
}

const DOMAIN_END = /^\.[a-z0-9-]*[a-z]{2}(?![\w@])/i;

/** A piece of a long text, about. */
const PIECE = 32 * 1024;
/** No value is written longer than this where pieces meet. */
const SEAM = 512;

/** The same for a long text, in work that can be interrupted. */
export function* filterInPieces(text: string, parts: FilterParts, isKey = false): Work<string> {
  if (text.length <= 2 * PIECE) return filterText(text, parts, isKey);
  let result = "";
  for (let from = 0; from < text.length; ) {
    const to = seamAfter(text, from + PIECE, parts);
    result += filterText(text.slice(from, to), parts, isKey);
    from = to;
    yield;
  }
  return result;
}

/** Where no value stands on both sides. */
function seamAfter(text: string, wanted: number, { find }: FilterParts): number {
  if (wanted + SEAM >= text.length) return text.length;
  const from = wanted - SEAM;
  const across = find(text.slice(from, wanted + SEAM)).matches.filter(
    ({ start, end }) => start < SEAM && end > SEAM,
  );
  return Math.min(wanted, ...across.map(({ start }) => from + start));
}

function toInnermost(match: FormMatch<VaultEntry>): FormMatch<VaultEntry> {
  const [first] = match.inside?.matches ?? [];
  return first === undefined ? match : toInnermost(first);
}

/** What overlaps a token is the token's own name. */
export function outsideTokens<Span extends { readonly start: number; readonly end: number }>(
  text: string,
  spans: readonly Span[],
): readonly Span[] {
  if (spans.length === 0) return spans;
  const shapes = findTokenShapes(text).filter(({ kind }) => kind === "whole");
  if (shapes.length === 0) return spans;
  let at = 0;
  return spans.filter(({ start, end }) => {
    while ((shapes[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++;
    const shape = shapes[at];
    return shape === undefined || shape.start >= end;
  });
}
