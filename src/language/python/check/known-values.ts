import type { SyntaxNode } from "@lezer/common";
import { readString } from "../facts/read-string.ts";
import { bareNode, callArguments, childNodes, splitAtCommas } from "../syntax-nodes.ts";
import type { PythonBindings } from "./bindings.ts";
import type { PythonMeanings } from "./meanings.ts";

/** What is known of an argument's value without running the program. What is not known may be anything. */
export type WrittenValue =
  | { readonly kind: "unknown" }
  | { readonly kind: "none" }
  /** Without a text, a number: one that is computed. */
  | { readonly kind: "text"; readonly text?: string }
  | { readonly kind: "number"; readonly value?: number; readonly isWhole: boolean }
  | { readonly kind: "boolean"; readonly value?: boolean }
  | { readonly kind: "list"; readonly items?: readonly SyntaxNode[] }
  | { readonly kind: "dict"; readonly entries?: readonly DictEntry[]; readonly hasMore: boolean }
  /** One of two. */
  | { readonly kind: "either"; readonly options: readonly SyntaxNode[] };

export type DictEntry = { readonly key: string; readonly at: SyntaxNode; readonly value: SyntaxNode };

const UNKNOWN_VALUE: WrittenValue = { kind: "unknown" };
const MADE_BY: ReadonlyMap<string, WrittenValue> = new Map<string, WrittenValue>([
  ["str", { kind: "text" }],
  ["repr", { kind: "text" }],
  ["len", { kind: "number", isWhole: true }],
  ["int", { kind: "number", isWhole: true }],
  ["bool", { kind: "boolean" }],
  ["list", { kind: "list" }],
  ["sorted", { kind: "list" }],
  ["dict", { kind: "dict", hasMore: true }],
]);

export function createWrittenValues(
  { constantOf, textOf }: PythonMeanings,
  bindings: PythonBindings,
): (node: SyntaxNode) => WrittenValue {
  return (node) => of(bareNode(node), true);

  function of(node: SyntaxNode, follows: boolean): WrittenValue {
    switch (node.name) {
      case "String":
        return isBytes(node) ? UNKNOWN_VALUE : { kind: "text", text: readString(textOf(node)).text };
      case "FormatString":
        return { kind: "text" };
      case "ContinuedString":
        return childNodes(node).every((part) => part.name !== "String" || !isBytes(part))
          ? joined(node)
          : UNKNOWN_VALUE;
      case "Number":
        return toNumber(textOf(node));
      case "UnaryExpression":
        return negative(node);
      case "Boolean":
        return { kind: "boolean", value: textOf(node) === "True" };
      case "None":
        return { kind: "none" };
      case "ArrayExpression":
      case "TupleExpression":
        return toList(node);
      case "ArrayComprehensionExpression":
        return { kind: "list" };
      case "DictionaryExpression":
        return toDict(node);
      case "DictionaryComprehensionExpression":
        return { kind: "dict", hasMore: true };
      case "ConditionalExpression": {
        const [value, , , , otherwise] = childNodes(node);
        return value && otherwise ? { kind: "either", options: [value, otherwise] } : UNKNOWN_VALUE;
      }
      case "CallExpression":
        return made(node);
      case "VariableName":
        return follows ? named(node) : UNKNOWN_VALUE;
      default:
        return UNKNOWN_VALUE;
    }
  }

  function isBytes(node: SyntaxNode): boolean {
    return /^[a-z]*b/i.test(textOf(node).slice(0, 3).split(/["']/)[0] ?? "");
  }

  function joined(node: SyntaxNode): WrittenValue {
    const parts = childNodes(node);
    if (parts.some(({ name }) => name !== "String")) return { kind: "text" };
    return { kind: "text", text: parts.map((part) => readString(textOf(part)).text).join("") };
  }

  function negative(node: SyntaxNode): WrittenValue {
    const [sign, operand] = childNodes(node);
    if (sign && textOf(sign) === "not") return { kind: "boolean" };
    const value = sign && operand && textOf(sign) === "-" ? of(operand, false) : UNKNOWN_VALUE;
    return value.kind === "number" && value.value !== undefined
      ? { ...value, value: -value.value }
      : UNKNOWN_VALUE;
  }

  function toList(node: SyntaxNode): WrittenValue {
    const parts = splitAtCommas(childNodes(node));
    if (parts.some((part) => part.length !== 1)) return { kind: "list" };
    return { kind: "list", items: parts.flat() };
  }

  function toDict(node: SyntaxNode): WrittenValue {
    const entries: DictEntry[] = [];
    let hasMore = false;
    for (const [key, sign, value] of splitAtCommas(childNodes(node))) {
      if (key?.name === "String" && sign?.name === ":" && value !== undefined)
        entries.push({ key: readString(textOf(key)).text, at: key, value });
      else hasMore = true;
    }
    return { kind: "dict", entries, hasMore };
  }

  /** `str(x)`, `dict(a=1)`. */
  function made(node: SyntaxNode): WrittenValue {
    const callee = node.firstChild;
    if (callee?.name !== "VariableName" || bindings.of(textOf(callee)).length > 0) return UNKNOWN_VALUE;
    const name = textOf(callee);
    if (name !== "dict") return MADE_BY.get(name) ?? UNKNOWN_VALUE;
    const { positional, keywords, hasMore, hasMoreKeywords } = callArguments(node);
    const entries = keywords.map((one) => ({ key: textOf(one.name), at: one.name, value: one.value }));
    return { kind: "dict", entries, hasMore: positional.length > 0 || hasMore || hasMoreKeywords };
  }

  /** A constant keeps its value; a list and a dict may be given others. */
  function named(node: SyntaxNode): WrittenValue {
    const value = constantOf(node);
    const written = value ? of(value, false) : UNKNOWN_VALUE;
    if (written.kind === "list") return { kind: "list" };
    if (written.kind === "dict") return { kind: "dict", hasMore: true };
    return written.kind === "either" ? UNKNOWN_VALUE : written;
  }
}

function toNumber(written: string): WrittenValue {
  const text = written.replaceAll("_", "").toLowerCase();
  const value = Number(text);
  if (Number.isNaN(value) || text.endsWith("j")) return { kind: "unknown" };
  return { kind: "number", value, isWhole: Number.isInteger(value) };
}
