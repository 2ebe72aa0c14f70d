import type { ServerRecord, ToolRecord } from "../../catalog/tool.ts";
import type { Work } from "../../text/slices.ts";
import type { Vocabulary } from "../query/query.ts";
import type { Weights } from "../query/weights.ts";
import type { ServerField, ServerWords, ToolField, ToolWords, Words } from "./documents.ts";

export type Document = {
  readonly server: ServerRecord;
  readonly tool: ToolRecord;
  readonly words: ToolWords;
  readonly serverWords: ServerWords;
};

/** Where each term occurs: `documents[i]` and `values[i]` for `i` from `starts[term]` to `starts[term + 1]`. */
type Table = {
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  readonly values: Float32Array;
};

export type Postings = Vocabulary & {
  /** What a term is worth in each document that has it (BM25F). */
  eachWorth: EachPlace;
  /** Which share of a document's name a word of it is, by rarity. */
  eachNameShare: EachPlace;
};

export type EachPlace = (term: number, visit: (document: number, value: number) => void) => void;

type Field = ToolField | ServerField;
const FIELDS: readonly Field[] = ["name", "title", "head", "body", "server", "about"];
const LONG_FIELDS: ReadonlySet<Field> = new Set<Field>(["body", "about"]);

/** So many places are packed between two looks at the clock. */
const BATCH = 10_000;

/** A word as it was written is a term beside its stem. */
export function toSurfaceTerm(surface: string): string {
  return `=${surface}`;
}

export function* toPostings(documents: readonly Document[], weights: Weights): Work<Postings> {
  const ids = new Map<string, number>();
  const places = createPlaces();
  const lengths = FIELDS.map((field) => toAverage(documents, field));
  for (const [at, document] of documents.entries()) {
    for (const [term, value] of toValues(document, lengths, weights)) {
      let id = ids.get(term);
      if (id === undefined) {
        id = ids.size;
        ids.set(term, id);
      }
      places.add(id, at, (value * (weights.saturation + 1)) / (value + weights.saturation));
    }
    yield;
  }
  const worth = yield* places.toTable(ids.size);
  const rarity = toRarity(worth, documents.length);
  const nameShare = yield* toNameShares(documents, ids, rarity);
  return {
    idOf: (key) => ids.get(key),
    rarityOf: (term) => rarity[term] ?? 0,
    eachWorth: (term, visit) => forEachPlace(worth, term, visit),
    eachNameShare: (term, visit) => forEachPlace(nameShare, term, visit),
  };
}

function toAverage(documents: readonly Document[], field: Field): number {
  const sum = documents.reduce((total, document) => total + toWords(document, field).terms.length, 0);
  return sum / Math.max(1, documents.length) || 1;
}

function toWords({ words, serverWords }: Document, field: Field): Words {
  return field === "server" || field === "about" ? serverWords[field] : words[field];
}

/** A term's frequencies in the fields, weighed and damped by the fields' lengths, and added. */
function toValues(document: Document, lengths: readonly number[], weights: Weights): Map<string, number> {
  const values = new Map<string, number>();
  const add = (term: string, value: number) => values.set(term, (values.get(term) ?? 0) + value);
  for (const [index, field] of FIELDS.entries()) {
    const { terms, phrases } = toWords(document, field);
    const damping = LONG_FIELDS.has(field) ? weights.longDamping : weights.shortDamping;
    const value = weights[field] / (1 - damping + (damping * terms.length) / (lengths[index] ?? 1));
    for (const { stem, surface } of terms) {
      add(stem, value);
      add(toSurfaceTerm(surface), value);
    }
    for (const phrase of phrases) add(phrase, value);
    if (field !== "name") continue;
    for (const parts of document.words.parts.values()) for (const part of parts) add(part, value);
  }
  return values;
}

function forEachPlace(
  { starts, documents, values }: Table,
  term: number,
  visit: (document: number, value: number) => void,
): void {
  const end = starts[term + 1] ?? 0;
  for (let at = starts[term] ?? 0; at < end; at++) visit(documents[at] ?? 0, values[at] ?? 0);
}

function toRarity({ starts }: Table, documents: number): Float32Array {
  const rarity = new Float32Array(starts.length - 1);
  for (let term = 0; term < rarity.length; term++) {
    const count = (starts[term + 1] ?? 0) - (starts[term] ?? 0);
    rarity[term] = rarityOf(count, documents);
  }
  return rarity;
}

/** Of a term that so many of the documents have. */
export function rarityOf(count: number, documents: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}

function* toNameShares(
  documents: readonly Document[],
  ids: ReadonlyMap<string, number>,
  rarity: Float32Array,
): Work<Table> {
  const places = createPlaces();
  const rarityOf = (stem: string) => rarity[ids.get(stem) ?? -1] ?? 0;
  for (const [at, { words }] of documents.entries()) {
    const stems = new Set(words.name.terms.map(({ stem }) => stem));
    const sum = [...stems].reduce((total, stem) => total + rarityOf(stem), 0) || 1;
    for (const stem of stems) {
      const share = rarityOf(stem) / sum;
      const parts = words.parts.get(stem) ?? [];
      for (const part of [stem, ...parts])
        places.add(ids.get(part) ?? 0, at, part === stem ? share : share / parts.length);
    }
    yield;
  }
  return yield* places.toTable(ids.size);
}

/** Collects what stands where, in any order, and packs it by term. */
function createPlaces() {
  const terms: number[] = [];
  const documents: number[] = [];
  const values: number[] = [];

  function* toTable(termCount: number): Work<Table> {
    const starts = new Uint32Array(termCount + 1);
    for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
    yield;
    for (let term = 0; term < termCount; term++)
      starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    const next = starts.slice();
    const table = {
      starts,
      documents: new Uint32Array(terms.length),
      values: new Float32Array(terms.length),
    };
    for (const [at, term] of terms.entries()) {
      const place = next[term] ?? 0;
      next[term] = place + 1;
      table.documents[place] = documents[at] ?? 0;
      table.values[place] = values[at] ?? 0;
      if (at % BATCH === 0) yield;
    }
    return table;
  }

  return {
    add(term: number, document: number, value: number) {
      terms.push(term);
      documents.push(document);
      values.push(value);
    },
    toTable,
  };
}
