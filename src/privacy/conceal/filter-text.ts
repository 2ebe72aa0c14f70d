import type { Work } from "../../text/slices.ts";
import type { FormMatch, FormsFound } from "../forms/form-index.ts";
import { concealMatches } from "../token-text/conceal-matches.ts";
import { findTokenShapes } from "../token-text/token-shapes.ts";
import type { VaultEntry } from "../vault/workspace-vault.ts";

const WITHHELD = "[withheld]";

export type FilterParts = {
  find(text: string): FormsFound<VaultEntry>;
  /** What stands for a value; nothing where it may be seen. */
  toShown(entry: VaultEntry, written: string, isPart: boolean): string | undefined;
};

/** The text without any value that is known, in whatever form. Tokens stay as they are, so that it can be done again. */
export function filterText(text: string, { find, toShown }: FilterParts): string {
  const { matches, end } = find(text);
  const rest = end < text.length ? WITHHELD : "";
  const searched = end < text.length ? text.slice(0, end) : text;
  if (matches.length === 0) return searched + rest;
  const shown = new Map<FormMatch<VaultEntry>, string>();
  const hidden = outsideTokens(searched, matches).filter((match) => {
    const innermost = toInnermost(match);
    if (innermost.entry.class === "COMPANY" && isInDomain(searched, match)) return false;
    const written = match.inside === undefined ? searched.slice(match.start, match.end) : "";
    const replaced = toShown(innermost.entry, written, innermost.isPart && match.inside === undefined);
    if (replaced !== undefined) shown.set(match, replaced);
    return replaced !== undefined;
  });
  if (hidden.length === 0) return searched + rest;
  const toToken = (match: FormMatch<VaultEntry>, written: string) =>
    shown.get(match) ?? toShown(match.entry, written, match.isPart) ?? written;
  return concealMatches(searched, hidden, toToken, { escapes: false }) + rest;
}

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
export function* filterInPieces(text: string, parts: FilterParts): Work<string> {
  if (text.length <= 2 * PIECE) return filterText(text, parts);
  let result = "";
  for (let from = 0; from < text.length; ) {
    const to = seamAfter(text, from + PIECE, parts);
    result += filterText(text.slice(from, to), parts);
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

/** Whether a token is in it, or what looks like one. */
export function hasOwnToken(text: string): boolean {
  return findTokenShapes(text).some(({ kind }) => kind === "whole");
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
