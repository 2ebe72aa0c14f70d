import {
  type NamedType,
  NEVER,
  type ObjectNode,
  type Property,
  type TypeNode,
  toUnion,
  UNKNOWN,
} from "./type-tree.ts";

/** Whether a type describes what a program passes in or what it gets back. */
export type Direction = "input" | "output";

/** The type of the keys that an object does not name, or nothing when it takes none. */
export function furtherKeys(node: ObjectNode, direction: Direction): TypeNode | undefined {
  if (node.extra === "implicit") {
    const isFree = node.properties.length === 0 && node.patterns === undefined;
    return isFree || direction === "output" ? UNKNOWN : node.patterns;
  }
  const extra = node.extra === "closed" ? NEVER : node.extra;
  const keys = toUnion([node.patterns ?? NEVER, extra]);
  return keys.kind === "never" ? undefined : keys;
}

/** The objects that a type can be, seen through references, or nothing when it can be something else. */
export function toObjects(type: TypeNode): readonly ObjectNode[] | undefined {
  const objects = new Set<ObjectNode>();
  const seen = new Set<NamedType>();
  const pending = [type];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "object") objects.add(node);
    else if (node.kind === "union") pending.push(...node.members);
    else if (node.kind === "reference") {
      if (!seen.has(node.target)) pending.push(node.target.type);
      seen.add(node.target);
    } else if (node.kind === "intersection") {
      // A value of the intersection is a value of each member, so any member's keys are true of it.
      const member = node.members.find((one) => one.kind === "object") ?? node.members[0];
      if (member !== undefined) pending.push(member);
    } else return undefined;
  }
  return objects.size === 0 ? undefined : [...objects].reverse();
}

/** The properties that the arguments of a tool can have, each once. */
export function toParameters(type: TypeNode): readonly Property[] {
  const parameters = new Map<string, Property>();
  for (const object of toObjects(type) ?? []) {
    for (const property of object.properties) {
      const known = parameters.get(property.name);
      if (known === undefined || known.doc === "") parameters.set(property.name, property);
    }
  }
  return [...parameters.values()];
}

/** Whether a call without any argument is right. */
export function isCallableWithoutInput(type: TypeNode): boolean {
  const objects = toObjects(type);
  return objects?.some((object) => object.properties.every((property) => !property.required)) ?? true;
}
