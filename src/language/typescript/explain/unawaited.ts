import { isNode, type SyntaxNode, syntaxChild, syntaxChildren, textOf } from "../prepare/syntax-path.ts";

/** A promise that is used as if it were its value, where TypeScript has no objection. */
export type Unawaited = { readonly node: SyntaxNode; readonly why: string };

/** Methods that act on what their callback answers at once: a promise is always true. */
const ASKING = new Set(["filter", "find", "findIndex", "findLast", "findLastIndex", "some", "every", "sort"]);
/** Functions that make a text of a value, or show it. */
const SHOWING = /^(?:JSON\.stringify|String|Number|console\.\w+)$/;
const TESTED = new Set(["IfStatement", "ConditionalExpression", "WhileStatement", "UnaryExpression"]);

/** Looks at every call: those of tools, which give promises, and those with an async callback. */
export function findUnawaited(
  root: SyntaxNode,
  source: string,
  isTool: (callee: SyntaxNode) => boolean,
): Unawaited[] {
  const found: Unawaited[] = [];
  const open: { readonly node: SyntaxNode; readonly parent: SyntaxNode | undefined }[] = [
    { node: root, parent: undefined },
  ];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { node, parent } = step;
    if (node.type === "CallExpression") {
      const callee = syntaxChild(node, "callee");
      const isCall = callee !== undefined && isTool(callee);
      if (isCall && isUsedAsValue(node, parent, source))
        found.push({ node, why: "is a promise: an await is missing" });
      const asking = isCall ? undefined : askingMethod(node);
      if (asking !== undefined) found.push({ node: asking, why: ALWAYS_TRUE });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) open.push({ node: child, parent: node });
    }
  }
  return found.sort((a, b) => a.node.start - b.node.start);
}

const ALWAYS_TRUE =
  "gets promises from its async callback, which are always true: await them first, by Promise.all";

function isUsedAsValue(call: SyntaxNode, parent: SyntaxNode | undefined, source: string): boolean {
  if (parent === undefined) return false;
  if (parent.type === "TemplateLiteral" || parent.type === "BinaryExpression") return true;
  if (TESTED.has(parent.type)) return syntaxChild(parent, "test") === call || isNegation(parent);
  const callee = parent.type === "CallExpression" ? syntaxChild(parent, "callee") : undefined;
  return callee !== undefined && callee !== call && SHOWING.test(source.slice(callee.start, callee.end));
}

function isNegation(node: SyntaxNode): boolean {
  return "operator" in node && node.operator === "!";
}

/** The `filter` of `rows.filter(async …)`. */
function askingMethod(call: SyntaxNode): SyntaxNode | undefined {
  const method = syntaxChild(syntaxChild(call, "callee"), "property");
  const [callback] = syntaxChildren(call, "arguments");
  const isAsync = callback !== undefined && "async" in callback && callback.async === true;
  return isAsync && ASKING.has(textOf(method) ?? "") ? method : undefined;
}
