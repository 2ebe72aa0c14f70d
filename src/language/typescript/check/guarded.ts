import { type SyntaxNode, syntaxChild, textOf } from "../prepare/syntax-path.ts";

/**
 * Whether a program that reads a field asks first whether it is there, or names another one for when it is not:
 * `r.content ?? r.text`, `r.items || r`, `"items" in r ? r.items : r`, `if (r.error) throw r.error`. Where a result is not
 * sure, that is the right way to write it.
 */
export function isGuarded(
  path: readonly SyntaxNode[],
  source: string,
  isWrong: (node: SyntaxNode) => boolean,
): boolean {
  const at = path.findLastIndex(({ type }) => type === "MemberExpression");
  const member = path[at];
  if (member === undefined) return false;
  const text = textAt(member, source);
  const object = textAt(syntaxChild(member, "object"), source);
  const property = textOf(syntaxChild(member, "property")) ?? "";
  let inner = member;
  for (const node of path.slice(0, at).toReversed()) {
    if (isAlternative(node, inner, isWrong)) return true;
    const test = testOf(node);
    // What is only asked for its truth may well not be there.
    if (test !== undefined && bare(test) === member) return true;
    if (test !== undefined && test !== inner && asksFor(textAt(test, source), text, object, property))
      return true;
    if (node.type.includes("Function")) break;
    inner = node;
  }
  return false;
}

/** One side of `??` or `||` whose other side is there. A literal is no other name: `r.itmes ?? []` is always empty. */
function isAlternative(node: SyntaxNode, inner: SyntaxNode, isWrong: (node: SyntaxNode) => boolean): boolean {
  if (node.type !== "LogicalExpression" || !("operator" in node) || node.operator === "&&") return false;
  const [left, right] = [syntaxChild(node, "left"), syntaxChild(node, "right")];
  const other = bare(left) === bare(inner) ? right : left;
  return operands(other).some(
    (one) => /^(?:MemberExpression|Identifier|CallExpression)$/.test(one.type) && !isWrong(one),
  );
}

function operands(node: SyntaxNode | undefined): SyntaxNode[] {
  const plain = bare(node);
  if (plain === undefined) return [];
  if (plain.type !== "LogicalExpression") return [plain];
  return [...operands(syntaxChild(plain, "left")), ...operands(syntaxChild(plain, "right"))];
}

function testOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") return syntaxChild(node, "test");
  if (node.type === "LogicalExpression" && "operator" in node && node.operator === "&&")
    return syntaxChild(node, "left");
  return undefined;
}

/** `Array.isArray(r)` and `typeof r` ask what the whole is; from then on it may be anything. */
function asksFor(test: string, text: string, object: string, property: string): boolean {
  if (mentions(test, text) || test.includes(`Array.isArray(${object})`) || mentions(test, `typeof ${object}`))
    return true;
  return mentions(test, ` in ${object}`) && test.includes(property);
}

/** Whether a text has another in it whose last word ends there: `r.items` does not ask for `r.item`. */
function mentions(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!/^[\p{ID_Continue}$]/u.test(text.slice(at + part.length, at + part.length + 2))) return true;
  }
  return false;
}

/** Without parentheses, `!`, and the shell of an optional chain. */
function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  for (;;) {
    if (inner?.type === "ParenthesizedExpression" || inner?.type === "ChainExpression")
      inner = syntaxChild(inner, "expression");
    else if (inner?.type === "UnaryExpression" && "operator" in inner && inner.operator === "!")
      inner = syntaxChild(inner, "argument");
    else return inner;
  }
}

function textAt(node: SyntaxNode | undefined, source: string): string {
  return node === undefined
    ? ""
    : source.slice(node.start, node.end).replace(/\?\.(?=[\p{ID_Start}_$])/gu, ".");
}
