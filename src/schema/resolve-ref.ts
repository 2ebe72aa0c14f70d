import { isRecord } from "../text/is-record.ts";
import { ownValue } from "../text/own-value.ts";
import { keyword, type SchemaObject } from "./json-types.ts";

/** Where a `$ref` leads. `outside`: to another document, which is never fetched. */
export type RefTarget = { readonly schema: unknown; readonly label: string } | "outside" | "missing";

export type RefResolver = {
  resolve(ref: string, from: SchemaObject): RefTarget;
  /** A `$dynamicRef`, when only one schema of the document can be meant. */
  resolveDynamic(ref: string, from: SchemaObject): RefTarget;
};

type DocumentIndex = {
  readonly resources: Map<string, SchemaObject>;
  readonly anchors: Map<string, SchemaObject>;
  readonly anchorCounts: Map<string, number>;
  readonly bases: Map<SchemaObject, string>;
};

const DOCUMENT_BASE = "keyhole://schema/";
const MAX_INDEXED = 50_000;
const SCHEMA_MAPS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
];
const SCHEMA_LISTS = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const SCHEMAS = [
  "items",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];

/** `isLegacy`: before draft 2019-09 what stands next to a `$ref` is ignored, also an `$id`. */
export function createRefResolver(root: unknown, isLegacy: boolean): RefResolver {
  let index: DocumentIndex | undefined;

  function locate(ref: string, from: SchemaObject): { base: string; fragment: string } | undefined {
    index ??= toIndex(root, isLegacy);
    const url = toUrl(ref, index.bases.get(from) ?? rootBase(root));
    if (url === undefined) return undefined;
    const hash = url.indexOf("#");
    return hash < 0
      ? { base: url, fragment: "" }
      : { base: url.slice(0, hash), fragment: decode(url.slice(hash + 1)) };
  }

  function resolve(ref: string, from: SchemaObject): RefTarget {
    if (ref === "#" && !isRecord(root)) return { schema: root, label: "" };
    const place = locate(ref, from);
    if (place === undefined || index === undefined) return "outside";
    const resource = index.resources.get(place.base);
    if (resource === undefined) return "outside";
    if (place.fragment === "") return { schema: resource, label: "" };
    if (place.fragment.startsWith("/")) return followPointer(resource, place.fragment);
    const schema = index.anchors.get(`${place.base}#${place.fragment}`);
    return schema === undefined ? "missing" : { schema, label: place.fragment };
  }

  function resolveDynamic(ref: string, from: SchemaObject): RefTarget {
    const place = locate(ref, from);
    if (place === undefined || index === undefined) return "outside";
    const isPlain = place.fragment === "" || place.fragment.startsWith("/");
    if (!isPlain && index.anchorCounts.get(place.fragment) !== 1) return "missing";
    return resolve(ref, from);
  }

  return { resolve, resolveDynamic };
}

function followPointer(resource: SchemaObject, pointer: string): RefTarget {
  let current: unknown = resource;
  let label = "";
  for (const segment of pointer.slice(1).split("/")) {
    label = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, label)) return "missing";
    current = ownValue(current, label);
  }
  return { schema: current, label };
}

/** Looks only where schemas stand: an `$id` inside an `enum` is a value, not an address. */
function toIndex(root: unknown, isLegacy: boolean): DocumentIndex {
  const index: DocumentIndex = {
    resources: new Map(),
    anchors: new Map(),
    anchorCounts: new Map(),
    bases: new Map(),
  };
  if (!isRecord(root)) return index;
  index.resources.set(DOCUMENT_BASE, root);
  const pending: { schema: SchemaObject; base: string }[] = [{ schema: root, base: DOCUMENT_BASE }];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (index.bases.has(entry.schema) || index.bases.size > MAX_INDEXED) continue;
    const base = register(entry.schema, entry.base, index, isLegacy);
    for (const child of childSchemas(entry.schema)) pending.push({ schema: child, base });
  }
  return index;
}

/** Notes the schema's own addresses and returns the base for what is inside it. */
function register(schema: SchemaObject, outer: string, index: DocumentIndex, isLegacy: boolean): string {
  let base = outer;
  const id = keyword(schema, "$id");
  const isIgnored = isLegacy && typeof keyword(schema, "$ref") === "string";
  if (typeof id === "string" && !isIgnored) {
    if (id.startsWith("#")) addAnchor(index, base, id.slice(1), schema);
    else base = toUrl(id.replace(/#$/, ""), outer) ?? outer;
    if (!index.resources.has(base)) index.resources.set(base, schema);
  }
  index.bases.set(schema, base);
  const anchor = keyword(schema, "$anchor");
  if (typeof anchor === "string") addAnchor(index, base, anchor, schema);
  const dynamic = keyword(schema, "$dynamicAnchor");
  if (typeof dynamic === "string") addAnchor(index, base, dynamic, schema);
  return base;
}

function addAnchor(index: DocumentIndex, base: string, name: string, schema: SchemaObject): void {
  const key = `${base}#${name}`;
  if (!index.anchors.has(key)) index.anchors.set(key, schema);
  index.anchorCounts.set(name, (index.anchorCounts.get(name) ?? 0) + 1);
}

function* childSchemas(schema: SchemaObject): Generator<SchemaObject> {
  for (const name of SCHEMA_MAPS) {
    const map = keyword(schema, name);
    if (isRecord(map)) yield* Object.values(map).filter(isRecord);
  }
  for (const name of SCHEMA_LISTS) {
    const list = keyword(schema, name);
    if (Array.isArray(list)) yield* list.filter(isRecord);
  }
  for (const name of SCHEMAS) {
    const child = keyword(schema, name);
    if (isRecord(child)) yield child;
  }
}

function rootBase(root: unknown): string {
  const id = isRecord(root) ? keyword(root, "$id") : undefined;
  return (
    (typeof id === "string" && !id.startsWith("#") ? toUrl(id, DOCUMENT_BASE) : undefined) ?? DOCUMENT_BASE
  );
}

function toUrl(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
