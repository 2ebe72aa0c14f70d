import { ABBREVIATIONS } from "./abbreviations.ts";
import { EMPTY, FAINT, FAINT_IN_REQUESTS } from "./conversational.ts";
import { EVERYDAY } from "./everyday.ts";
import { FIELDS } from "./fields.ts";
import { COMPOUNDS, FORMS } from "./forms.ts";
import { GLOSSES_DE, GLOSSES_ES, GLOSSES_FR, STOP_OTHER } from "./glosses-other.ts";
import { toEntries, toGroups } from "./parse-lexicon.ts";
import { PHRASES } from "./phrases.ts";
import { NOUNS, RELATED, VERBS } from "./synonyms.ts";
import { type Term, toTerms } from "./terms.ts";
import { TOPICS } from "./topics.ts";

/** How one word or phrase stands for another, strongest first. */
const RELATIONS = [
  "form",
  "abbreviation",
  "gloss",
  "phrase",
  "synonym",
  "everyday",
  "topic",
  "field",
  "related",
] as const;
export type Relation = (typeof RELATIONS)[number];

type Thesaurus = {
  /** Words and phrases by their stems, those of a phrase with spaces between them. */
  readonly related: ReadonlyMap<string, ReadonlyMap<string, Relation>>;
  /** The phrases of the lexicon by their first stem. */
  readonly phrases: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly verbs: ReadonlySet<string>;
};

const courtesies = toWordSet(EMPTY);
const generic = toWordSet(FAINT);
const genericInRequests = toWordSet(FAINT_IN_REQUESTS);
const foreignStops = toWordSet(STOP_OTHER);

/** Read when it is first needed: most commands never search. */
let read: Thesaurus | undefined;
function thesaurus(): Thesaurus {
  read ??= readThesaurus();
  return read;
}

/** What may stand in a tool's text for a word or phrase of a query. */
export function relatedTo(key: string): ReadonlyMap<string, Relation> | undefined {
  return thesaurus().related.get(key);
}

/** Every single word that stands for another, by its stem. */
export function lexiconWords(): string[] {
  return [...thesaurus().related.keys()].filter((key) => !key.includes(" "));
}

export type PhraseAt = { readonly phrase: string; readonly terms: readonly Term[] };

/** The phrases that the lexicon knows; stop words belong to them (`how far`). */
export function toPhrases(terms: readonly Term[]): PhraseAt[] {
  const { phrases } = thesaurus();
  const found: PhraseAt[] = [];
  for (const [at, { stem }] of terms.entries()) {
    for (const stems of phrases.get(stem) ?? []) {
      if (stems.every((one, offset) => terms[at + offset]?.stem === one))
        found.push({ phrase: stems.join(" "), terms: terms.slice(at, at + stems.length) });
    }
  }
  return found;
}

export function isCourtesy(word: string): boolean {
  return courtesies.has(word);
}

/** Some words tell tools apart in a few keywords, but are padding in a whole request. */
export function isGeneric(word: string, isRequest: boolean): boolean {
  return generic.has(word) || (isRequest && genericInRequests.has(word));
}

/** A stop word of another language; some of them are words of English, too. */
export function isForeignStop(word: string): boolean {
  return foreignStops.has(word);
}

export function isForeignWord(key: string): boolean {
  return [...(relatedTo(key)?.values() ?? [])].includes("gloss");
}

export function isVerb(stem: string): boolean {
  return thesaurus().verbs.has(stem);
}

function readThesaurus(): Thesaurus {
  const related = new Map<string, Map<string, Relation>>();
  const phrases = new Map<string, string[][]>();
  const keys = new Map<string, string>();

  readLexicon();
  readTopics();
  return { related, phrases, verbs: new Set(toGroups(VERBS).flatMap((group) => group.map(toKey))) };

  function readLexicon(): void {
    for (const group of toGroups(FORMS)) relateAll(group, "form");
    for (const [compound, parts] of toEntries(COMPOUNDS)) relateAll([compound, parts.join(" ")], "form");
    for (const group of [...toGroups(VERBS), ...toGroups(NOUNS)]) relateAll(group, "synonym");
    for (const group of toGroups(RELATED)) relateAll(group, "related");
    for (const [short, forms] of toEntries(ABBREVIATIONS))
      for (const form of forms) relateAll([short, form], "abbreviation");
    for (const [phrase, words] of toEntries(PHRASES)) relateTo(phrase, words.map(toKey), "phrase");
    for (const [said, words] of toEntries(EVERYDAY)) relateTo(said, words.map(toKey), "everyday");
    for (const [foreign, words] of [GLOSSES_DE, GLOSSES_FR, GLOSSES_ES].flatMap(toEntries))
      relateTo(foreign, words.map(toKey), "gloss");
  }

  /** Topics name what a tool is about: a word hints at its topic under any of its names, and at the field it lies in. */
  function readTopics(): void {
    const words = new Map(toEntries(TOPICS));
    const fields = toEntries(FIELDS);
    // Their names are taken before topics become related to each other.
    const names = new Map([...words, ...fields].map(([topic]) => [topic, toNames(topic)]));
    for (const [topic, members] of words) {
      for (const name of names.get(topic) ?? [])
        for (const member of members) relateBoth(name, toKey(member), "topic");
    }
    for (const [field, topics] of fields) {
      const members = new Set(topics.flatMap((topic) => [topic, ...(words.get(topic) ?? [])]));
      for (const member of members) relateTo(member, names.get(field) ?? [], "field");
    }
  }

  function toNames(topic: string): string[] {
    const key = toKey(topic);
    const others = [...(related.get(key) ?? [])].filter(
      ([, relation]) => relation === "form" || relation === "abbreviation" || relation === "synonym",
    );
    return [key, ...others.map(([name]) => name)];
  }

  function relateAll(group: readonly string[], relation: Relation): void {
    const own = group.map(toKey);
    for (const [at, one] of own.entries())
      for (const other of own.slice(at + 1)) relateBoth(one, other, relation);
  }

  function relateTo(word: string, others: readonly string[], relation: Relation): void {
    const key = toKey(word);
    for (const other of others) relate(key, other, relation);
  }

  function relateBoth(one: string, other: string, relation: Relation): void {
    relate(one, other, relation);
    relate(other, one, relation);
  }

  function relate(one: string, other: string, relation: Relation): void {
    if (one === other) return;
    const to = related.get(one) ?? new Map<string, Relation>();
    related.set(one, to);
    const before = to.get(other);
    if (before === undefined || RELATIONS.indexOf(relation) < RELATIONS.indexOf(before))
      to.set(other, relation);
  }

  function toKey(phrase: string): string {
    const seen = keys.get(phrase);
    if (seen !== undefined) return seen;
    const stems = toTerms(phrase).map(({ stem }) => stem);
    const key = stems.join(" ");
    keys.set(phrase, key);
    const [first = ""] = stems;
    const known = phrases.get(first) ?? [];
    if (stems.length > 1 && !known.some((other) => other.join(" ") === key))
      phrases.set(first, [...known, stems]);
    return key;
  }
}

function toWordSet(text: string): ReadonlySet<string> {
  return new Set(toGroups(text).flat());
}
