import { keyword, type SchemaObject, STRING, typeOfValue } from "./json-types.ts";
import { CONSTANT, KNOWN_VALUES } from "./own-keywords.ts";
import type { ParseContext, SchemaPlace } from "./parse-context.ts";
import { plainType } from "./parse-structure.ts";
import { type TypeNode, toPrimitive, toUnion, UNKNOWN } from "./type-tree.ts";

/** Longer lists of values cost more to read than they tell; 300 leaves room for all countries and currencies. */
const MAX_ENUM = 300;
const MAX_VALUE_DEPTH = 16;
const MAX_KNOWN = 20;

/** The values of `const` or `enum`, or nothing when there is neither. */
export function parseValues(
  schema: SchemaObject,
  place: SchemaPlace,
  context: ParseContext,
): TypeNode | undefined {
  if (Object.hasOwn(schema, "const")) return toType([schema["const"]], place, context);
  if (!Object.hasOwn(schema, "enum")) return parseKnownValues(schema, place);
  const values = keyword(schema, "enum");
  if (!Array.isArray(values) || values.length === 0) {
    context.warn(place.path, `"enum" is not a list of values`);
    return undefined;
  }
  return toType(values, place, context);
}

function parseKnownValues(schema: SchemaObject, place: SchemaPlace): TypeNode | undefined {
  if (place.mask !== STRING) return undefined;
  const constant = keyword(schema, CONSTANT);
  if (typeof constant === "string")
    return { kind: "primitive", name: "string", known: [constant], isConstant: true };
  const values = keyword(schema, KNOWN_VALUES);
  if (!Array.isArray(values)) return undefined;
  const known = values.filter((value) => typeof value === "string").slice(0, MAX_KNOWN);
  return known.length === 0 ? undefined : { kind: "primitive", name: "string", known };
}

function toType(values: readonly unknown[], place: SchemaPlace, context: ParseContext): TypeNode {
  const allowed = values.filter((value) => (typeOfValue(value) & place.mask) !== 0);
  if (allowed.length === 0) context.warn(place.path, `no value of "enum" or "const" fits its "type"`);
  const kept = allowed.length === 0 ? values : allowed;
  if (kept.length > MAX_ENUM)
    return plainType(kept.reduce((mask: number, value) => mask | typeOfValue(value), 0));
  return toUnion(kept.map((value) => toValueType(value, 0, context)));
}

function toValueType(value: unknown, depth: number, context: ParseContext): TypeNode {
  if (depth > MAX_VALUE_DEPTH || !context.spend()) return UNKNOWN;
  if (value === null) return toPrimitive("null");
  if (typeof value === "string" || typeof value === "boolean") return { kind: "literal", value };
  if (typeof value === "number") {
    return Number.isFinite(value) ? { kind: "literal", value } : toPrimitive("number");
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => toValueType(item, depth + 1, context));
    return { kind: "tuple", items, required: items.length, rest: undefined };
  }
  if (typeof value !== "object") return UNKNOWN;
  const properties = Object.entries(value).map(([name, item]) => {
    return { name, type: toValueType(item, depth + 1, context), required: true, doc: "" };
  });
  return { kind: "object", properties, patterns: undefined, extra: "closed" };
}
