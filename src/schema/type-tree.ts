/**
 * What a JSON Schema says about types, free of any language. Every node stands for a set of JSON values that is at
 * least as large as the schema's own set: a node may be wider than the schema, never narrower.
 */
export type TypeNode =
  | { readonly kind: "unknown" }
  | { readonly kind: "never" }
  | PrimitiveNode
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | ArrayNode
  | TupleNode
  | ObjectNode
  | { readonly kind: "union"; readonly members: readonly TypeNode[] }
  | { readonly kind: "intersection"; readonly members: readonly TypeNode[] }
  | ReferenceNode;

export type PrimitiveNode = {
  readonly kind: "primitive";
  readonly name: PrimitiveName;
  /** Texts that it is likely to be, though it may be any other. */
  readonly known?: readonly string[];
  /** No other was seen: the known one is printed alone. */
  readonly isConstant?: true;
};

export type PrimitiveName = "string" | "number" | "integer" | "boolean" | "null";
export type ArrayNode = { readonly kind: "array"; readonly items: TypeNode };
export type ReferenceNode = { readonly kind: "reference"; readonly target: NamedType };

export type TupleNode = {
  readonly kind: "tuple";
  readonly items: readonly TypeNode[];
  /** How many of the items must be there; the others may be left out from the end. */
  readonly required: number;
  /** The type of what may follow, or nothing when the length is bounded. */
  readonly rest: TypeNode | undefined;
};

export type ObjectNode = {
  readonly kind: "object";
  readonly properties: readonly Property[];
  /** The types of the keys that patterns name. */
  readonly patterns: TypeNode | undefined;
  /** `implicit`: the schema does not say, so inputs are closed (a typo is caught) and outputs are open. */
  readonly extra: "implicit" | "closed" | TypeNode;
};

export type Property = {
  readonly name: string;
  readonly type: TypeNode;
  readonly required: boolean;
  /** Description and constraints, as the server wrote them: not yet safe to print. */
  readonly doc: string;
};

/** The target of a `$ref`. The type is filled in after references to it exist, which is what makes recursion possible. */
export type NamedType = { readonly hint: string; type: TypeNode; doc: string };

export const UNKNOWN: TypeNode = { kind: "unknown" };
/** Unknown because not read: it may name further properties, so what is merged with it must stay open. */
export const UNREAD: TypeNode = { kind: "unknown" };
export const NEVER: TypeNode = { kind: "never" };
export const ANY_OBJECT: ObjectNode = { kind: "object", properties: [], patterns: undefined, extra: UNKNOWN };

const PRIMITIVES: { readonly [name in PrimitiveName]: TypeNode } = {
  string: { kind: "primitive", name: "string" },
  number: { kind: "primitive", name: "number" },
  integer: { kind: "primitive", name: "integer" },
  boolean: { kind: "primitive", name: "boolean" },
  null: { kind: "primitive", name: "null" },
};

export function toPrimitive(name: PrimitiveName): TypeNode {
  return PRIMITIVES[name];
}

/** The union of the members, flat, without repetitions and without what another member already covers. */
export function toUnion(members: readonly TypeNode[]): TypeNode {
  const kept = new Map<unknown, TypeNode>();
  const pending = [...members].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "unknown") return members.includes(UNREAD) ? UNREAD : node;
    if (node.kind === "union") pending.push(...[...node.members].reverse());
    else if (node.kind !== "never") kept.set(identityOf(node), node);
  }
  absorb(kept);
  const result = [...kept.values()];
  const [first] = result;
  if (first === undefined) return NEVER;
  return result.length === 1 ? first : { kind: "union", members: result };
}

function absorb(kept: Map<unknown, TypeNode>): void {
  if (kept.has("literal:true") && kept.has("literal:false")) kept.set("boolean", toPrimitive("boolean"));
  if (kept.has("number")) kept.delete("integer");
  for (const [key, node] of kept) {
    if (node.kind !== "literal") continue;
    const whole = typeof node.value;
    const covered =
      kept.has(whole) || (whole === "number" && kept.has("integer") && Number.isInteger(node.value));
    if (covered) kept.delete(key);
  }
}

function identityOf(node: TypeNode): unknown {
  switch (node.kind) {
    case "primitive":
      return node.name;
    case "literal":
      return `literal:${JSON.stringify(node.value)}`;
    case "reference":
      return node.target;
    case "array":
      return node.items.kind === "primitive" || node.items.kind === "unknown"
        ? `array:${node.items.kind === "primitive" ? node.items.name : "unknown"}`
        : node;
    default:
      return node;
  }
}
