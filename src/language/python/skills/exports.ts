import type { SyntaxNode, Tree } from "@lezer/common";
import type { SkillExport } from "../../skill-export.ts";
import { MAX_EXPORT_DESCRIPTION, MAX_EXPORTS } from "../../skills/skill-exports.ts";
import { readString } from "../facts/read-string.ts";
import { childNodes, splitAtCommas } from "../syntax-nodes.ts";
import { inOneLine, readSignature, toParamText } from "./signatures.ts";

const MAX_SIGNATURE = 600;
const MAX_VALUE = 100;
const BLOCKS = new Set(["TryStatement", "Body"]);
const MAX_DEPTH = 6;

/** What a module is there for: what `__all__` names, else what it declares without a line before the name. */
export function findPythonExports(tree: Tree, text: string): SkillExport[] {
  const declared = new Map<string, SkillExport>();
  for (const node of statements(tree.topNode)) {
    for (const one of toDeclared(node, text)) declared.set(one.name, one);
  }
  const listed = findListed(tree, text);
  const found = listed
    ? listed.map((name) => declared.get(name) ?? ({ name, kind: "value", signature: name } as const))
    : [...declared.values()].filter(({ name }) => !name.startsWith("_"));
  return found.slice(0, MAX_EXPORTS);
}

/** Of a module: also those within `try`. */
function statements(node: SyntaxNode, depth = 0): SyntaxNode[] {
  return childNodes(node).flatMap((child) =>
    BLOCKS.has(child.name) && depth < MAX_DEPTH ? statements(child, depth + 1) : [child],
  );
}

/** `__all__ = ["a", "b"]` */
export function findListed(tree: Tree, text: string): string[] | undefined {
  for (const node of childNodes(tree.topNode)) {
    if (node.name !== "AssignStatement" || textOf(node.firstChild, text) !== "__all__") continue;
    const list = node.lastChild;
    if (list?.name !== "ArrayExpression" && list?.name !== "TupleExpression") continue;
    return splitAtCommas(childNodes(list)).flatMap(([item]) =>
      item?.name === "String" ? [readString(textOf(item, text)).text] : [],
    );
  }
  return undefined;
}

function toDeclared(node: SyntaxNode, text: string): SkillExport[] {
  switch (node.name) {
    case "DecoratedStatement": {
      const inner = node.getChild("FunctionDefinition") ?? node.getChild("ClassDefinition");
      return inner ? toDeclared(inner, text) : [];
    }
    case "FunctionDefinition": {
      const { name, text: signature } = readSignature(node, text);
      return [{ name, kind: "function", signature, ...toDescription(node, text) }];
    }
    case "ClassDefinition":
      return [toClass(node, text)];
    case "AssignStatement":
      return toValues(node, text);
    default:
      return [];
  }
}

/** With what it is made with, where it says so. */
function toClass(node: SyntaxNode, text: string): SkillExport {
  const name = textOf(node.getChild("VariableName"), text);
  const body = node.getChild("Body");
  const maker = body
    ?.getChildren("FunctionDefinition")
    .find((one) => textOf(one.getChild("VariableName"), text) === "__init__");
  const bases = textOf(node.getChild("ArgList"), text);
  const params = maker ? toParamText(maker.getChild("ParamList"), text, true) : bases;
  const signature = inOneLine(`class ${name}${params}`, MAX_SIGNATURE);
  return { name, kind: "type", signature, ...toDescription(node, text) };
}

/** `a = 1`, `a: int = 1`, `a, b = 1, 2`. */
function toValues(node: SyntaxNode, text: string): SkillExport[] {
  const parts = childNodes(node);
  const sign = parts.findIndex(({ name }) => name === "AssignOp");
  const targets = parts
    .slice(0, sign === -1 ? undefined : sign)
    .filter(({ name }) => name === "VariableName");
  const [only] = targets;
  const isOne = only !== undefined && targets.length === 1;
  return targets.map((target) => {
    const name = textOf(target, text);
    const shown = isOne ? text.slice(target.from, node.to) : name;
    return { name, kind: "value", signature: inOneLine(shown, MAX_VALUE) };
  });
}

/** The first line of its docstring. */
function toDescription(node: SyntaxNode, text: string): { description?: string } {
  const [first] = childNodes(node.getChild("Body") ?? node).filter(
    ({ name }) => name !== ":" && name !== "Comment",
  );
  const written = first?.name === "ExpressionStatement" ? first.firstChild : null;
  if (written?.name !== "String") return {};
  const [line = ""] = readString(textOf(written, text)).text.trim().split("\n");
  const told = line.trim().slice(0, MAX_EXPORT_DESCRIPTION);
  return told === "" ? {} : { description: told };
}

function textOf(node: SyntaxNode | null | undefined, text: string): string {
  return node ? text.slice(node.from, node.to).normalize("NFKC") : "";
}
