import { type Direction, furtherKeys } from "../../schema/object-keys.ts";
import {
  type ObjectNode,
  type PrimitiveNode,
  type Property,
  type TupleNode,
  type TypeNode,
  toPrimitive,
  toUnion,
  UNKNOWN,
} from "../../schema/type-tree.ts";
import { toCommentLine, toOneLine, toTypeScriptString } from "../../text/doc-text.ts";
import { isAsciiIdentifier } from "../print/identifiers.ts";
import type { PrintBudget } from "../print/print-budget.ts";
import type { TypeNames } from "../print/type-names.ts";

export type TypeScriptContext = {
  readonly direction: Direction;
  readonly names: TypeNames;
  readonly budget: PrintBudget;
  /**
   * For checking programs rather than for reading: no documentation; what a result leaves open is `any`, so that it can
   * be used without a cast; and a result has only the fields that its schema names, so that a wrong one is found.
   */
  readonly forCheck?: true;
  /** For a list of functions, where every token counts. */
  readonly brief?: Brief;
};

/** How a type is shortened: `…` stands for what is left out, and required properties come first. */
export type Brief = {
  /** Whether properties stand on lines of their own, with their comments. */
  readonly comments: boolean;
  /** Levels of objects in objects that are shown. */
  readonly depth: number;
  /** Members of a union that are shown. */
  readonly members: number;
  /** Whether optional properties have their types. */
  readonly optionalTypes: boolean;
  onCut(): void;
};

const MAX_LINE = 100;
const MAX_PROPERTY_DOC = 1000;
/** Of a name or a value in a list of functions: one longer than this would be the whole list. */
const MAX_BRIEF_TEXT = 100;

/** A type expression; lines after the first are indented by `indent`. */
export function toTypeScriptType(node: TypeNode, context: TypeScriptContext, indent = ""): string {
  if (!context.budget.enter()) return cutText(context);
  const text = nodeText(node, context, indent);
  context.budget.leave();
  return text;
}

function nodeText(node: TypeNode, context: TypeScriptContext, indent: string): string {
  switch (node.kind) {
    case "unknown":
      return unknownText(context);
    case "never":
      return node.kind;
    case "primitive":
      return primitiveText(node, context);
    case "literal":
      if (typeof node.value !== "string") return String(node.value);
      return isTooLong(node.value, context) ? cutText(context) : toTypeScriptString(node.value);
    case "array":
      return `${inArray(node.items, context, indent)}[]`;
    case "tuple":
      return tupleText(node, context, indent);
    case "object":
      return objectText(node, context, indent);
    case "union":
      return membersText(node.members, context, (member) => inUnion(member, context, indent)).join(" | ");
    case "intersection":
      return membersText(node.members, context, (member) => inArray(member, context, indent)).join(" & ");
    case "reference":
      return isSmall(node.target.type)
        ? toTypeScriptType(node.target.type, context, indent)
        : context.names.nameOf(node.target);
  }
}

/** With values that are only likely, `string & {}` keeps editors from dropping them beside `string`. */
function primitiveText(
  { name, known, isConstant }: PrimitiveNode,
  { forCheck, brief }: TypeScriptContext,
): string {
  if (known === undefined || forCheck) return name === "integer" ? "number" : name;
  const others = isConstant ? [] : [brief ? name : `(${name} & {})`];
  return [...known.map(toTypeScriptString), ...others].join(" | ");
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

function unknownText(context: TypeScriptContext): string {
  return context.forCheck && context.direction === "output" ? "any" : "unknown";
}

function cutText(context: TypeScriptContext): string {
  context.brief?.onCut();
  return context.brief ? "…" : unknownText(context);
}

function isTooLong(text: string, { brief }: TypeScriptContext): boolean {
  return brief !== undefined && text.length > MAX_BRIEF_TEXT;
}

/** Types that are shorter than a name for them. */
function isSmall(node: TypeNode): boolean {
  return (
    node.kind === "primitive" || node.kind === "unknown" || node.kind === "never" || node.kind === "literal"
  );
}

function membersText(
  members: readonly TypeNode[],
  context: TypeScriptContext,
  toText: (member: TypeNode) => string,
): string[] {
  const most = context.brief?.members ?? members.length;
  const isLong = members.length > most + 1;
  const shown = isLong ? members.slice(0, most) : members;
  const texts = shown.map(toText);
  return [...texts, ...(isLong ? [cutText(context)] : [])];
}

function inUnion(node: TypeNode, context: TypeScriptContext, indent: string): string {
  const text = toTypeScriptType(node, context, indent);
  return node.kind === "intersection" ? `(${text})` : text;
}

function inArray(node: TypeNode, context: TypeScriptContext, indent: string): string {
  const text = toTypeScriptType(node, context, indent);
  const isJoined = node.kind === "union" || node.kind === "intersection";
  return isJoined || (node.kind === "primitive" && text !== node.name && text !== "number")
    ? `(${text})`
    : text;
}

function tupleText(node: TupleNode, context: TypeScriptContext, indent: string): string {
  const items = node.items.map((item, index) =>
    index < node.required ? toTypeScriptType(item, context, indent) : `${inArray(item, context, indent)}?`,
  );
  if (node.rest !== undefined) items.push(`...${inArray(node.rest, context, indent)}[]`);
  return `[${items.join(", ")}]`;
}

function objectText(node: ObjectNode, context: TypeScriptContext, indent: string): string {
  if (context.brief?.depth === 0 && node.properties.length > 0) return `{ ${cutText(context)} }`;
  const lines = memberLines(node, toInner(context), indent, true);
  if (lines.length === 0) return "Record<string, never>";
  if (node.properties.length === 0 && toFurtherKeys(node, context)?.kind === "unknown") {
    return `Record<string, ${unknownText(context)}>`;
  }
  const flat = `{ ${lines.map((line) => line.trim().replace(/;$/, "")).join("; ")} }`;
  const isCommented = lines.some((line) => line.includes("\n") || /\/\*\*|; \/\//.test(line));
  if (context.brief && !isCommented) return flat;
  return flat.length <= MAX_LINE && !isCommented ? flat : `{\n${lines.join("\n")}\n${indent}}`;
}

function toInner(context: TypeScriptContext): TypeScriptContext {
  const { brief } = context;
  return brief ? { ...context, brief: { ...brief, depth: brief.depth - 1 } } : context;
}

function memberLines(node: ObjectNode, context: TypeScriptContext, indent: string, doc: boolean): string[] {
  const inner = `${indent}  `;
  const lines: string[] = [];
  const { brief, forCheck } = context;
  for (const property of toShown(node.properties, context)) {
    if (brief && context.budget.isSpent()) {
      lines.push(`${inner}${cutText(context)}`);
      break;
    }
    if (isTooLong(property.name, context)) {
      lines.push(`${inner}${cutText(context)};`);
      continue;
    }
    const isDocumented = doc && !forCheck && brief?.comments !== false;
    const text = isDocumented ? toOneLine(property.doc, MAX_PROPERTY_DOC) : "";
    const line = `${inner}${propertyText(property, context, inner)};`;
    if (text === "") lines.push(line);
    else if (brief) lines.push(`${line} // ${text}`);
    else lines.push(`${inner}/** ${toCommentLine(text)} */`, line);
  }
  const keys = toFurtherKeys(node, context);
  // That a result may have further keys of any type is so often true that it tells nothing.
  const isNoise = brief && keys?.kind === "unknown" && lines.length > 0;
  if (keys !== undefined && !isNoise) {
    const text = toTypeScriptType(indexType(keys, node.properties), context, inner);
    const hasOptional = node.properties.some((property) => !property.required);
    lines.push(`${inner}[key: string]: ${hasOptional && text !== "unknown" ? `${text} | undefined` : text};`);
  }
  return lines;
}

function propertyText(property: Property, context: TypeScriptContext, indent: string): string {
  const key = propertyKey(property);
  if (context.brief && !context.brief.optionalTypes && !property.required) {
    context.brief.onCut();
    // It counts like a type, or hundreds of names would follow.
    if (context.budget.enter()) context.budget.leave();
    return key;
  }
  if (!isInherited(property)) return `${key}: ${toTypeScriptType(property.type, context, indent)}`;
  return `${key}: ${inUnion(property.type, context, indent)} | Object[${toTypeScriptString(property.name)}]`;
}

function toFurtherKeys(node: ObjectNode, context: TypeScriptContext): TypeNode | undefined {
  return furtherKeys(node, context.forCheck ? "input" : context.direction);
}

/** What a call must have comes first where the rest may be cut. */
function toShown(properties: readonly Property[], { brief }: TypeScriptContext): readonly Property[] {
  if (!brief) return properties;
  return [
    ...properties.filter(({ required }) => required),
    ...properties.filter(({ required }) => !required),
  ];
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
