import { type NamedType, type TypeNode, toUnion, UNKNOWN } from "./type-tree.ts";

/** A chain of names longer than this is no one's schema. */
const MAX_CHAIN = 500;

/**
 * A type may hold itself in a property or an element; a type that is itself, or itself or something else, says
 * nothing, and neither TypeScript nor Python accepts it. Such references become `unknown`.
 */
export function cutEmptyCycles(
  named: readonly NamedType[],
  complain: (named: NamedType, reason: "empty" | "long") => void,
): void {
  const done = new Set<NamedType>();
  const open = new Set<NamedType>();

  function visit(target: NamedType): void {
    open.add(target);
    target.type = rebuild(target.type);
    open.delete(target);
    done.add(target);
  }

  function rebuild(node: TypeNode): TypeNode {
    if (node.kind === "reference") {
      if (done.has(node.target)) return node;
      const isEmpty = open.has(node.target);
      if (isEmpty || open.size > MAX_CHAIN) {
        complain(node.target, isEmpty ? "empty" : "long");
        return UNKNOWN;
      }
      visit(node.target);
      return node;
    }
    if (node.kind === "union") return replaceMembers(node, (members) => toUnion(members));
    if (node.kind !== "intersection") return node;
    return replaceMembers(node, (members) => {
      const kept = members.filter((member) => member.kind !== "unknown");
      const [first] = kept;
      if (first === undefined) return UNKNOWN;
      return kept.length === 1 ? first : { kind: "intersection", members: kept };
    });
  }

  function replaceMembers(
    node: TypeNode & { members: readonly TypeNode[] },
    join: (members: readonly TypeNode[]) => TypeNode,
  ): TypeNode {
    const members = node.members.map(rebuild);
    return members.every((member, index) => member === node.members[index]) ? node : join(members);
  }

  for (const target of named) if (!done.has(target)) visit(target);
}
