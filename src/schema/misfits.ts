import { isRecord } from "../text/is-record.ts";
import { ownValue } from "../text/own-value.ts";
import { toExcerpt } from "../text/plain-text.ts";
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
/** Properties and keys that are looked for in all, there or not: types have far more of them than results do. */
const MAX_KEYS = 100_000;
/** A name is the server's, and stands in the path of all that is under it. */
const MAX_NAME = 300;

type Walk = { nodes: number; keys: number };

/** The first places where a value is not of a type. A type is never narrower than its schema, so each contradicts that. */
export function findMisfits(value: unknown, type: TypeNode): Misfit[] {
  const found = check(value, type, [], { nodes: 0, keys: 0 });
  // The names in it are the server's words.
  return collect(found.map((misfit) => [{ ...misfit, path: toExcerpt(misfit.path) }]));
}

/** At most a few, and none twice. What is too deep or too much to look at is not held against anybody. */
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
      return collect(checkItems(value, () => node.items, path, walk));
    case "tuple":
      return checkTuple(value, node, path, walk);
    case "object":
      if (!isRecord(value)) return misfit(value, node, path);
      return collect(checkProperties(value, node, path, walk));
    case "union":
      return checkUnion(value, node.members, path, walk);
    case "intersection":
      return collect(checkMembers(value, node.members, path, walk));
    case "reference":
      return check(value, node.target.type, path, walk);
  }
}

/** Takes no more of the checks than it needs: those that follow are not even made. */
function collect(checks: Iterable<readonly Misfit[]>): Misfit[] {
  const unique = new Map<string, Misfit>();
  for (const found of checks) {
    for (const one of found) unique.set(JSON.stringify(one), one);
    if (unique.size >= MAX_MISFITS) break;
  }
  return [...unique.values()].slice(0, MAX_MISFITS);
}

function* checkItems(
  items: readonly unknown[],
  typeAt: (index: number) => TypeNode | undefined,
  path: readonly string[],
  walk: Walk,
): Generator<Misfit[]> {
  const inner = [...path, "[]"];
  for (const [index, item] of toSample(items).entries()) {
    const type = typeAt(index);
    if (type !== undefined) yield check(item, type, inner, walk);
  }
}

function* checkMembers(
  value: unknown,
  members: readonly TypeNode[],
  path: readonly string[],
  walk: Walk,
): Generator<Misfit[]> {
  for (const member of members) yield check(value, member, path, walk);
}

function checkTuple(value: unknown, node: TupleNode, path: readonly string[], walk: Walk): Misfit[] {
  if (!Array.isArray(value)) return misfit(value, node, path);
  if (value.length < node.required || (node.rest === undefined && value.length > node.items.length)) {
    const expected = `a list of ${node.required}${node.rest ? " or more" : ""}`;
    return [{ path: path.join("."), expected, seen: `a list of ${value.length}` }];
  }
  return collect(checkItems(value, (index) => node.items[index] ?? node.rest, path, walk));
}

function* checkProperties(
  value: object,
  node: ObjectNode,
  path: readonly string[],
  walk: Walk,
): Generator<Misfit[]> {
  for (const { name, type, required } of node.properties) {
    if (walk.keys++ > MAX_KEYS) return;
    const isThere = Object.hasOwn(value, name);
    if (!isThere && !required) continue;
    const inner = [...path, name.slice(0, MAX_NAME)];
    if (isThere) yield check(ownValue(value, name), type, inner, walk);
    else if (walk.nodes++ > MAX_NODES) return;
    else yield [{ path: inner.join("."), expected: toName(type), seen: "nothing" }];
  }
  if (node.extra === "implicit" && node.patterns === undefined) return;
  const keys = Object.keys(value);
  walk.keys += keys.length;
  if (walk.keys > MAX_KEYS) return;
  const named = new Set(node.properties.map(({ name }) => name));
  const others = keys.filter((key) => !named.has(key));
  const type = furtherKeys(node, "output");
  if (others.length === 0 || type?.kind === "unknown") return;
  const place = [...path, "*"];
  if (type === undefined)
    yield [{ path: place.join("."), expected: "no further keys", seen: "a further key" }];
  else for (const key of toSample(others)) yield check(ownValue(value, key), type, place, walk);
}

/** Of a union, what is wrong is told of the one member that is of the value's kind, if there is one. */
function checkUnion(
  value: unknown,
  members: readonly TypeNode[],
  path: readonly string[],
  walk: Walk,
): Misfit[] {
  const near: Misfit[][] = [];
  const here = path.join(".");
  for (const member of members) {
    const found = check(value, member, path, walk);
    if (found.length === 0) return [];
    if (found.every((one) => one.path !== here)) near.push(found);
  }
  const [only] = near;
  if (near.length === 1 && only !== undefined) return only;
  const names = [...new Set(members.map(toName))];
  return [{ path: here, expected: names.slice(0, 6).join(" | "), seen: kindOf(value) }];
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
      return [...new Set(node.members.slice(0, MAX_ITEMS).map(toName))].slice(0, 6).join(" | ");
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

function toSample<T>(list: readonly T[]): readonly T[] {
  if (list.length <= MAX_ITEMS) return list;
  return [...list.slice(0, MAX_ITEMS - 5), ...list.slice(-5)];
}
