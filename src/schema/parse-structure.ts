import { isRecord } from "../text/is-record.ts";
import {
  ALL,
  ARRAY,
  BOOLEAN,
  INTEGER,
  keyword,
  NULL,
  NUMBER,
  OBJECT,
  type SchemaObject,
  STRING,
} from "./json-types.ts";
import { type ParseContext, type SchemaPlace, toChild } from "./parse-context.ts";
import { toDoc } from "./parse-doc.ts";
import {
  ANY_OBJECT,
  NEVER,
  type ObjectNode,
  type Property,
  type TypeNode,
  toPrimitive,
  toUnion,
  UNKNOWN,
  UNREAD,
} from "./type-tree.ts";

const OBJECT_KEYWORDS = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
];
const ARRAY_KEYWORDS = ["items", "prefixItems"];
const MAX_KEY_NAMES = 50;
/** Longer tuples are read as lists of any of their items. */
const MAX_TUPLE = 32;

/** A type with no more than the set of JSON types to say. */
export function plainType(mask: number): TypeNode {
  if (mask === ALL) return UNKNOWN;
  return toUnion([...scalars(mask), ...plainArray(mask), ...plainObject(mask)]);
}

/** Any value of these types, when what the schema says of them was not read. */
export function unreadType(mask: number): TypeNode {
  if (mask === ALL) return UNREAD;
  return toUnion([...scalars(mask), ...plainArray(mask), ...(mask & OBJECT ? [ANY_OBJECT] : [])]);
}

/** What the keywords for arrays and objects say, or nothing when there are none that matter here. */
export function parseStructure(
  schema: SchemaObject,
  place: SchemaPlace,
  context: ParseContext,
): TypeNode | undefined {
  const hasArray = (place.mask & ARRAY) !== 0 && ARRAY_KEYWORDS.some((name) => Object.hasOwn(schema, name));
  const hasObject =
    (place.mask & OBJECT) !== 0 && OBJECT_KEYWORDS.some((name) => Object.hasOwn(schema, name));
  if (!hasArray && !hasObject) return undefined;
  const members = scalars(place.mask);
  members.push(...(hasArray ? [parseArray(schema, place, context)] : plainArray(place.mask)));
  members.push(...(hasObject ? [parseObject(schema, place, context)] : plainObject(place.mask)));
  return toUnion(members);
}

function scalars(mask: number): TypeNode[] {
  const members: TypeNode[] = [];
  if (mask & STRING) members.push(toPrimitive("string"));
  if (mask & NUMBER) members.push(toPrimitive((mask & NUMBER) === INTEGER ? "integer" : "number"));
  if (mask & BOOLEAN) members.push(toPrimitive("boolean"));
  if (mask & NULL) members.push(toPrimitive("null"));
  return members;
}

function plainArray(mask: number): TypeNode[] {
  return mask & ARRAY ? [{ kind: "array", items: UNKNOWN }] : [];
}

function plainObject(mask: number): TypeNode[] {
  return mask & OBJECT ? [{ kind: "object", properties: [], patterns: undefined, extra: "implicit" }] : [];
}

function parseArray(schema: SchemaObject, place: SchemaPlace, context: ParseContext): TypeNode {
  const items = keyword(schema, "items");
  const prefix = keyword(schema, "prefixItems");
  const isTuple = Array.isArray(prefix) || Array.isArray(items);
  if (prefix !== undefined && !Array.isArray(prefix)) context.warn(place.path, `"prefixItems" is not a list`);
  if (!isTuple) {
    if (items === undefined) return { kind: "array", items: UNKNOWN };
    return { kind: "array", items: context.parse(items, toChild(place, ALL, "items")) };
  }
  const list: readonly unknown[] = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : [];
  const after = Array.isArray(prefix) ? items : keyword(schema, "additionalItems");
  return parseTuple(schema, list, after, place, context);
}

function parseTuple(
  schema: SchemaObject,
  list: readonly unknown[],
  after: unknown,
  place: SchemaPlace,
  context: ParseContext,
): TypeNode {
  const max = toCount(keyword(schema, "maxItems")) ?? Number.POSITIVE_INFINITY;
  const min = toCount(keyword(schema, "minItems")) ?? 0;
  const items = list
    .slice(0, max)
    .map((item, index) => context.parse(item, toChild(place, ALL, `items[${index}]`)));
  const rest = after === undefined ? UNKNOWN : context.parse(after, toChild(place, ALL, "items"));
  const isBounded = max <= items.length || rest.kind === "never";
  if (items.length > MAX_TUPLE)
    return { kind: "array", items: toUnion(isBounded ? items : [...items, rest]) };
  // An element that nothing fits cannot be there, so the list ends before it.
  const end = items.findIndex((item) => item.kind === "never");
  if (end >= 0) {
    return min > end ? NEVER : { kind: "tuple", items: items.slice(0, end), required: min, rest: undefined };
  }
  return { kind: "tuple", items, required: Math.min(min, items.length), rest: isBounded ? undefined : rest };
}

function toCount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? Math.floor(value) : undefined;
}

function parseObject(schema: SchemaObject, place: SchemaPlace, context: ParseContext): ObjectNode {
  const required = parseRequired(schema, place, context);
  const properties: Property[] = [];
  for (const [name, child] of parseEntries(schema, "properties", place, context)) {
    const isRequired = required.delete(name);
    let type = context.parse(child, toChild(place, ALL, name));
    if (isRequired && type.kind === "never") {
      // The schema can't be met; a type that says so would make the whole tool impossible to call.
      context.warn(place.path, `no value fits the required property "${name.slice(0, 100)}"`);
      type = UNKNOWN;
    }
    properties.push({ name, type, required: isRequired, doc: toDoc(child) });
  }
  const patterns = parseEntries(schema, "patternProperties", place, context).map(([pattern, child]) =>
    context.parse(child, toChild(place, ALL, `/${pattern}/`)),
  );
  const extra = parseExtra(schema, place, context);
  for (const name of required)
    properties.push({ name, type: undeclaredType(patterns, extra), required: true, doc: "" });
  const keys = keyNames(schema);
  if (keys !== undefined && properties.length === 0 && patterns.length === 0) {
    const type = typeof extra === "string" ? UNKNOWN : extra;
    const named = keys.map((name) => ({ name, type, required: false, doc: "" }));
    return { kind: "object", properties: named, patterns: undefined, extra: "closed" };
  }
  return {
    kind: "object",
    properties,
    patterns: patterns.length === 0 ? undefined : toUnion(patterns),
    extra,
  };
}

/** The type of a property that is demanded but not described. */
function undeclaredType(patterns: readonly TypeNode[], extra: ObjectNode["extra"]): TypeNode {
  return typeof extra === "string" ? UNKNOWN : toUnion([...patterns, extra]);
}

function parseRequired(schema: SchemaObject, place: SchemaPlace, context: ParseContext): Set<string> {
  const required = keyword(schema, "required");
  if (required === undefined) return new Set();
  if (!Array.isArray(required)) {
    context.warn(place.path, `"required" is not a list of names`);
    return new Set();
  }
  const names = required.filter((name) => typeof name === "string");
  if (names.length < required.length) context.warn(place.path, `"required" holds something other than names`);
  return new Set(names);
}

function parseEntries(
  schema: SchemaObject,
  name: string,
  place: SchemaPlace,
  context: ParseContext,
): readonly (readonly [string, unknown])[] {
  const map = keyword(schema, name);
  if (map === undefined) return [];
  if (isRecord(map)) return Object.entries(map);
  context.warn(place.path, `"${name}" is not an object`);
  return [];
}

function parseExtra(schema: SchemaObject, place: SchemaPlace, context: ParseContext): ObjectNode["extra"] {
  const additional = keyword(schema, "additionalProperties");
  if (additional === undefined) {
    // `unevaluatedProperties: false` depends on what other keywords matched, so it closes nothing here.
    const unevaluated = keyword(schema, "unevaluatedProperties");
    return unevaluated === undefined || unevaluated === false ? "implicit" : UNKNOWN;
  }
  const type = context.parse(additional, toChild(place, ALL, "*"));
  return type.kind === "never" ? "closed" : type;
}

/** The keys that `propertyNames` lists, when it is a short list. */
function keyNames(schema: SchemaObject): readonly string[] | undefined {
  const names = keyword(schema, "propertyNames");
  const values = isRecord(names) ? keyword(names, "enum") : undefined;
  if (!Array.isArray(values) || values.length > MAX_KEY_NAMES) return undefined;
  return [...new Set(values.filter((value) => typeof value === "string"))];
}
