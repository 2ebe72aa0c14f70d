import type { Program } from "oxc-parser";
import { ownValue } from "../../../text/own-value.ts";

/** A node of the syntax tree, as far as it is looked at here. */
export type SyntaxNode = { readonly type: string; readonly start: number; readonly end: number };

/** The nodes around an offset, the outermost first. */
export function pathAt(tree: Program | undefined, offset: number): readonly SyntaxNode[] {
  const path: SyntaxNode[] = [];
  let node: SyntaxNode | undefined = tree;
  while (node !== undefined) {
    path.push(node);
    node = children(node).find((child) => child.start <= offset && offset < child.end);
  }
  return path;
}

function children(node: SyntaxNode): SyntaxNode[] {
  const values: unknown[] = Object.values(node).flat();
  return values.filter(isNode);
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value;
}

/** A child by its key. */
export function syntaxChild(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  const value = ownValue(node, key);
  return isNode(value) ? value : undefined;
}

/** The children in a list, by its key. */
export function syntaxChildren(node: SyntaxNode | undefined, key: string): readonly SyntaxNode[] {
  const value = ownValue(node, key);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier or the value of a string. */
export function textOf(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const key = node.type === "Identifier" ? "name" : node.type === "Literal" ? "value" : "";
  const value = ownValue(node, key);
  return typeof value === "string" ? value : undefined;
}

/** Inside of types, where a mistake changes nothing about the run. */
export function isInType(path: readonly SyntaxNode[]): boolean {
  return path.some(({ type }) =>
    /^TS(?:TypeAnnotation|Interface|TypeAlias|TypeParameter|\w+Type$|\w+Keyword$|TypeReference|TypeQuery)/.test(
      type,
    ),
  );
}
