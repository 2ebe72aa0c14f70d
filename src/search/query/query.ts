import { toSurfaceTerm } from "../index/postings.ts";
import { type Term, toTerms } from "../lexicon/terms.ts";
import {
  isCourtesy,
  isForeignStop,
  isForeignWord,
  isGeneric,
  relatedTo,
  toPhrases,
} from "../lexicon/thesaurus.ts";
import { toWantedVerb, type VerbClass, verbOf } from "../lexicon/verbs.ts";
import { readLiterals } from "./literals.ts";
import type { Weights } from "./weights.ts";

/** A term of the index that may stand for a word of the query. */
export type Alternative = {
  readonly term: number;
  readonly weight: number;
  /** The words that are said by it: those of a phrase, or the term itself. */
  readonly words: readonly number[];
};
/** What a word of the query asks for: the best of its alternatives counts. */
export type Want = { readonly weight: number; readonly alternatives: Alternative[] };
export type Query = { readonly wants: readonly Want[]; readonly verb: VerbClass | undefined };

const MAX_TERMS = 64;
/** From so many words on, a query is a request in sentences rather than keywords. */
const REQUEST_LENGTH = 12;
/** The verb of "show me" says that something is to be read, not which. */
const COMMANDS = new Set(["show", "view", "display", "give", "tell"]);
/** What follows one of these says where, for whom or how. */
const PREPOSITIONS = new Set(
  "in of for from on with to at by using that which under within into about between".split(" "),
);
const MAX_TYPOS = 8;

/** The terms of an index. */
export type Vocabulary = {
  idOf(key: string): number | undefined;
  /** How rare a term is; 0 for one that is not there. */
  rarityOf(term: number): number;
};

/** Reads queries against an index: which of its terms each word of a query stands for, and how much. */
export function createQueryReader(
  { idOf, rarityOf }: Vocabulary,
  speller: (word: string) => string[],
  weights: Weights,
): (text: string) => Query {
  function read(text: string): Query {
    const terms = dropForeignStops(toTerms(readLiterals(text)).slice(0, MAX_TERMS));
    const object = terms.slice(0, toObjectEnd(terms));
    const wants = new Map<string, Want>();
    let typos = MAX_TYPOS;
    for (const [at, term] of terms.entries()) {
      if (term.isStop || wants.has(term.stem)) continue;
      const weight = toWeight(term, terms.length > REQUEST_LENGTH) * toEmphasis(term, at < object.length);
      const alternatives = toAlternatives(term.stem);
      if (alternatives.length === 0 && typos-- > 0) alternatives.push(...toMended(term));
      wants.set(term.stem, { weight, alternatives });
    }
    addCompounds(terms, wants);
    addPhrases(terms, wants);
    return { wants: [...wants.values(), ...toSurfaces(terms, wants)], verb: toWantedVerb(object) };
  }

  /** They are dropped from queries that have a foreign word in them, as some are words of English, too. */
  function dropForeignStops(terms: readonly Term[]): readonly Term[] {
    const isForeign = terms.some(({ stem }) => idOf(stem) === undefined && isForeignWord(stem));
    return isForeign ? terms.filter(({ surface }) => !isForeignStop(surface)) : terms;
  }

  function toWeight({ surface }: Term, isRequest: boolean): number {
    if (isCourtesy(surface)) return weights.courtesy;
    return isGeneric(surface, isRequest) ? weights.generic : 1;
  }

  function toEmphasis({ surface }: Term, isObject: boolean): number {
    if (COMMANDS.has(surface)) return weights.command;
    return isObject ? 1 + weights.object : 1;
  }

  /** The word itself and what stands for it or for another form of it, as far as the index has them. */
  function toAlternatives(key: string): Alternative[] {
    const own = idOf(key);
    const found = new Map<number, Alternative>();
    if (own !== undefined) found.set(own, toAlternative(key, own, 1));
    const add = (word: string, share: number) => {
      for (const [other, relation] of relatedTo(word) ?? []) {
        const term = idOf(other);
        // Words of other languages are read as such only where they are none of the catalogue's.
        if (term === undefined || found.has(term) || (relation === "gloss" && own !== undefined)) continue;
        const weight = weights[relation] * share;
        const raised = own === undefined ? weight ** weights.standIn : weight;
        found.set(term, toAlternative(other, term, raised * toCap(own, term)));
      }
    };
    add(key, 1);
    for (const [form, relation] of relatedTo(key) ?? []) if (relation === "form") add(form, weights.form);
    return [...found.values()];
  }

  function toAlternative(key: string, term: number, weight: number): Alternative {
    const stems = key.includes(" ") ? key.split(" ") : [];
    const words = stems.flatMap((stem) => idOf(stem) ?? []);
    return { term, weight, words: words.length === 0 ? [term] : words };
  }

  /** What stands for a word is worth no more than the word, however rare it is. */
  function toCap(own: number | undefined, other: number): number {
    if (own === undefined) return 1;
    return Math.min(1, rarityOf(own) / (rarityOf(other) || 1));
  }

  /** Of a word as short as `gif` or `csv` nobody knows what it was meant for. */
  function toMended({ surface, stem }: Term): Alternative[] {
    if (surface.length < 4) return [];
    return speller(stem).flatMap((word) => {
      const term = idOf(word);
      return term === undefined ? [] : [toAlternative(word, term, weights.typo)];
    });
  }

  /** `host pool` may be written `hostpool`: that stands for both words. */
  function addCompounds(terms: readonly Term[], wants: ReadonlyMap<string, Want>): void {
    for (const [at, one] of terms.entries()) {
      const two = terms[at + 1];
      if (two === undefined || one.isStop || two.isStop) continue;
      const joined = toTerms(one.surface + two.surface)[0]?.stem ?? "";
      const term = idOf(joined);
      if (term !== undefined) offer([one, two], wants, toAlternative(joined, term, weights.compound));
    }
  }

  /** What stands for a phrase stands for each of its words; a phrase of stop words is a want of its own. */
  function addPhrases(terms: readonly Term[], wants: Map<string, Want>): void {
    for (const { phrase, terms: words } of toPhrases(terms)) {
      const alternatives = toAlternatives(phrase);
      if (words.some(({ stem }) => wants.has(stem)))
        for (const alternative of alternatives) offer(words, wants, alternative);
      else wants.set(phrase, { weight: 1, alternatives });
    }
  }

  function offer(words: readonly Term[], wants: ReadonlyMap<string, Want>, alternative: Alternative): void {
    for (const { stem } of words) {
      const weight = alternative.weight * toCap(idOf(stem), alternative.term);
      wants.get(stem)?.alternatives.push({ ...alternative, weight });
    }
  }

  function toSurfaces(terms: readonly Term[], wants: ReadonlyMap<string, Want>): Want[] {
    const fade = Math.min(1, weights.surfaceFade / Math.max(1, terms.length));
    const surfaces = new Map(terms.map(({ surface, stem }) => [surface, stem]));
    return [...surfaces].flatMap(([surface, stem]) => {
      const term = idOf(toSurfaceTerm(surface));
      const weight = (wants.get(stem)?.weight ?? 0) * weights.surface * fade;
      return term === undefined ? [] : [{ weight, alternatives: [{ term, weight: 1, words: [] }] }];
    });
  }

  return read;
}

/** The object of a request ends at the first preposition after a word that says something. */
function toObjectEnd(terms: readonly Term[]): number {
  const start = terms.findIndex(
    ({ surface, isStop }) => !isStop && !isCourtesy(surface) && verbOf(surface) === undefined,
  );
  if (start === -1) return terms.length;
  const end = terms.findIndex(({ surface }, at) => at > start && PREPOSITIONS.has(surface));
  return end === -1 ? terms.length : end;
}
