import { type Direction, furtherKeys } from "../schema/object-keys.ts";
import {
  type ObjectNode,
  type Property,
  type TupleNode,
  type TypeNode,
  toPrimitive,
  toUnion,
  UNKNOWN,
} from "../schema/type-tree.ts";
import { toCommentLine, toOneLine, toTypeScriptString } from "./doc-text.ts";
import { isAsciiIdentifier } from "./identifiers.ts";
import type { PrintBudget } from "./print-budget.ts";
import type { TypeNames } from "./type-names.ts";

export type TypeScriptContext = {
  readonly direction: Direction;
  readonly names: TypeNames;
  readonly budget: PrintBudget;
};

const MAX_LINE = 100;
const MAX_PROPERTY_DOC = 1000;

/** A type expression; lines after the first are indented by `indent`. */
export function toTypeScriptType(node: TypeNode, context: TypeScriptContext, indent = ""): string {
  if (!context.budget.enter()) return "unknown";
  const text = nodeText(node, context, indent);
  context.budget.leave();
  return text;
}

function nodeText(node: TypeNode, context: TypeScriptContext, indent: string): string {
  switch (node.kind) {
    case "unknown":
    case "never":
      return node.kind;
    case "primitive":
      return node.name === "integer" ? "number" : node.name;
    case "literal":
      return typeof node.value === "string" ? toTypeScriptString(node.value) : String(node.value);
    case "array":
      return `${inArray(node.items, context, indent)}[]`;
    case "tuple":
      return tupleText(node, context, indent);
    case "object":
      return objectText(node, context, indent);
    case "union":
      return node.members.map((member) => inUnion(member, context, indent)).join(" | ");
    case "intersection":
      return node.members.map((member) => inArray(member, context, indent)).join(" & ");
    case "reference":
      return isSmall(node.target.type)
        ? toTypeScriptType(node.target.type, context, indent)
        : context.names.nameOf(node.target);
  }
}

/** `interface` where it can say it, since that is what models and editors show best. */
export function toTypeScriptDeclaration(
  name: string,
  node: TypeNode,
  context: TypeScriptContext,
  doc = true,
): string {
  if (node.kind !== "object" || (node.properties.length === 0 && node.extra !== "closed")) {
    return `type ${name} = ${toTypeScriptType(node, context)};`;
  }
  const lines = memberLines(node, context, "", doc);
  return lines.length === 0
    ? `type ${name} = Record<string, never>;`
    : `interface ${name} {\n${lines.join("\n")}\n}`;
}

/** Types that are shorter than a name for them. */
function isSmall(node: TypeNode): boolean {
  return (
    node.kind === "primitive" || node.kind === "unknown" || node.kind === "never" || node.kind === "literal"
  );
}

function inUnion(node: TypeNode, context: TypeScriptContext, indent: string): string {
  const text = toTypeScriptType(node, context, indent);
  return node.kind === "intersection" ? `(${text})` : text;
}

function inArray(node: TypeNode, context: TypeScriptContext, indent: string): string {
  const text = toTypeScriptType(node, context, indent);
  return node.kind === "union" || node.kind === "intersection" ? `(${text})` : text;
}

function tupleText(node: TupleNode, context: TypeScriptContext, indent: string): string {
  const items = node.items.map((item, index) =>
    index < node.required ? toTypeScriptType(item, context, indent) : `${inArray(item, context, indent)}?`,
  );
  if (node.rest !== undefined) items.push(`...${inArray(node.rest, context, indent)}[]`);
  return `[${items.join(", ")}]`;
}

function objectText(node: ObjectNode, context: TypeScriptContext, indent: string): string {
  const lines = memberLines(node, context, indent, true);
  if (lines.length === 0) return "Record<string, never>";
  if (node.properties.length === 0 && furtherKeys(node, context.direction)?.kind === "unknown") {
    return "Record<string, unknown>";
  }
  const flat = `{ ${lines.map((line) => line.trim().replace(/;$/, "")).join("; ")} }`;
  const isFlat =
    flat.length <= MAX_LINE && !lines.some((line) => line.includes("\n") || line.includes("/**"));
  return isFlat ? flat : `{\n${lines.join("\n")}\n${indent}}`;
}

function memberLines(node: ObjectNode, context: TypeScriptContext, indent: string, doc: boolean): string[] {
  const inner = `${indent}  `;
  const lines: string[] = [];
  for (const property of node.properties) {
    const text = doc ? toOneLine(property.doc, MAX_PROPERTY_DOC) : "";
    if (text !== "") lines.push(`${inner}/** ${toCommentLine(text)} */`);
    const type = isInherited(property)
      ? `${inUnion(property.type, context, inner)} | Object[${toTypeScriptString(property.name)}]`
      : toTypeScriptType(property.type, context, inner);
    lines.push(`${inner}${propertyKey(property)}: ${type};`);
  }
  const keys = furtherKeys(node, context.direction);
  if (keys !== undefined) {
    const text = toTypeScriptType(indexType(keys, node.properties), context, inner);
    const hasOptional = node.properties.some((property) => !property.required);
    lines.push(`${inner}[key: string]: ${hasOptional && text !== "unknown" ? `${text} | undefined` : text};`);
  }
  return lines;
}

/** An index signature speaks for the named properties too, so it has to admit them; long ones it does not repeat. */
function indexType(keys: TypeNode, properties: readonly Property[]): TypeNode {
  const types = properties.map((property) => widen(property.type));
  const isShort =
    !properties.some(isInherited) &&
    types.every((type) => (type.kind === "union" ? type.members : [type]).every(isPlain));
  return isShort ? toUnion([keys, ...types]) : UNKNOWN;
}

function isPlain(node: TypeNode): boolean {
  return isSmall(node) || (node.kind === "array" && isSmall(node.items)) || node.kind === "reference";
}

/** Literals in an index signature would only repeat the properties. */
function widen(node: TypeNode): TypeNode {
  if (node.kind === "union") return toUnion(node.members.map(widen));
  if (node.kind !== "literal") return node;
  const type = typeof node.value;
  return type === "string" || type === "boolean" ? toPrimitive(type) : toPrimitive("number");
}

const OBJECT_MEMBERS = new Set(
  "constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable".split(" "),
);

/** To TypeScript every object has these already, so an optional one has to admit what is inherited. */
function isInherited(property: Property): boolean {
  return !property.required && OBJECT_MEMBERS.has(property.name);
}

function propertyKey(property: Property): string {
  const isBare = isAsciiIdentifier(property.name) && property.name !== "__proto__";
  return `${isBare ? property.name : toTypeScriptString(property.name)}${property.required ? "" : "?"}`;
}
