import type { PiiClass } from "../../../../pii-classes.ts";
import { CLASS_WORDS } from "./class-words.ts";
import {
  GENERIC_ADDRESSES,
  GENERIC_NAMES,
  ID_WORDS,
  MAIL_ENDS,
  NOT_STREETS,
  ROLE_HEADS,
} from "./generic-words.ts";
import { foldWord, readWordList } from "./key-words.ts";
import { ANYTHING_WORDS, COMPANY_WORDS, PEOPLE_WORDS, THING_WORDS } from "./owner-words.ts";
import {
  ADDRESS_PARTS,
  BESIDE_COMPANIES,
  BESIDE_MAIL,
  BESIDE_PEOPLE,
  BESIDE_PLACES,
  BESIDE_THINGS,
  CARRIERS,
  LARGE_PLACES,
  NAME_PARTS,
  NAMERS,
  QUALIFIERS,
} from "./sibling-words.ts";

/** Who or what a key speaks of. */
export type Owner = "person" | "company" | "thing" | "place";

/** The lists of words, read once. */
const LISTS = {
  besidePeople: BESIDE_PEOPLE,
  besideThings: BESIDE_THINGS,
  besideMail: BESIDE_MAIL,
  besidePlaces: BESIDE_PLACES,
  besideCompanies: BESIDE_COMPANIES,
  addressParts: ADDRESS_PARTS,
  largePlaces: LARGE_PLACES,
  nameParts: NAME_PARTS,
  qualifiers: QUALIFIERS,
  carriers: CARRIERS,
  namers: NAMERS,
  neutral: ANYTHING_WORDS,
  genericNames: GENERIC_NAMES,
  genericAddresses: GENERIC_ADDRESSES,
  notStreets: NOT_STREETS,
  ids: ID_WORDS,
  mailEnds: MAIL_ENDS,
  roleHeads: ROLE_HEADS,
};
const OWNER_LISTS: readonly (readonly [Owner, string])[] = [
  ["person", PEOPLE_WORDS],
  ["company", COMPANY_WORDS],
  ["thing", THING_WORDS],
];

export const SETS = {
  besidePeople: readSet(LISTS.besidePeople),
  besideThings: readSet(LISTS.besideThings),
  besideMail: readSet(LISTS.besideMail),
  besidePlaces: readSet(LISTS.besidePlaces),
  besideCompanies: readSet(LISTS.besideCompanies),
  addressParts: readSet(LISTS.addressParts),
  largePlaces: readSet(LISTS.largePlaces),
  nameParts: readSet(LISTS.nameParts),
  qualifiers: readSet(LISTS.qualifiers),
  carriers: readSet(LISTS.carriers),
  namers: readSet(LISTS.namers),
  neutral: readSet(LISTS.neutral),
  genericNames: readSet(LISTS.genericNames),
  genericAddresses: readSet(LISTS.genericAddresses),
  notStreets: readSet(LISTS.notStreets),
  ids: readSet(LISTS.ids),
  mailEnds: readSet(LISTS.mailEnds),
  roleHeads: readSet(LISTS.roleHeads),
};
export const CLASSES: ReadonlyMap<string, PiiClass> = readMap(CLASS_WORDS);
const OWNERS: ReadonlyMap<string, Owner> = readMap(OWNER_LISTS);
const KNOWN_WORDS = readWords([
  ...Object.values(LISTS),
  ...CLASS_WORDS.map(([, list]) => list),
  ...OWNER_LISTS.map(([, list]) => list),
]);

export function ownerOf(word: string): Owner | undefined {
  return OWNERS.get(word) ?? OWNERS.get(toSingular(word));
}

/** Whether a word is in any of the lists: a key without one says nothing. */
export function isKnownWord(word: string): boolean {
  return KNOWN_WORDS.has(word) || KNOWN_WORDS.has(toSingular(word));
}

export function toSingular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function readSet(list: string): ReadonlySet<string> {
  return new Set(readWordList(list));
}

/** Where two lists have a word, the first holds. */
function readMap<Value>(lists: readonly (readonly [Value, string])[]): Map<string, Value> {
  const map = new Map<string, Value>();
  for (const [value, list] of lists)
    for (const phrase of readWordList(list)) if (!map.has(phrase)) map.set(phrase, value);
  return map;
}

function readWords(lists: readonly string[]): Set<string> {
  return new Set(lists.flatMap((list) => list.split(/[^\p{L}\p{M}〒]+/u).map(foldWord)));
}
