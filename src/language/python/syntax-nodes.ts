import type { SyntaxNode, Tree } from "@lezer/common";

export function childNodes(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** Every node of a tree, from the outside in. Not by recursion: a program can be as deep as it is long. */
export function* everyNode(tree: Tree): Generator<SyntaxNode> {
  const cursor = tree.cursor();
  do yield cursor.node;
  while (cursor.next());
}

const INNER = new Set(["FunctionDefinition", "LambdaExpression", "ClassDefinition"]);

/** Those that are no part of a function or a class. */
export function* outerNodes(tree: Tree): Generator<SyntaxNode> {
  const cursor = tree.cursor();
  do yield cursor.node;
  while (cursor.next(!INNER.has(cursor.name)));
}

/** What a bracket holds, or what `await` waits for: the value is the same. */
export function bareNode(node: SyntaxNode): SyntaxNode {
  let bare = node;
  while (bare.name === "ParenthesizedExpression" || bare.name === "AwaitExpression") {
    const inner = childNodes(bare).filter(({ name }) => !SHELL.has(name));
    const [only] = inner;
    if (only === undefined || inner.length > 1) return bare;
    bare = only;
  }
  return bare;
}

const SHELL = new Set(["(", ")", "await", "Comment"]);

/** The innermost node of this kind around another. */
export function nodeAround(node: SyntaxNode, names: ReadonlySet<string>): SyntaxNode | undefined {
  for (let at = node.parent; at; at = at.parent) if (names.has(at.name)) return at;
  return undefined;
}

/** `b` of `a.b`; nothing of `a[b]`. */
export function propertyName(member: SyntaxNode): SyntaxNode | undefined {
  const last = member.lastChild;
  return last?.name === "PropertyName" ? last : undefined;
}

/** `b` of `a[b]`; nothing of `a.b`, `a[b:c]` and `a[b, c]`. */
export function indexNode(member: SyntaxNode): SyntaxNode | undefined {
  const [, open, index, close, ...rest] = childNodes(member);
  return open?.name === "[" && close?.name === "]" && rest.length === 0 ? index : undefined;
}

export type CallArguments = {
  readonly positional: readonly SyntaxNode[];
  readonly keywords: readonly KeywordArgument[];
  /** `*a`, or one expression with a `for` in it. */
  readonly hasMore: boolean;
  /** `**a` */
  readonly hasMoreKeywords: boolean;
};
export type KeywordArgument = { readonly name: SyntaxNode; readonly value: SyntaxNode };

export function callArguments(call: SyntaxNode): CallArguments {
  const positional: SyntaxNode[] = [];
  const keywords: KeywordArgument[] = [];
  let hasMore = false;
  let hasMoreKeywords = false;
  const list = call.getChild("ArgList");
  for (const part of list ? splitAtCommas(childNodes(list)) : []) {
    const [first, sign, value] = part;
    if (first === undefined) continue;
    if (first.name === "*" || sign?.name === "for" || sign?.name === "async") hasMore = true;
    else if (first.name === "**") hasMoreKeywords = true;
    else if (sign?.name === "AssignOp" && value !== undefined) keywords.push({ name: first, value });
    else positional.push(first);
  }
  return { positional, keywords, hasMore, hasMoreKeywords };
}

const BRACKETS = new Set(["(", ")", "[", "]", "{", "}", "Comment"]);

/** What stands between commas, without the brackets around all of it. */
export function splitAtCommas(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]];
  for (const node of nodes) {
    if (node.name === ",") groups.push([]);
    else if (!BRACKETS.has(node.name)) groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
}
