import type { SyntaxNode } from "@lezer/common";
import type { ParsedPython } from "../parse-python.ts";
import { childNodes, everyNode, nodeAround, splitAtCommas } from "../syntax-nodes.ts";

/** A place where Python would say no. */
export type SyntaxBreach = { readonly at: number; readonly message: string; readonly hint?: string };

const FUNCTIONS = new Set(["FunctionDefinition", "LambdaExpression"]);

/**
 * The grammar is made for editors, and takes more than Python does. Of that, what models get wrong: it is said before anything
 * runs, with what to write. The rest Python itself finds, in the sandbox, before it begins with the program.
 * @param isModule it is a skill, and no program: there is nobody to return to
 */
export function findBreach({ tree, text }: ParsedPython, isModule = false): SyntaxBreach | undefined {
  for (const node of everyNode(tree)) {
    const breach = breachOf(node, text) ?? (isModule ? returnOf(node) : undefined);
    if (breach !== undefined) return breach;
  }
  return undefined;
}

function breachOf(node: SyntaxNode, text: string): SyntaxBreach | undefined {
  switch (node.name) {
    case "PrintStatement":
      return { at: node.from, message: "print is a function", hint: "Write print(…)" };
    case "Script":
    case "Body":
      return wrongIndent(node, text);
    case "ArgList":
      return node.parent?.name === "CallExpression" ? wrongOrder(node, text) : undefined;
    case "AwaitExpression":
      return awaitInPlain(node, node.from);
    case "ForStatement":
    case "WithStatement":
      return node.firstChild?.name === "async" ? awaitInPlain(node, node.from) : undefined;
    default:
      return undefined;
  }
}

function returnOf(node: SyntaxNode): SyntaxBreach | undefined {
  if (node.name !== "ReturnStatement" || nodeAround(node, FUNCTIONS)) return undefined;
  const hint = "A skill is a module: put what it does into a function, which programs import";
  return { at: node.from, message: "return stands outside of a function", hint };
}

/** The statements of a block begin in one column. Where there are tabs, Python is asked. */
function wrongIndent(block: SyntaxNode, text: string): SyntaxBreach | undefined {
  let expected = block.name === "Script" ? 0 : undefined;
  for (const statement of childNodes(block)) {
    if (statement.name === "Comment" || statement.name === ":" || statement.name === ";") continue;
    const start = text.lastIndexOf("\n", statement.from - 1) + 1;
    const before = text.slice(start, statement.from);
    if (!/^ *$/.test(before)) continue;
    expected ??= before.length;
    if (before.length === expected) continue;
    if (before.length > expected)
      return { at: statement.from, message: "This line is indented more than the block it is in" };
    return { at: statement.from, message: "This line is indented like no block around it" };
  }
  return undefined;
}

function wrongOrder(list: SyntaxNode, text: string): SyntaxBreach | undefined {
  const names = new Set<string>();
  for (const [first, sign] of splitAtCommas(childNodes(list))) {
    if (first === undefined) continue;
    if (sign?.name === "AssignOp") {
      const name = text.slice(first.from, first.to);
      if (names.has(name))
        return { at: first.from, message: `The argument '${name.slice(0, 100)}' is given twice` };
      names.add(name);
    } else if (names.size > 0 && first.name !== "*" && first.name !== "**")
      return {
        at: first.from,
        message: "An argument without a name stands behind one with a name",
        hint: "Name it too, or put it first",
      };
  }
  return undefined;
}

/** At the top of a program `await` is right; in a function, where that is `async`. */
function awaitInPlain(node: SyntaxNode, at: number): SyntaxBreach | undefined {
  const around = nodeAround(node, FUNCTIONS);
  if (around === undefined || around.firstChild?.name === "async") return undefined;
  if (around.name === "LambdaExpression")
    return { at, message: "A lambda can't await", hint: "Write an async def" };
  return {
    at,
    message: "await stands in a function that is not async",
    hint: "Write async def, or leave await out: tools can be called without it",
  };
}
