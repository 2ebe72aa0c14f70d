import { findMisfits } from "../../src/schema/misfits.ts";
import { furtherKeys } from "../../src/schema/object-keys.ts";
import { type TypeNode, toUnion, UNKNOWN } from "../../src/schema/type-tree.ts";

export type FieldReads = { reads: number; typed: number; right: number };

/**
 * Every field and element of a result read once: how many of the reads have a type that says something, and how many of
 * those the value fits.
 */
export function countFieldReads(value: unknown, type: TypeNode, into: FieldReads): void {
  const children = Array.isArray(value)
    ? value.map((item): [unknown, TypeNode] => [item, elementType(type)])
    : isObject(value)
      ? Object.entries(value).map(([key, item]): [unknown, TypeNode] => [item, fieldType(type, key)])
      : [];
  for (const [item, child] of children) {
    into.reads++;
    if (child.kind !== "unknown") {
      into.typed++;
      if (findMisfits(item, child).length === 0) into.right++;
    }
    countFieldReads(item, child, into);
  }
}

/** Whether a type says more than "text" or "anything". */
export function isSpecific(type: TypeNode): boolean {
  if (type.kind === "union") return type.members.some(isSpecific);
  if (type.kind === "array") return type.items.kind !== "unknown";
  if (type.kind === "object") {
    const further = furtherKeys(type, "output");
    return type.properties.length > 0 || (further !== undefined && further.kind !== "unknown");
  }
  return type.kind === "primitive" && type.name !== "string";
}

function elementType(type: TypeNode): TypeNode {
  const lists = membersOf(type).filter((member) => member.kind === "array");
  return lists.length === 0 ? UNKNOWN : toUnion(lists.map(({ items }) => items));
}

function fieldType(type: TypeNode, key: string): TypeNode {
  const types = membersOf(type)
    .filter((member) => member.kind === "object")
    .map((object) => {
      const named = object.properties.find(({ name }) => name === key);
      return named?.type ?? furtherKeys(object, "output") ?? UNKNOWN;
    });
  return types.length === 0 ? UNKNOWN : toUnion(types);
}

function membersOf(type: TypeNode): readonly TypeNode[] {
  return type.kind === "union" ? type.members : [type];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
