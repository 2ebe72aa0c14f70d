import { toExcerpt } from "../../plain-text.ts";
import { furtherKeys } from "./object-keys.ts";
import type { ObjectNode, PrimitiveName, TupleNode, TypeNode } from "./type-tree.ts";

/** A place where a value is not of the type that it was said to have: told by kinds, never by values. */
export type Misfit = {
  /** Names that the schema itself declares, `[]` for elements, `*` for keys that it does not name; empty at the root. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
};

const MAX_NODES = 2_000;
const MAX_DEPTH = 40;
const MAX_MISFITS = 5;
/** Elements of a list, or values of a map, that are looked at. */
const MAX_ITEMS = 50;

type Walk = { nodes: number };

/** The first places where a value is not of a type. A type is never narrower than its schema, so each contradicts that. */
export function findMisfits(value: unknown, type: TypeNode): Misfit[] {
  const unique = new Map<string, Misfit>();
  for (const found of check(value, type, [], { nodes: 0 })) {
    // The names in it are the server's words.
    const misfit = { ...found, path: toExcerpt(found.path) };
    unique.set(JSON.stringify(misfit), misfit);
  }
  return [...unique.values()].slice(0, MAX_MISFITS);
}

/** What is too deep or too much to look at is not held against anybody. */
function check(value: unknown, node: TypeNode, path: readonly string[], walk: Walk): Misfit[] {
  if (walk.nodes++ > MAX_NODES || path.length > MAX_DEPTH) return [];
  switch (node.kind) {
    case "unknown":
      return [];
    case "never":
      return misfit(value, node, path);
    case "primitive":
      return isPrimitive(value, node.name) ? [] : misfit(value, node, path);
    case "literal":
      return value === node.value ? [] : misfit(value, node, path);
    case "array":
      if (!Array.isArray(value)) return misfit(value, node, path);
      return toSample(value).flatMap((item) => check(item, node.items, [...path, "[]"], walk));
    case "tuple":
      return checkTuple(value, node, path, walk);
    case "object":
      return checkObject(value, node, path, walk);
    case "union":
      return checkUnion(value, node.members, path, walk);
    case "intersection":
      return node.members.flatMap((member) => check(value, member, path, walk));
    case "reference":
      return check(value, node.target.type, path, walk);
  }
}

function checkTuple(value: unknown, node: TupleNode, path: readonly string[], walk: Walk): Misfit[] {
  if (!Array.isArray(value)) return misfit(value, node, path);
  if (value.length < node.required || (node.rest === undefined && value.length > node.items.length)) {
    const expected = `a list of ${node.required}${node.rest ? " or more" : ""}`;
    return [{ path: path.join("."), expected, seen: `a list of ${value.length}` }];
  }
  return toSample(value).flatMap((item, index) => {
    const type = node.items[index] ?? node.rest;
    return type === undefined ? [] : check(item, type, [...path, "[]"], walk);
  });
}

function checkObject(value: unknown, node: ObjectNode, path: readonly string[], walk: Walk): Misfit[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return misfit(value, node, path);
  const found: Misfit[] = [];
  for (const { name, type, required } of node.properties) {
    const inner = [...path, name];
    if (Object.hasOwn(value, name)) found.push(...check(ownValue(value, name), type, inner, walk));
    else if (required) found.push({ path: inner.join("."), expected: toName(type), seen: "nothing" });
  }
  if (node.extra === "implicit" && node.patterns === undefined) return found;
  const named = new Set(node.properties.map(({ name }) => name));
  const others = Object.keys(value).filter((key) => !named.has(key));
  const type = furtherKeys(node, "output");
  if (others.length === 0 || type?.kind === "unknown") return found;
  const place = [...path, "*"];
  if (type === undefined)
    return [...found, { path: place.join("."), expected: "no further keys", seen: "a further key" }];
  return [...found, ...toSample(others).flatMap((key) => check(ownValue(value, key), type, place, walk))];
}

/** Of a union, what is wrong is told of the one member that is of the value's kind, if there is one. */
function checkUnion(
  value: unknown,
  members: readonly TypeNode[],
  path: readonly string[],
  walk: Walk,
): Misfit[] {
  const near: Misfit[][] = [];
  for (const member of members) {
    const found = check(value, member, path, walk);
    if (found.length === 0) return [];
    if (found.every((one) => one.path !== path.join("."))) near.push(found);
  }
  const [only] = near;
  if (near.length === 1 && only !== undefined) return only;
  const names = [...new Set(members.map(toName))];
  return [{ path: path.join("."), expected: names.slice(0, 6).join(" | "), seen: kindOf(value) }];
}

function misfit(value: unknown, node: TypeNode, path: readonly string[]): Misfit[] {
  return [{ path: path.join("."), expected: toName(node), seen: kindOf(value) }];
}

function isPrimitive(value: unknown, name: PrimitiveName): boolean {
  if (name === "null") return value === null;
  return name === "integer" ? Number.isInteger(value) : typeof value === name;
}

function toName(node: TypeNode): string {
  switch (node.kind) {
    case "primitive":
      return node.name;
    case "literal":
      return "one of the values listed";
    case "tuple":
      return "array";
    case "union":
      return [...new Set(node.members.map(toName))].slice(0, 6).join(" | ");
    case "reference":
    case "intersection":
      return "object";
    case "unknown":
      return "a value";
    default:
      return node.kind;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function ownValue(object: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(object, key)?.value;
}

function toSample<T>(list: readonly T[]): readonly T[] {
  if (list.length <= MAX_ITEMS) return list;
  return [...list.slice(0, MAX_ITEMS - 5), ...list.slice(-5)];
}
