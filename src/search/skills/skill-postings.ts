import { type Postings, rarityOf, toSurfaceTerm } from "../index/postings.ts";
import { type SkillWeights, USUAL_LENGTHS } from "./skill-weights.ts";
import { SKILL_FIELDS, type SkillField, type SkillWords } from "./skill-words.ts";

export type SkillPostings = Postings & {
  /** The words of a document that is new, or no longer what it was; nothing takes it out. */
  put(document: number, words: SkillWords | undefined): void;
};

type Places = { readonly documents: number[]; readonly values: number[] };
type Kept = { readonly terms: readonly number[]; readonly name: readonly number[] };

const LONG_FIELDS: ReadonlySet<SkillField> = new Set<SkillField>([
  "description",
  "notes",
  "body",
  "names",
  "comments",
  "texts",
]);

/**
 * Where each term occurs, kept while skills come and go. What a term is worth in a skill depends on that skill alone, so
 * that a change touches no other.
 */
export function createSkillPostings(weights: SkillWeights): SkillPostings {
  const ids = new Map<string, number>();
  const worth: Places[] = [];
  const inName: Places[] = [];
  const kept = new Map<number, Kept>();
  /** As long as nothing changes. */
  let rarities: (number | undefined)[] = [];

  function toId(key: string): number {
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(key, id);
    worth.push({ documents: [], values: [] });
    inName.push({ documents: [], values: [] });
    return id;
  }

  function toRarity(term: number): number {
    const known = rarities[term];
    if (known !== undefined) return known;
    const count = worth[term]?.documents.length ?? 0;
    const rarity = count === 0 ? 0 : rarityOf(count, kept.size);
    rarities[term] = rarity;
    return rarity;
  }

  function takeOut(document: number): void {
    const { terms = [], name = [] } = kept.get(document) ?? {};
    for (const term of terms) drop(worth[term], document);
    for (const term of name) drop(inName[term], document);
    kept.delete(document);
  }

  function putIn(document: number, words: SkillWords): void {
    const terms: number[] = [];
    for (const [key, value] of toValues(words, weights)) {
      const term = toId(key);
      terms.push(term);
      add(worth[term], document, (value * (weights.saturation + 1)) / (value + weights.saturation));
    }
    const name = [...new Set(words.name.terms.map(({ stem }) => toId(stem)))];
    for (const term of name) add(inName[term], document, 1);
    kept.set(document, { terms, name });
  }

  return {
    put(document, words) {
      rarities = [];
      takeOut(document);
      if (words !== undefined) putIn(document, words);
    },
    // One that nothing has any more is as unknown as one that never was.
    idOf(key) {
      const id = ids.get(key);
      return id === undefined || worth[id]?.documents.length === 0 ? undefined : id;
    },
    rarityOf: toRarity,
    eachWorth: (term, visit) => each(worth[term], visit),
    eachNameShare(term, visit) {
      const own = toRarity(term);
      each(inName[term], (document) => {
        let all = 0;
        for (const other of kept.get(document)?.name ?? []) all += toRarity(other);
        visit(document, own / (all || 1));
      });
    },
  };
}

/** A term's frequencies in the fields, weighed and damped by the fields' lengths, and added. */
function toValues(words: SkillWords, weights: SkillWeights): Map<string, number> {
  const values = new Map<string, number>();
  const add = (term: string, value: number) => values.set(term, (values.get(term) ?? 0) + value);
  for (const field of SKILL_FIELDS) {
    if (weights[field] === 0) continue;
    const { terms, phrases } = words[field];
    const damping = LONG_FIELDS.has(field) ? weights.longDamping : weights.shortDamping;
    const value = weights[field] / (1 - damping + (damping * terms.length) / USUAL_LENGTHS[field]);
    for (const { stem, surface } of terms) {
      add(stem, value);
      add(toSurfaceTerm(surface), value);
    }
    for (const phrase of phrases) add(phrase, value);
  }
  return values;
}

function add(places: Places | undefined, document: number, value: number): void {
  places?.documents.push(document);
  places?.values.push(value);
}

/** The last takes its place: their order says nothing. */
function drop(places: Places | undefined, document: number): void {
  const at = places?.documents.indexOf(document) ?? -1;
  const [last, value] = at === -1 ? [] : [places?.documents.pop(), places?.values.pop()];
  if (places === undefined || last === undefined || value === undefined || at === places.documents.length)
    return;
  places.documents[at] = last;
  places.values[at] = value;
}

function each(places: Places | undefined, visit: (document: number, value: number) => void): void {
  if (places === undefined) return;
  const { documents, values } = places;
  for (let at = 0; at < documents.length; at++) visit(documents[at] ?? 0, values[at] ?? 0);
}
