import type { SyntaxNode } from "@lezer/common";
import { isReliable } from "../../../codegen/print/response-type.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { readString } from "../facts/read-string.ts";
import { indexNode, nodeAround, propertyName } from "../syntax-nodes.ts";
import type { CheckedPython, PythonMistake } from "./check-python.ts";
import { absentKey } from "./result-types.ts";

/** What every dict has. */
const DICT_METHODS = new Set(
  "clear copy fromkeys get items keys pop popitem setdefault update values".split(" "),
);
const TRIED = new Set(["TryStatement"]);
const MAX_NAME = 100;
/** More are not looked for. */
const MAX_FOUND = 20;

/** Keys that the result of a tool does not have. Most types of results are open, so most of these are told, and no more. */
export function findWrongResults({ nodes, meanings, parsed }: CheckedPython): PythonMistake[] {
  const { of, textOf } = meanings;
  const given = findGivenKeys();
  const found: PythonMistake[] = [];
  for (const node of nodes) {
    if (found.length >= MAX_FOUND) break;
    if (node.name !== "MemberExpression" || !node.firstChild || isTarget(node)) continue;
    const key = keyOf(node);
    const from = key === undefined ? undefined : of(node.firstChild);
    if (from?.kind !== "result" || key === undefined || given.has(key.name)) continue;
    const absent = absentKey(from.type, key.name);
    if (absent === undefined || isAsked(key.name)) continue;
    const { server, tool } = from;
    const names = absent.object.properties.map(({ name }) => name);
    const isSure = absent.isClosed && isReliable(tool) && nodeAround(node, TRIED) === undefined;
    const hint = didYouMean(key.name, names) ?? `It has ${names.slice(0, 12).join(", ")}`;
    const whose = `the ${tool.observed ? "observed" : "declared"} result of ${server.identifiers.python}.${tool.identifiers.python}`;
    found.push({
      node: key.node,
      message: `'${shorten(key.name)}' is not in ${whose}`,
      hint,
      ...(isSure ? { tool: { server, tool }, isOfResult: true } : { isHint: true }),
    });
  }
  return found;

  function keyOf(node: SyntaxNode): { readonly name: string; readonly node: SyntaxNode } | undefined {
    const property = propertyName(node);
    if (property) {
      const name = textOf(property);
      return DICT_METHODS.has(name) || name.startsWith("_") ? undefined : { name, node: property };
    }
    const index = indexNode(node);
    return index?.name === "String" ? { name: readString(textOf(index)).text, node: index } : undefined;
  }

  /** `r["score"] = 1`: what the program puts in is there. */
  function findGivenKeys(): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const node of nodes) {
      const key = node.name === "MemberExpression" && isTarget(node) ? keyOf(node) : undefined;
      if (key) keys.add(key.name);
    }
    return keys;
  }

  /** `"score" in r`, `hasattr(r, "score")`: who asks first may name what is not there. */
  function isAsked(name: string): boolean {
    const quotes = [`"${name}"`, `'${name}'`];
    return quotes.some(
      (quoted) => parsed.text.includes(`${quoted} in `) || parsed.text.includes(`, ${quoted})`),
    );
  }
}

function isTarget(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent?.name === "DeleteStatement") return true;
  if (parent?.name !== "AssignStatement" && parent?.name !== "UpdateStatement") return false;
  for (let next = node.nextSibling; next; next = next.nextSibling)
    if (next.name === "AssignOp" || next.name === "UpdateOp") return true;
  return false;
}

function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
