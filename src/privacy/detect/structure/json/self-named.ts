import { ownerOf } from "../keys/vocabulary.ts";

/** What an object says of itself: `{ "object": "customer", … }`, `{ "reference": "Patient/12", … }`. */
export type SelfNamed = "person" | "company";

const KIND_KEYS = [
  "type",
  "object",
  "kind",
  "resource_type",
  "resourceType",
  "__typename",
  "objectType",
  "entity_type",
];
const MAX_KIND = 32;
const MAX_REFERENCE = 200;
const PERSON_REFERENCE =
  /^(?:\S{1,100}\/)?(?:Patient|Practitioner|RelatedPerson|Person|User|Contact|Employee|Customer)\/\S/;
const COMPANY_KINDS = new Set(["company", "organization", "organisation", "account", "employer"]);

/** The kind of an object that has a name, where a member of it says so. */
export function selfNamed(object: { readonly [key: string]: unknown }): SelfNamed | undefined {
  const reference = object["reference"];
  if (typeof reference === "string" && reference.length <= MAX_REFERENCE && PERSON_REFERENCE.test(reference))
    return "person";
  for (const key of KIND_KEYS) {
    const kind = object[key];
    if (typeof kind === "string") return toKind(kind);
  }
  // A record with its type beside its fields: `{ "attributes": { "type": "Contact" }, "Name": … }`.
  const attributes = object["attributes"];
  if (typeof attributes !== "object" || attributes === null || !("type" in attributes)) return undefined;
  return typeof attributes.type === "string" ? toKind(attributes.type) : undefined;
}

function toKind(kind: string): SelfNamed | undefined {
  if (kind.length > MAX_KIND) return undefined;
  const word = kind.toLowerCase().replace(/[^a-z]/g, "");
  if (COMPANY_KINDS.has(word)) return "company";
  return ownerOf(word) === "person" ? "person" : undefined;
}

/** `{ "type": "title", "title": […] }`: the member that the type names holds the value, the others are about it. */
export function wrappedKey(object: { readonly [key: string]: unknown }): string | undefined {
  const type = object["type"];
  return typeof type === "string" && type !== "type" && Object.hasOwn(object, type) ? type : undefined;
}
