import type { PiiClass } from "../../../../pii-classes.ts";
import { isNameId } from "../names/name-ids.ts";
import { toKeyWords } from "./key-words.ts";
import { CLASSES, isKnownWord, type Owner, ownerOf, SETS, toSingular } from "./vocabulary.ts";

/** What a key says of what stands under it, before its surroundings are looked at. */
export type KeyMeaning = {
  /**
   * `sure`: the class holds. `name`, `address`: only in the right company. `role`: somebody, by name, e-mail or id;
   * `mail`: that, beside a subject.
   * `id`: an identifier, of somebody when the surroundings say so. `none`: nothing.
   */
  readonly kind: "sure" | "name" | "address" | "role" | "mail" | "id" | "none";
  readonly class: PiiClass | undefined;
  /** As findings name it: `key:first_name`. */
  readonly rule: string;
  /** What a list or an object under this key is about. */
  readonly holds: Owner | "neutral" | undefined;
  /** What this key says of the object that it stands in. */
  readonly beside: Owner | "address" | "mail" | undefined;
  /** Under an address, a name, or a key with a class, this is a part of it. */
  readonly isAddressPart: boolean;
  readonly isLargePlace: boolean;
  readonly isNamePart: boolean;
  readonly isCarrier: boolean;
  readonly isNamer: boolean;
  /** Not a word of a schema but itself data: an e-mail address, an id with a name in it. */
  readonly isData: boolean;
};

const MAX_KEPT = 20_000;
/** A key with that many is no word but an id. */
const MANY_DIGITS = 6;
const kept = new Map<string, KeyMeaning>();

/** What a key says by itself. Remembered: data has few keys, each many times. */
export function readKey(key: string): KeyMeaning {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const meaning = toMeaning(key);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, meaning);
  return meaning;
}

/** `displayNameLastFirst`: what has these is a person's. */
const HALVES = new Set(["first", "last", "given", "family", "middle"]);
/** Words for people that machines and parts of them are called as well: a `graphics_driver`. */
const OF_MACHINES = new Set(
  "driver manager client agent host owner member user receiver sender holder author parent child subscriber dispatcher resident follower rep person human cc bcc billing shipping assigned lead contact operator worker trainer caller callee".split(
    " ",
  ),
);
const ROLE_TAILS = new Set(["by", "to"]);
/** Classes whose keys tell that the object around them is a person's. */
const OF_PEOPLE: ReadonlySet<PiiClass> = new Set<PiiClass>([
  "EMAIL",
  "PHONE",
  "DATE_OF_BIRTH",
  "SSN",
  "NATIONAL_ID",
  "PASSPORT",
  "DRIVING_LICENCE",
  "USER_ID",
  "NATIONALITY",
  "AGE",
]);

const NOTHING: KeyMeaning = {
  kind: "none",
  class: undefined,
  rule: "key",
  holds: undefined,
  beside: undefined,
  isAddressPart: false,
  isLargePlace: false,
  isNamePart: false,
  isCarrier: false,
  isNamer: false,
  isData: false,
};
const NO_WORDS: KeyMeaning = { ...NOTHING, isData: true };
type Concept = { kind: KeyMeaning["kind"]; class?: PiiClass };

function toMeaning(key: string): KeyMeaning {
  const words = countDigits(key) >= MANY_DIGITS ? [] : toKeyWords(key);
  if (words.length > 1 && !words.some(isKnownWord)) return isData(key) ? NO_WORDS : NOTHING;
  const joined = words.join("");
  const numbered = SETS.genericAddresses.has(joined) && countDigits(key) > 0;
  const concept: Concept | undefined = numbered ? { kind: "sure", class: "ADDRESS" } : conceptOf(words);
  const parts = words.length === 0 ? /^\d{1,6}$/.test(key) : true;
  return {
    kind: concept?.kind ?? "none",
    class: concept?.class,
    rule: `key:${words.join("_")}`,
    holds: heldBy(words, concept),
    beside: spokenOfBy(joined, words, concept),
    isAddressPart: SETS.addressParts.has(joined),
    isLargePlace: SETS.largePlaces.has(joined),
    isNamePart: SETS.nameParts.has(joined),
    isCarrier: parts && (joined === "" || SETS.carriers.has(joined)),
    isNamer: SETS.namers.has(joined),
    isData: isData(key),
  };
}

function conceptOf(words: readonly string[]): Concept | undefined {
  if (words.length === 0) return undefined;
  return bySuffix(words) ?? byPrefix(words) ?? (words.length === 1 ? byCompound(words[0] ?? "") : undefined);
}

/** The longest end of a key that is a phrase we know: `billing_phone_number`, `assigned_to_email`. */
function bySuffix(words: readonly string[]): Concept | undefined {
  for (let from = 0; from < words.length; from++) {
    const concept = inContext(words.slice(from).join(""), words.slice(0, from));
    if (concept !== undefined) return concept;
  }
  return undefined;
}

/** Languages that put the thing first, and keys that end in what tells their kin apart: `telefono_cliente`, `email_work`. */
function byPrefix(words: readonly string[]): Concept | undefined {
  for (let to = words.length - 1; to > 0; to--) {
    const rest = words.slice(to);
    const isQualified = rest.every(
      (word) => SETS.qualifiers.has(word) || ownerOf(word) === "person" || HALVES.has(word),
    );
    const isNamed =
      SETS.genericNames.has(words.slice(0, to).join("")) && rest.some((word) => ownerOf(word) !== undefined);
    if (!isQualified && !isNamed) continue;
    const concept = inContext(words.slice(0, to).join(""), rest);
    if (concept !== undefined) return concept;
  }
  return undefined;
}

/** Words run together, as in `customername` and `Kundenname`. */
function byCompound(word: string): Concept | undefined {
  for (let at = 2; at <= word.length - 3; at++) {
    const tail = word.slice(at);
    if (!CLASSES.has(tail) && !SETS.genericNames.has(tail) && !SETS.genericAddresses.has(tail)) continue;
    const head = word.slice(0, at);
    const parts = [head, head.replace(/(s|n|en|es)$/, "")];
    const known = parts.find((part) => ownerOf(part) !== undefined || SETS.qualifiers.has(part));
    if (known !== undefined) return inContext(tail, [known]);
  }
  return undefined;
}

function inContext(phrase: string, others: readonly string[]): Concept | undefined {
  const singular = toSingular(phrase);
  const owner = ownerAmong(others);
  if (SETS.genericNames.has(phrase) || SETS.genericNames.has(singular)) return nameOf(others, owner);
  if (SETS.genericAddresses.has(phrase)) {
    if (others.some((word) => SETS.notStreets.has(word))) return { kind: "none" };
    return others.length === 0 || owner === "thing"
      ? { kind: "address", class: "ADDRESS" }
      : { kind: "sure", class: "ADDRESS" };
  }
  // `c_first`, `cust_last`: half a name, where the keys beside it speak of somebody.
  const isShortened =
    others.length > 0 && others.every((word) => word.length < 3 || ownerOf(word) === "person");
  if (HALVES.has(phrase) && isShortened) return { kind: "name", class: "NAME" };
  if (SETS.mailEnds.has(phrase) && others.length === 0) return { kind: "mail", class: "NAME" };
  const found = CLASSES.get(phrase) ?? CLASSES.get(singular);
  if (found !== undefined) return classIn(found, phrase, others);
  if (SETS.ids.has(phrase))
    return owner === "person"
      ? { kind: "role", class: "USER_ID" }
      : others.length === 0 && phrase !== "key" && phrase !== "code" && phrase !== "number"
        ? { kind: "id" }
        : undefined;
  if (
    ownerOf(phrase) === "person" &&
    others.every(
      (word) =>
        SETS.qualifiers.has(word) ||
        ownerOf(word) === "person" ||
        SETS.roleHeads.has(word) ||
        (!isKnownWord(word) && !OF_MACHINES.has(singular)),
    )
  )
    return { kind: "role", class: "NAME" };
  if (ROLE_TAILS.has(phrase) && SETS.roleHeads.has(others.at(-1) ?? ""))
    return { kind: "role", class: "NAME" };
  return undefined;
}

function nameOf(others: readonly string[], owner: Owner | undefined): Concept | undefined {
  if (others.length === 0) return { kind: "name", class: "NAME" };
  if (owner === "person") return { kind: "sure", class: "NAME" };
  if (owner === "company") return { kind: "sure", class: "COMPANY" };
  // Whom one sells to: `accountName`; but not a `service_account_name`.
  if (others.length === 1 && others[0] === "account") return { kind: "sure", class: "COMPANY" };
  return others.every((word) => HALVES.has(word)) ? { kind: "sure", class: "NAME" } : { kind: "none" };
}

/** What other words around a phrase do to it. */
function classIn(found: PiiClass, phrase: string, others: readonly string[]): Concept {
  if (found === "COMPANY" && others.some((word) => ownerOf(word) === "thing")) return { kind: "none" };
  if (found === "API_KEY" || found === "PASSWORD") {
    const isOther = others.some((word) =>
      /^(?:next|page|continuation|sync|reset|max|min|total|has|is|require|change|forgot|public)$/.test(word),
    );
    return isOther ? { kind: "none" } : { kind: "sure", class: found };
  }
  if (found === "NAME" && phrase.length <= 2 && others.length > 0) return { kind: "none" };
  if (found === "AGE" && others.length > 0 && ownerAmong(others) !== "person") return { kind: "none" };
  return { kind: "sure", class: found };
}

/** Whose something is, by the words nearest to it: a `client_order_id` is an order's. */
function ownerAmong(words: readonly string[]): Owner | undefined {
  for (let to = words.length; to > 0; to--) {
    for (let from = 0; from < to; from++) {
      const owner = ownerOf(words.slice(from, to).join(""));
      // A package manager is no person.
      if (owner === "person" && words.slice(0, -1).some((word) => ownerOf(word) === "thing"))
        return undefined;
      if (owner !== undefined) return owner;
    }
    if (!SETS.qualifiers.has(words[to - 1] ?? "")) return undefined;
  }
  return undefined;
}

function heldBy(words: readonly string[], concept: Concept | undefined): KeyMeaning["holds"] {
  const joined = words.join("");
  const last = words.at(-1) ?? "";
  if (SETS.neutral.has(joined)) return "neutral";
  // A record that stands for the id of another: `org_id: { name }`.
  if (words.length > 1 && last === "id") return heldBy(words.slice(0, -1), undefined) ?? asRole(concept);
  const owner = ownerOf(joined) ?? (SETS.neutral.has(last) ? "neutral" : ownerOf(last));
  // A package manager is no person.
  if (owner === "person" && words.slice(0, -1).some((word) => ownerOf(word) === "thing")) return undefined;
  return owner ?? asRole(concept);
}

function asRole(concept: Concept | undefined): Owner | undefined {
  return concept?.kind === "role" ? "person" : concept?.class === "COMPANY" ? "company" : undefined;
}

function spokenOfBy(
  joined: string,
  words: readonly string[],
  concept: Concept | undefined,
): KeyMeaning["beside"] {
  if (SETS.besideMail.has(joined)) return "mail";
  if (SETS.besidePlaces.has(joined)) return "place";
  if (SETS.besideCompanies.has(joined)) return "company";
  if (SETS.besidePeople.has(joined)) return "person";
  if (SETS.besideThings.has(joined)) return "thing";
  if (concept?.class === "ADDRESS" || concept?.class === "POSTAL_CODE") return "address";
  if (concept?.kind !== "sure" || concept.class === undefined) return undefined;
  if (concept.class === "NAME")
    return /^(?:first|last|given|family|middle|sur|fore)/.test(words.join("")) ? "person" : undefined;
  return OF_PEOPLE.has(concept.class) ? "person" : undefined;
}

function isData(key: string): boolean {
  if (key.length > 40 || key.includes("@")) return true;
  const digits = countDigits(key);
  return (
    digits >= MANY_DIGITS || isNameId(key, { withoutNumber: true }) || /^\p{Lu}\p{Ll}+ \p{Lu}/u.test(key)
  );
}

function countDigits(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) count++;
  }
  return count;
}
