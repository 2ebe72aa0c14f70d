import type { SyntaxNode } from "@lezer/common";
import type { AssignNode, Node } from "../../facts/program-tree.ts";

/** What each kind of syntax is converted with. */
export type Conversion = {
  readonly source: string;
  textOf(node: SyntaxNode): string;
  /** As Python has it: `ｏs` is `os`. */
  nameOf(node: SyntaxNode): string;
  to(node: SyntaxNode): Node;
  /** All but punctuation. */
  all(nodes: readonly SyntaxNode[]): Node[];
};

export function kids(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** Punctuation and words of the language have their own text for a name; all else has a capital. */
export function isPunctuation({ name }: SyntaxNode): boolean {
  const first = name.charCodeAt(0);
  return !(first >= 65 && first <= 90) || SIGNS.has(name);
}

const SIGNS = new Set(["AssignOp", "UpdateOp", "ArithOp", "CompareOp", "BitOp", "At", "Comment"]);

export function split(nodes: readonly SyntaxNode[], sign: string): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === sign) groups.push([]);
    else if (
      node.name !== "(" &&
      node.name !== ")" &&
      node.name !== "{" &&
      node.name !== "}" &&
      node.name !== "Comment"
    )
      groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
}

export function set(target: Node, value: Node | undefined): AssignNode {
  return { kind: "assign", at: target.at, target, value, declares: "function" };
}

export function other(at: number, parts: readonly Node[] = []): Node {
  return { kind: "other", at, parts };
}

/** Without a text: one that nobody knows. */
export function toTextNode(
  at: number,
  read: { readonly text: string; readonly isBuilt: boolean } | undefined,
): Node {
  return read ? { kind: "text", at, ...read } : other(at);
}

export function onlyOne(at: number, parts: readonly Node[]): Node {
  const [only] = parts;
  return only && parts.length === 1 ? only : other(at, [...parts, other(at)]);
}

/** Letters that Python takes for others: `𝘦val` is `eval`. */
export function isOdd(name: string): boolean {
  return name.normalize("NFKC") !== name;
}
