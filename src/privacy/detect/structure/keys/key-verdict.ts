import type { PiiClass } from "../../../../pii-classes.ts";
import { type KeyMeaning, readKey } from "./key-meaning.ts";
import type { Owner } from "./vocabulary.ts";

/** What is decided of the values under a key. */
export type KeyVerdict = {
  readonly class: PiiClass;
  readonly confidence: number;
  /** `whole`: the value is of that class. `somebody`: a name, an e-mail address or an id with a name in it. `id`: only the last. */
  readonly takes: "whole" | "somebody" | "id";
  readonly rule: string;
};

/** How many keys of an object speak of what. */
export type Beside = {
  person: number;
  thing: number;
  place: number;
  company: number;
  address: number;
  mail: number;
};

/** Where a key stands: what the list or object around it is about, and what was decided of it. */
export type Around = {
  readonly holder: Owner | "neutral" | undefined;
  readonly parent: KeyMeaning | undefined;
  readonly verdict: KeyVerdict | undefined;
  readonly beside: Beside;
  /** What the object says that it is. */
  readonly self?: "person" | "company" | undefined;
};

const SURE = 0.95;
const LIKELY = 0.85;
const MAYBE = 0.7;
/** Whom a company sells to, or where money is: what the name is tells which. */
const ACCOUNT = "key:account";
export const ACCOUNT_NAME = "key:account_name";
/** Under a bare `name`, the parts that only a person's has. */
const PERSON_PART = /^key:(?:first|last|given|family|middle|forename|surname|maiden)/;

/**
 * What a key, header, column or label says of its value: by itself, by the keys above it (the outermost first), and by
 * those beside it. @internal
 */
export function classOfKey(
  key: string,
  above: readonly string[] = [],
  beside: readonly string[] = [],
): { class: PiiClass; confidence: number } | undefined {
  const verdict = decideKey(readKey(key), aroundOf(above, besideOf(beside)));
  return verdict === undefined ? undefined : { class: verdict.class, confidence: verdict.confidence };
}

/** Where a key stands, from the keys above it and what those beside it say. */
export function aroundOf(above: readonly string[], beside: Beside): Around {
  let around: Around = { holder: undefined, parent: undefined, verdict: undefined, beside };
  for (const key of above) {
    const meaning = readKey(key);
    around = goInto(meaning, around, decideKey(meaning, { ...around, beside: noBeside() }));
  }
  return around;
}

export function besideOf(keys: readonly string[]): Beside {
  const counts = noBeside();
  for (const key of keys) countBeside(counts, readKey(key));
  return counts;
}

/** One step down, to what stands under a key of which that was decided. */
export function goInto(meaning: KeyMeaning, around: Around, verdict: KeyVerdict | undefined): Around {
  const holder = meaning.holds === "neutral" ? around.holder : (meaning.holds ?? "neutral");
  return { holder, parent: meaning, verdict, beside: around.beside };
}

export function noBeside(): Beside {
  return { person: 0, thing: 0, place: 0, company: 0, address: 0, mail: 0 };
}

export function countBeside(counts: Beside, meaning: KeyMeaning): void {
  if (meaning.beside !== undefined) counts[meaning.beside]++;
}

export function decideKey(meaning: KeyMeaning, around: Around): KeyVerdict | undefined {
  return asPart(meaning, around) ?? byItself(meaning, around);
}

/** A part of what the key above says: `name.first`, `address.line1`, `phone.work`. */
function asPart(meaning: KeyMeaning, around: Around): KeyVerdict | undefined {
  const { parent, verdict } = around;
  if (parent?.rule === ACCOUNT && meaning.kind === "name" && around.beside.thing === 0)
    return { ...toVerdict("COMPANY", MAYBE, meaning), rule: ACCOUNT_NAME };
  if (parent?.class === "ADDRESS" && (parent.kind === "sure" || parent.kind === "address")) {
    if (meaning.isLargePlace) return toVerdict("LOCATION", LIKELY, meaning);
    if (isPublicPlace(around)) return undefined;
    if (meaning.kind === "sure" && meaning.class !== undefined)
      return toVerdict(meaning.class, SURE, meaning);
    if (meaning.kind === "name") return toVerdict("NAME", LIKELY, meaning);
    return meaning.isAddressPart || meaning.kind === "address"
      ? toVerdict("ADDRESS", LIKELY, meaning)
      : undefined;
  }
  if (parent?.class === "NAME" && parent.kind !== "role" && meaning.isNamePart) {
    const isPerson = verdict?.class === "NAME" || PERSON_PART.test(meaning.rule);
    return isPerson ? toVerdict("NAME", SURE, meaning) : undefined;
  }
  const isCarrier = meaning.isCarrier || (verdict?.class === "DATE_OF_BIRTH" && meaning.rule === "key:date");
  if (verdict === undefined || !isCarrier || verdict.class === "ADDRESS") return undefined;
  if (verdict.takes !== "whole") return meaning.kind === "none" ? verdict : undefined;
  return meaning.kind === "sure" ? undefined : verdict;
}

function byItself(meaning: KeyMeaning, around: Around): KeyVerdict | undefined {
  const { beside, holder } = around;
  switch (meaning.kind) {
    case "sure":
      return meaning.class === undefined || isOfThings(meaning.class, around)
        ? undefined
        : toVerdict(meaning.class, SURE, meaning);
    case "name":
      return bareName(meaning, around);
    case "address":
      return isPublicPlace(around) || (holder === "thing" && beside.person === 0)
        ? undefined
        : toVerdict("ADDRESS", LIKELY, meaning);
    case "role":
      return {
        ...toVerdict(meaning.class ?? "NAME", MAYBE, meaning),
        takes: meaning.class === "USER_ID" ? "id" : "somebody",
      };
    case "mail":
      return beside.mail > 0 ? { ...toVerdict("NAME", LIKELY, meaning), takes: "somebody" } : undefined;
    case "id":
      return holder === "person" || beside.person > 0
        ? { ...toVerdict("USER_ID", MAYBE, meaning), takes: "id" }
        : undefined;
    case "none":
      return meaning.isLargePlace && beside.address > 0 ? toVerdict("LOCATION", MAYBE, meaning) : undefined;
  }
}

/** `name` alone: a person's beside an e-mail address, a product's beside a price. */
function bareName(meaning: KeyMeaning, { beside, holder, self }: Around): KeyVerdict | undefined {
  if (beside.company > 0 || (holder === "company" && beside.person < 2))
    return toVerdict("COMPANY", LIKELY, meaning);
  // Drivers and guests are rated, too.
  if (beside.place > beside.person + (holder === "person" ? 1 : 0)) return undefined;
  if (beside.person > 0 && beside.person >= beside.thing) return toVerdict("NAME", LIKELY, meaning);
  if (holder === "person" && beside.thing < 2) return toVerdict("NAME", LIKELY, meaning);
  if (beside.address > 0 && beside.thing === 0 && holder !== "thing")
    return toVerdict("NAME", MAYBE, meaning);
  if (self === undefined || beside.thing > 1) return undefined;
  return self === "company"
    ? toVerdict("COMPANY", MAYBE, meaning)
    : { ...toVerdict("NAME", MAYBE, meaning), takes: "somebody" };
}

function isOfThings(name: PiiClass, around: Around): boolean {
  if (name === "ADDRESS" || name === "POSTAL_CODE") return isPublicPlace(around);
  // Contacts have tags as well: one word that is used of things says little.
  if (name === "COMPANY") return around.beside.thing > around.beside.person + 1;
  return false;
}

function isPublicPlace({ beside }: Around): boolean {
  return beside.place > beside.person;
}

function toVerdict(name: PiiClass, confidence: number, meaning: KeyMeaning): KeyVerdict {
  return { class: name, confidence, takes: "whole", rule: meaning.rule };
}
