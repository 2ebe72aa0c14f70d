import {
  type ArrayNode,
  type NamedType,
  NEVER,
  type ObjectNode,
  type Property,
  type TupleNode,
  type TypeNode,
  toUnion,
  UNKNOWN,
  UNREAD,
} from "./type-tree.ts";

export type IntersectContext = {
  /** The type behind a reference, or nothing while that type is still being read. */
  resolve(target: NamedType): TypeNode | undefined;
  /** Counts one step of work; false when the budget is spent. */
  spend(): boolean;
  /** Counts the properties of objects that are merged; false when that budget is spent. */
  merge(properties: number): boolean;
  /** The pairs being worked on: two types that hold themselves would meet again for ever. */
  readonly open: Map<unknown, Set<unknown>>;
  /** How many pairs are being worked on, one within the other. */
  depth: number;
};

type FurtherKeys = Pick<ObjectNode, "patterns" | "extra">;

/** Above this many pairs a product of unions says more than anyone reads. */
const MAX_PAIRS = 64;
const MAX_OPEN = 50;
const MAX_DEPTH = 100;
/** An intersection of more is no one's schema. */
const MAX_MEMBERS = 64;

/** The values that are in all of them, objects in a row merged at once. */
export function intersectAll(types: readonly TypeNode[], context: IntersectContext): TypeNode {
  let all = types[0] ?? UNKNOWN;
  for (let index = 1; index < types.length; ) {
    const objects = all.kind === "object" ? objectsFrom(types, index) : [];
    const next = types[index] ?? UNKNOWN;
    if (all.kind === "object" && objects.length > 1) all = intersectObjects(all, objects, context);
    else all = intersect(all, next, context);
    index += Math.max(objects.length, 1);
  }
  return all;
}

function objectsFrom(types: readonly TypeNode[], start: number): ObjectNode[] {
  const objects: ObjectNode[] = [];
  for (let index = start, type = types[index]; type?.kind === "object"; type = types[++index])
    objects.push(type);
  return objects;
}

/** The values that are in both. Where that cannot be written down, one of the two: wider, so still true. */
export function intersect(a: TypeNode, b: TypeNode, context: IntersectContext): TypeNode {
  if (a === UNREAD) return toOpen(b, context);
  if (b === UNREAD) return toOpen(a, context);
  if (a === b || b.kind === "unknown" || a.kind === "never") return a;
  if (a.kind === "unknown" || b.kind === "never") return b;
  if (!context.spend()) return a;
  if (context.depth >= MAX_DEPTH) return toIntersection(a, b);
  context.depth++;
  const type = intersectByKind(a, b, context);
  context.depth--;
  return type;
}

function intersectByKind(a: TypeNode, b: TypeNode, context: IntersectContext): TypeNode {
  if (a.kind === "union" || b.kind === "union") return intersectUnions(a, b, context);
  if (a.kind === "reference" || b.kind === "reference") return intersectReferences(a, b, context);
  if (a.kind === "intersection" || b.kind === "intersection") return toIntersection(a, b);
  if (a.kind === "object" && b.kind === "object") return intersectObjects(a, [b], context);
  if (isList(a) && isList(b)) return intersectLists(a, b, context);
  return intersectScalars(a, b);
}

/** Both as they are: flat, or a walk through what many parts have made of a type would go as deep as they are many. */
function toIntersection(a: TypeNode, b: TypeNode): TypeNode {
  const left = a.kind === "intersection" ? a.members : [a];
  const right = b.kind === "intersection" ? b.members : [b];
  const isLong = left.length + right.length > MAX_MEMBERS;
  return isLong ? a : { kind: "intersection", members: [...left, ...right] };
}

/** The type with its objects open, where the schema does not say that they are closed. */
function toOpen(node: TypeNode, context: IntersectContext): TypeNode {
  if (node.kind === "unknown") return UNREAD;
  if (node.kind === "object") return node.extra === "implicit" ? { ...node, extra: UNKNOWN } : node;
  if (node.kind === "union") return toUnion(node.members.map((member) => toOpen(member, context)));
  if (node.kind !== "reference" || !context.spend()) return node;
  const target = context.resolve(node.target);
  if (target === undefined || target.kind === "reference") return node;
  const isOpenable = target.kind === "object" && target.extra === "implicit";
  return isOpenable ? toOpen(target, context) : node;
}

function intersectUnions(a: TypeNode, b: TypeNode, context: IntersectContext): TypeNode {
  const left = a.kind === "union" ? a.members : [a];
  const right = b.kind === "union" ? b.members : [b];
  const properties = (nodes: readonly TypeNode[]) =>
    Math.max(...nodes.map((node) => (node.kind === "object" ? node.properties.length : 0)));
  const cost = left.length * right.length;
  const isCostly = cost > MAX_PAIRS && !left.every(isScalar) && !right.every(isScalar);
  // Each pair repeats the properties of both: a long object next to many alternatives is kept as the object alone.
  const isLong = left.length === 1 && right.length > 1 && right.length * properties(left) > MAX_PAIRS;
  if (isCostly || isLong || cost > 100_000) return a;
  const pairs: TypeNode[] = [];
  for (const one of left) {
    for (const other of right) pairs.push(intersect(one, other, context));
  }
  return toUnion(pairs);
}

function intersectReferences(a: TypeNode, b: TypeNode, context: IntersectContext): TypeNode {
  if (a.kind === "reference" && b.kind === "reference" && a.target === b.target) return a;
  const left = a.kind === "reference" ? context.resolve(a.target) : a;
  const right = b.kind === "reference" ? context.resolve(b.target) : b;
  const partners = context.open.get(left) ?? new Set();
  if (left === undefined || right === undefined || partners.has(right) || context.open.size > MAX_OPEN) {
    return toIntersection(a, b);
  }
  context.open.set(left, partners.add(right));
  const result = intersect(left, right, context);
  partners.delete(right);
  if (partners.size === 0) context.open.delete(left);
  if (result === left) return a;
  return result === right ? b : result;
}

function intersectScalars(a: TypeNode, b: TypeNode): TypeNode {
  if (a.kind === "literal" && b.kind === "literal") return a.value === b.value ? a : NEVER;
  if (a.kind === "literal" && b.kind === "primitive") return isLiteralOf(a.value, b.name) ? a : NEVER;
  if (a.kind === "primitive" && b.kind === "literal") return isLiteralOf(b.value, a.name) ? b : NEVER;
  if (a.kind === "primitive" && b.kind === "primitive") {
    if (a.name === b.name) return a;
    if (a.name === "integer" && b.name === "number") return a;
    if (a.name === "number" && b.name === "integer") return b;
  }
  return NEVER;
}

function isLiteralOf(value: string | number | boolean, name: string): boolean {
  if (name === "integer") return Number.isInteger(value);
  return typeof value === name;
}

function isScalar(node: TypeNode): boolean {
  return node.kind === "literal" || node.kind === "primitive";
}

function intersectObjects(
  first: ObjectNode,
  others: readonly ObjectNode[],
  context: IntersectContext,
): TypeNode {
  const count = others.reduce((sum, { properties }) => sum + properties.length, first.properties.length);
  if (!context.merge(count)) return others.reduce(toIntersection, first);
  const properties = new Map(first.properties.map((property) => [property.name, property]));
  let rest: FurtherKeys = first;
  for (const other of others) {
    if (others.length > 1 && !context.spend()) break;
    // What it says of further keys is left out when there is too much to say it of: wider, so still true.
    if (isTyped(other) && context.merge(properties.size)) {
      const named = new Set(other.properties.map(({ name }) => name));
      for (const [name, property] of properties)
        if (!named.has(name)) properties.set(name, withExtra(property, other, context));
    }
    for (const property of other.properties) {
      const known = properties.get(property.name);
      const both =
        known === undefined ? withExtra(property, rest, context) : bothProperties(known, property, context);
      properties.set(property.name, both);
    }
    rest = intersectExtra(rest, other, context);
  }
  return { kind: "object", properties: [...properties.values()], patterns: rest.patterns, extra: rest.extra };
}

function bothProperties(a: Property, b: Property, context: IntersectContext): Property {
  const type = intersect(a.type, b.type, context);
  return { name: a.name, type, required: a.required || b.required, doc: a.doc === "" ? b.doc : a.doc };
}

/**
 * A property that only one side names, under what the other side says of further keys. When the other side is closed
 * the schema allows no such key; the property stays all the same, since that is nearly always the author's mistake.
 */
function withExtra(property: Property, other: FurtherKeys, context: IntersectContext): Property {
  return isTyped(other) ? { ...property, type: intersect(property.type, other.extra, context) } : property;
}

/** Whether it says what any key that it does not name must hold. */
function isTyped(keys: FurtherKeys): keys is { patterns: undefined; extra: TypeNode } {
  return keys.patterns === undefined && typeof keys.extra !== "string";
}

function intersectExtra(a: FurtherKeys, b: FurtherKeys, context: IntersectContext): FurtherKeys {
  if (b.patterns === undefined && b.extra === "implicit") return { patterns: a.patterns, extra: a.extra };
  if (a.patterns === undefined && a.extra === "implicit") return { patterns: b.patterns, extra: b.extra };
  const left = furtherKeys(a);
  const right = furtherKeys(b);
  if (left.kind === "never" || right.kind === "never") return { patterns: undefined, extra: "closed" };
  return { patterns: undefined, extra: intersect(left, right, context) };
}

/** What a key that is not named may hold, by the schema's own word. */
function furtherKeys(node: FurtherKeys): TypeNode {
  if (node.extra === "implicit") return UNKNOWN;
  return toUnion([node.patterns ?? NEVER, node.extra === "closed" ? NEVER : node.extra]);
}

type ListNode = ArrayNode | TupleNode;

function isList(node: TypeNode): node is ListNode {
  return node.kind === "array" || node.kind === "tuple";
}

function intersectLists(a: ListNode, b: ListNode, context: IntersectContext): TypeNode {
  if (a.kind === "array" && b.kind === "array") {
    return { kind: "array", items: intersect(a.items, b.items, context) };
  }
  const left = toTuple(a);
  const right = toTuple(b);
  const length = Math.max(left.items.length, right.items.length);
  const required = Math.max(left.required, right.required);
  const items: TypeNode[] = [];
  for (let index = 0; index < length; index++) {
    const one = left.items[index] ?? left.rest;
    const other = right.items[index] ?? right.rest;
    if (one === undefined || other === undefined) {
      return index < required ? NEVER : { kind: "tuple", items, required, rest: undefined };
    }
    items.push(intersect(one, other, context));
  }
  const rest =
    left.rest === undefined || right.rest === undefined
      ? undefined
      : intersect(left.rest, right.rest, context);
  return { kind: "tuple", items, required, rest };
}

function toTuple(node: ListNode): TupleNode {
  return node.kind === "tuple" ? node : { kind: "tuple", items: [], required: 0, rest: node.items };
}
