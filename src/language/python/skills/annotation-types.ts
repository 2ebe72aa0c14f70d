import type { SyntaxNode } from "@lezer/common";
import { ANY_OBJECT, type TypeNode, toPrimitive, toUnion, UNKNOWN } from "../../../schema/type-tree.ts";
import { readString } from "../facts/read-string.ts";
import { childNodes, propertyName, splitAtCommas } from "../syntax-nodes.ts";

const MAX_DEPTH = 8;
const NAMES: ReadonlyMap<string, TypeNode> = new Map<string, TypeNode>([
  ["str", toPrimitive("string")],
  ["int", toPrimitive("integer")],
  ["float", toPrimitive("number")],
  ["bool", toPrimitive("boolean")],
  ["dict", ANY_OBJECT],
  ["Dict", ANY_OBJECT],
  ["list", { kind: "array", items: UNKNOWN }],
  ["List", { kind: "array", items: UNKNOWN }],
]);
/** With what they hold in brackets. Others take what looks like them, too: an Iterable may be a text. */
const LISTS = new Set(["list", "List"]);
const DICTS = new Set(["dict", "Dict"]);

/** What an annotation allows, as far as its words say it; anything where they don't. */
export function toAnnotationType(node: SyntaxNode, text: string, depth = 0): TypeNode {
  if (depth > MAX_DEPTH) return UNKNOWN;
  switch (node.name) {
    case "VariableName":
      return NAMES.get(textOf(node)) ?? UNKNOWN;
    case "None":
      return toPrimitive("null");
    case "ParenthesizedExpression":
      return ofAll(childNodes(node).filter(({ name }) => name !== "(" && name !== ")"));
    // `"str"`, for what is declared later.
    case "String":
      return NAMES.get(readString(textOf(node)).text) ?? UNKNOWN;
    case "BinaryExpression": {
      const [left, sign, right] = childNodes(node);
      return left && right && sign && textOf(sign) === "|" ? ofAll([left, right]) : UNKNOWN;
    }
    case "MemberExpression":
      return ofMember(node);
    default:
      return UNKNOWN;
  }

  function textOf({ from, to }: SyntaxNode): string {
    return text.slice(from, to);
  }

  function ofAll(nodes: readonly SyntaxNode[]): TypeNode {
    return nodes.length === 0 ? UNKNOWN : toUnion(nodes.map((one) => toAnnotationType(one, text, depth + 1)));
  }

  /** `list[str]`, `typing.Optional[str]`, `Literal["a", "b"]`. */
  function ofMember(member: SyntaxNode): TypeNode {
    const property = propertyName(member);
    if (property) return NAMES.get(textOf(property)) ?? UNKNOWN;
    const owner = member.firstChild;
    if (!owner) return UNKNOWN;
    const name = textOf(propertyName(owner) ?? owner);
    const items = splitAtCommas(childNodes(member).slice(1)).flatMap(([item]) => item ?? []);
    if (LISTS.has(name)) return { kind: "array", items: ofAll(items) };
    if (DICTS.has(name)) return ANY_OBJECT;
    if (name === "Optional") return toUnion([ofAll(items), toPrimitive("null")]);
    if (name === "Union") return ofAll(items);
    if (name === "Annotated") return ofAll(items.slice(0, 1));
    return name === "Literal" ? toUnion(items.map(toChoice)) : UNKNOWN;
  }

  function toChoice(item: SyntaxNode): TypeNode {
    if (item.name === "String") return { kind: "literal", value: readString(textOf(item)).text };
    if (item.name === "Number" && Number.isSafeInteger(Number(textOf(item))))
      return { kind: "literal", value: Number(textOf(item)) };
    return item.name === "None" ? toPrimitive("null") : UNKNOWN;
  }
}
