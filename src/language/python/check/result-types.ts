import { furtherKeys } from "../../../schema/object-keys.ts";
import type { ObjectNode, TypeNode } from "../../../schema/type-tree.ts";
import { toUnion } from "../../../schema/type-tree.ts";

/** The type of a list's elements; nothing where it may be no list. */
export function elementType(type: TypeNode): TypeNode | undefined {
  const plain = dereferenced(type);
  if (plain.kind === "array") return plain.items;
  if (plain.kind !== "tuple") return undefined;
  return toUnion([...plain.items, ...(plain.rest ? [plain.rest] : [])]);
}

/** The type of what an object has under a key; nothing where that is not known. */
export function memberTypes(type: TypeNode, key: string): TypeNode | undefined {
  const plain = dereferenced(type);
  return plain.kind === "object" ? plain.properties.find(({ name }) => name === key)?.type : undefined;
}

/** An object that has no such key by its type: `closed` where it can't have another, `open` where nothing is said of that. */
export function absentKey(
  type: TypeNode,
  key: string,
): { object: ObjectNode; isClosed: boolean } | undefined {
  const object = dereferenced(type);
  if (object.kind !== "object" || object.properties.length === 0 || object.patterns !== undefined)
    return undefined;
  if (object.properties.some(({ name }) => name === key)) return undefined;
  if (object.extra !== "implicit" && furtherKeys(object, "output") !== undefined) return undefined;
  return { object, isClosed: object.extra === "closed" };
}

const MAX_REFERENCES = 20;

export function dereferenced(type: TypeNode): TypeNode {
  let plain = type;
  for (let steps = 0; plain.kind === "reference" && steps < MAX_REFERENCES; steps++)
    plain = plain.target.type;
  return plain;
}
