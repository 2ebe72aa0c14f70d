import { toOneLine } from "../text/doc-text.ts";
import { isRecord } from "../text/is-record.ts";
import { type IntersectContext, intersect, intersectAll } from "./intersect.ts";
import { ALL, keyword, NULL, OBJECT, type SchemaObject, toTypeMask } from "./json-types.ts";
import { createNamedTypes } from "./named-types.ts";
import { toObjects } from "./object-keys.ts";
import { type ParseContext, type SchemaPlace, toChild } from "./parse-context.ts";
import { parseStructure, plainType, unreadType } from "./parse-structure.ts";
import { parseValues } from "./parse-values.ts";
import { createRefResolver, type RefTarget } from "./resolve-ref.ts";
import {
  ANY_OBJECT,
  NEVER,
  type ObjectNode,
  type TypeNode,
  toPrimitive,
  toUnion,
  UNKNOWN,
} from "./type-tree.ts";
import { cutEmptyCycles } from "./unguarded-cycles.ts";

export type ParsedSchema = { readonly type: TypeNode; readonly warnings: readonly string[] };

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
/** Properties in merged objects: a short schema can merge a long object again and again. */
const MAX_MERGED = 100_000;
const MAX_WARNINGS = 50;
const MAX_RECENT = 100;
const MAX_PATH = 200;
const MAX_MESSAGE = 300;
/** Nothing but words about the schema: their presence does not make a `not` more than its `type`. */
const ANNOTATIONS = new Set(["description", "title", "$comment", "default", "examples"]);

/** What these say depends on values, so it is not read; they may well name further properties. */
const UNREAD_KEYWORDS = ["if", "dependentSchemas", "dependencies", "$recursiveRef"];

/** The arguments of a tool: always an object, whatever the schema says. */
export const parseInputSchema = keepRecent(readInputSchema);

/** The result of a tool: any JSON. */
export const parseOutputSchema = keepRecent(readOutputSchema);

/**
 * Keeps what was last read: a search prints a type in several styles, one after the other. Neither a schema nor a type
 * is ever changed. Only so many are kept, since a type can be far longer than its schema.
 */
function keepRecent(read: (schema: unknown) => ParsedSchema): (schema: unknown) => ParsedSchema {
  const recent = new Map<object, ParsedSchema>();
  return (schema) => {
    if (!isRecord(schema)) return read(schema);
    const parsed = recent.get(schema) ?? read(schema);
    recent.delete(schema);
    recent.set(schema, parsed);
    const [oldest] = recent.keys();
    if (recent.size > MAX_RECENT && oldest !== undefined) recent.delete(oldest);
    return parsed;
  };
}

function readInputSchema(schema: unknown): ParsedSchema {
  const parsed = parse(schema, OBJECT);
  if (!isUsableInput(schema, parsed.type)) {
    const warnings = [
      ...parsed.warnings,
      "the input schema does not describe an object; any arguments are accepted",
    ];
    return { type: ANY_OBJECT, warnings };
  }
  if (parsed.type.kind !== "object" || !takesNothing(schema, parsed.type)) return parsed;
  return { type: { ...parsed.type, extra: "closed" }, warnings: parsed.warnings };
}

function readOutputSchema(schema: unknown): ParsedSchema {
  const parsed = parseSchema(schema);
  if (parsed.type.kind !== "never") return parsed;
  return { type: UNKNOWN, warnings: [...parsed.warnings, "schema: no value fits it; anything is accepted"] };
}

/** Exactly what the schema says, also when that is nothing at all. */
export function parseSchema(schema: unknown): ParsedSchema {
  return parse(schema, ALL);
}

function isUsableInput(schema: unknown, type: TypeNode): boolean {
  if (schema !== true && !isRecord(schema)) return false;
  return toObjects(type) !== undefined;
}

/** An empty `properties` says "no arguments"; an object schema without `properties` says "any arguments". */
function takesNothing(schema: unknown, type: ObjectNode): boolean {
  if (type.extra !== "implicit" || type.properties.length > 0 || type.patterns !== undefined) return false;
  return isRecord(schema) && isRecord(keyword(schema, "properties"));
}

/** Whatever a server sends as a schema, it is no reason to fail: a check or a search has other tools as well. */
function parse(root: unknown, rootMask: number): ParsedSchema {
  try {
    return parseRoot(root, rootMask);
  } catch (error) {
    const reason = error instanceof Error ? toOneLine(error.message, MAX_MESSAGE) : "unknown reason";
    return {
      type: unreadType(rootMask),
      warnings: [`schema: cannot be read; anything is accepted: ${reason}`],
    };
  }
}

function parseRoot(root: unknown, rootMask: number): ParsedSchema {
  const warnings: string[] = [];
  const isLegacy = isLegacyDraft(root);
  const refs = createRefResolver(root, isLegacy);
  const namedTypes = createNamedTypes({ read: parseAny, maxDepth: MAX_DEPTH, depth: () => depth });
  let nodes = 0;
  let merged = 0;
  let depth = 0;

  function warn(path: string, message: string): void {
    if (warnings.length === MAX_WARNINGS) return;
    // Paths and messages quote the schema, and go to a terminal.
    const text = `${toOneLine(path, MAX_PATH) || "schema"}: ${toOneLine(message, MAX_MESSAGE)}`;
    if (!warnings.includes(text)) warnings.push(text);
  }

  function spend(): boolean {
    nodes++;
    if (nodes === MAX_NODES) warn("", `more than ${MAX_NODES} parts; the rest is left open`);
    return nodes < MAX_NODES;
  }

  function merge(properties: number): boolean {
    if (merged + properties > MAX_MERGED) {
      warn("", `more than ${MAX_MERGED} properties of merged objects; the rest is not merged`);
      return false;
    }
    merged += properties;
    return true;
  }

  const { resolve } = namedTypes;
  const intersecting: IntersectContext = { spend, merge, open: new Map(), depth: 0, resolve };
  const context: ParseContext = {
    parse: parseAny,
    spend,
    warn,
    intersect: (a, b) => intersect(a, b, intersecting),
  };

  function parseAny(schema: unknown, place: SchemaPlace): TypeNode {
    if (schema === true) return plainType(place.mask);
    if (schema === false) return NEVER;
    if (!isRecord(schema)) {
      warn(place.path, "not a schema; anything is accepted");
      return unreadType(place.mask);
    }
    if (place.depth > MAX_DEPTH) {
      warn("", `nested deeper than ${MAX_DEPTH} levels; the rest is left open`);
      return unreadType(place.mask);
    }
    if (!spend()) return unreadType(place.mask);
    depth++;
    const type = parseObjectSchema(schema, place);
    depth--;
    return type;
  }

  function parseObjectSchema(schema: SchemaObject, outer: SchemaPlace): TypeNode {
    const ref = keyword(schema, "$ref");
    if (isLegacy && typeof ref === "string") return parseRef(refs.resolve(ref, schema), ref, outer);
    const own = toTypeMask(keyword(schema, "type"), (message) => warn(outer.path, message));
    const excluded = excludedTypes(schema);
    const place = { ...outer, mask: outer.mask & own & ~excluded };
    const parts = [...ownParts(schema, place), ...combinedParts(schema, place)];
    const type = parts.length === 0 ? plainType(place.mask) : intersectAll(parts, intersecting);
    const isNullable = keyword(schema, "nullable") === true && (outer.mask & NULL) !== 0;
    return isNullable ? toUnion([type, toPrimitive("null")]) : type;
  }

  function ownParts(schema: SchemaObject, place: SchemaPlace): TypeNode[] {
    const parts: TypeNode[] = [];
    const own = parseValues(schema, place, context) ?? parseStructure(schema, place, context);
    if (own !== undefined) parts.push(own);
    const ref = keyword(schema, "$ref");
    if (typeof ref === "string") parts.push(parseRef(refs.resolve(ref, schema), ref, place));
    else if (ref !== undefined) warn(place.path, `"$ref" is not a string`);
    const dynamic = keyword(schema, "$dynamicRef");
    if (typeof dynamic === "string")
      parts.push(parseRef(refs.resolveDynamic(dynamic, schema), dynamic, place));
    return parts;
  }

  function combinedParts(schema: SchemaObject, place: SchemaPlace): TypeNode[] {
    const parts = members(schema, "allOf", place);
    for (const name of ["anyOf", "oneOf"]) {
      const alternatives = members(schema, name, place);
      if (alternatives.length > 0) parts.push(toUnion(alternatives));
    }
    const [test, yes, no] = [keyword(schema, "if"), keyword(schema, "then"), keyword(schema, "else")];
    if (test !== undefined && yes !== undefined && no !== undefined) {
      const child = toChild(place, place.mask, "if");
      const matched = context.intersect(parseAny(test, child), parseAny(yes, child));
      parts.push(toUnion([matched, parseAny(no, child)]));
    } else if (UNREAD_KEYWORDS.some((name) => Object.hasOwn(schema, name))) {
      parts.push(unreadType(place.mask));
    }
    return parts;
  }

  function members(schema: SchemaObject, name: string, place: SchemaPlace): TypeNode[] {
    const list = keyword(schema, name);
    if (list === undefined) return [];
    if (!Array.isArray(list) || list.length === 0) {
      warn(place.path, `"${name}" is not a list of schemas`);
      return [];
    }
    return list.map((member, index) => parseAny(member, toChild(place, place.mask, `${name}[${index}]`)));
  }

  function parseRef(target: RefTarget, ref: string, place: SchemaPlace): TypeNode {
    if (typeof target === "string") {
      const reason = target === "outside" ? "leads outside the schema and is never fetched" : "leads nowhere";
      warn(place.path, `$ref "${ref.slice(0, 200)}" ${reason}; anything is accepted`);
      return unreadType(place.mask);
    }
    if (!isRecord(target.schema)) return parseAny(target.schema, place);
    const own = toTypeMask(keyword(target.schema, "type"), () => {});
    const mask = place.mask & (keyword(target.schema, "nullable") === true ? own | NULL : own);
    const named = namedTypes.nameType(target.schema, target.label, { ...place, mask });
    return { kind: "reference", target: named };
  }

  const rootType = parseAny(root, { mask: rootMask, path: "", depth: 0 });
  cutEmptyCycles(namedTypes.readAll(), ({ hint }, reason) => {
    const problem = reason === "empty" ? "says nothing but itself" : "is one of too long a chain; left open";
    warn("", `$ref to "${hint}" ${problem}`);
  });
  return { type: openRoot(rootType), warnings };
}

/** A root that is only a reference is shown as what it refers to. */
function openRoot(type: TypeNode): TypeNode {
  let current = type;
  for (let step = 0; current.kind === "reference" && step < MAX_DEPTH; step++) current = current.target.type;
  return current;
}

/** Types that `not: { type }` shuts out. Any other `not` is left to the server. */
function excludedTypes(schema: SchemaObject): number {
  if (!Object.hasOwn(schema, "not")) return 0;
  const not = schema["not"];
  if (not === true) return ALL;
  if (!isRecord(not)) return 0;
  const names = Object.keys(not).filter((name) => !ANNOTATIONS.has(name));
  if (names.length === 0) return ALL;
  return names.length === 1 && names[0] === "type" ? exactMask(not["type"]) : 0;
}

/** Only what is surely meant: a misspelt type must not shut out everything. */
function exactMask(type: unknown): number {
  let isExact = true;
  const mask = toTypeMask(type, () => {
    isExact = false;
  });
  return isExact ? mask : 0;
}

function isLegacyDraft(root: unknown): boolean {
  const dialect = isRecord(root) ? keyword(root, "$schema") : undefined;
  return typeof dialect === "string" && /\/draft-0[3467]\//.test(dialect);
}
