import type { SyntaxNode } from "@lezer/common";
import { childNodes } from "../syntax-nodes.ts";

/** How a function of a skill is called. */
export type CallSignature = {
  readonly name: string;
  readonly params: readonly CallParam[];
  /** As it is shown: one line. */
  readonly text: string;
};

export type CallParam = {
  readonly name: string;
  /** `place`: by place alone, `name`: by name alone, `rest`: `*args`, `names`: `**options`. */
  readonly kind: "either" | "place" | "name" | "rest" | "names";
  readonly isOptional: boolean;
  readonly annotation?: SyntaxNode;
};

const MAX_TEXT = 600;
const MAX_DEFAULT = 60;

/** @param definition a `FunctionDefinition` */
export function readSignature(definition: SyntaxNode, text: string): CallSignature {
  const name = textOf(definition.getChild("VariableName"), text);
  const list = definition.getChild("ParamList");
  const params = list ? toParams(list, text) : [];
  const isAsync = definition.firstChild?.name === "async";
  const result = textOf(definition.getChild("TypeDef"), text).replace(/^\s*->\s*/, "");
  const shown = `${isAsync ? "async " : ""}def ${name}${toParamText(list, text)}${result && ` -> ${result}`}`;
  return { name, params, text: inOneLine(shown, MAX_TEXT) };
}

/** The parameters as they are written, without comments and long defaults. */
export function toParamText(list: SyntaxNode | null, text: string, withoutFirst = false): string {
  const groups = list ? toGroups(list, text) : [];
  const shown = groups.map(({ nodes, hasSlash }) => {
    if (hasSlash) return "/";
    const sign = nodes.findIndex(({ name }) => name === "AssignOp");
    const [first, last, value] = [nodes[0], nodes.at(-1), nodes[sign + 1]];
    if (!first || !last) return "";
    const whole = text.slice(first.from, last.to);
    if (sign === -1 || !value || value.to - value.from <= MAX_DEFAULT) return whole;
    return `${text.slice(first.from, value.from)}…`;
  });
  return `(${shown.slice(withoutFirst ? 1 : 0).join(", ")})`;
}

export function inOneLine(text: string, most: number): string {
  const line = text.replace(/\s*#[^\n]*\n/g, "\n").replace(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function toParams(list: SyntaxNode, text: string): CallParam[] {
  const params: CallParam[] = [];
  let kind: CallParam["kind"] = "either";
  for (const { nodes, hasSlash } of toGroups(list, text)) {
    if (hasSlash) {
      for (const [at, param] of params.entries()) params[at] = { ...param, kind: "place" };
      continue;
    }
    const [first] = nodes;
    const name = nodes.find((node) => node.name === "VariableName");
    const annotation = nodes.find((node) => node.name === "TypeDef")?.lastChild;
    const own = { name: textOf(name ?? null, text), ...(annotation && { annotation }) };
    if (first?.name === "*") {
      kind = "name";
      if (name) params.push({ ...own, kind: "rest", isOptional: true });
    } else if (first?.name === "**") params.push({ ...own, kind: "names", isOptional: true });
    else if (name) params.push({ ...own, kind, isOptional: nodes.some((node) => node.name === "AssignOp") });
  }
  return params;
}

type Group = { readonly nodes: readonly SyntaxNode[]; readonly hasSlash: boolean };

/** What stands between commas. The grammar has no node for `/`. */
function toGroups(list: SyntaxNode, text: string): Group[] {
  const groups: { nodes: SyntaxNode[]; from: number; to: number }[] = [];
  let nodes: SyntaxNode[] = [];
  let from = list.from + 1;
  for (const node of childNodes(list)) {
    if (node.name === "," || node.name === ")") {
      groups.push({ nodes, from, to: node.from });
      nodes = [];
      from = node.to;
    } else if (node.name !== "(" && node.name !== "Comment") nodes.push(node);
  }
  return groups
    .map((group) => ({
      nodes: group.nodes,
      hasSlash:
        group.nodes.every(({ type }) => type.isError) && /^\s*\/\s*$/.test(text.slice(group.from, group.to)),
    }))
    .filter(({ nodes: kept, hasSlash }) => hasSlash || kept.length > 0);
}

function textOf(node: SyntaxNode | null, text: string): string {
  return node ? text.slice(node.from, node.to).normalize("NFKC") : "";
}
