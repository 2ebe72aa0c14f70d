import { type Direction, furtherKeys } from "../../schema/object-keys.ts";
import {
  type NamedType,
  type ObjectNode,
  type PrimitiveNode,
  type Property,
  type TupleNode,
  type TypeNode,
  toUnion,
  UNKNOWN,
} from "../../schema/type-tree.ts";
import { toHashComment, toOneLine, toPythonString } from "../../text/doc-text.ts";
import { toPascalCase } from "../print/identifiers.ts";
import type { PrintBudget } from "../print/print-budget.ts";
import type { TypeNames } from "../print/type-names.ts";

/** A type expression. `hasNames`: it speaks of classes of its own file, which may be declared only later. */
export type PythonType = { readonly text: string; readonly hasNames: boolean };

export type PythonContext = {
  readonly direction: Direction;
  readonly names: TypeNames;
  /** The classes and aliases declared so far. */
  readonly declarations: string[];
  /** How a name of `typing` or a built-in is written in this file; asking also makes it imported. */
  use(name: string): string;
  readonly budget: PrintBudget;
  readonly classes: Map<TypeNode, string>;
  /** Whether properties have their comments; they have unless told otherwise. */
  readonly comments?: boolean;
  /** For a list of functions: literals longer than this are `str`, and longer names are left out. */
  readonly longestText?: number;
};

export const PYTHON_KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from " +
    "global if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
/** Names that annotations use: as a key of a class they would hide what the annotation means. */
const ANNOTATION_NAMES = new Set("str int float bool list dict tuple Any Literal NotRequired".split(" "));
const MAX_PROPERTY_DOC = 1000;

export function toPythonType(node: TypeNode, context: PythonContext, hint: string): PythonType {
  if (!context.budget.enter()) return plain(context.use("Any"));
  const type = nodeType(node, context, hint);
  context.budget.leave();
  return type;
}

function nodeType(node: TypeNode, context: PythonContext, hint: string): PythonType {
  switch (node.kind) {
    case "unknown":
      return plain(context.use("Any"));
    case "never":
      return plain(context.use("Never"));
    case "primitive":
      return primitiveType(node, context);
    case "literal":
      return plain(literalText([node.value], context));
    case "array":
      return wrap(`${context.use("list")}[`, toPythonType(node.items, context, `${hint}Item`), "]");
    case "tuple":
      return tupleType(node, context, hint);
    case "object":
      return objectType(node, context, hint);
    case "union":
      return unionType(node.members, context, hint);
    case "intersection":
      return intersectionType(node.members, context, hint);
    case "reference":
      return referenceType(node.target, context, hint);
  }
}

function primitiveType({ name, known, isConstant }: PrimitiveNode, context: PythonContext): PythonType {
  if (name === "null") return plain("None");
  if (isConstant && known !== undefined) return plain(literalText(known, context));
  const type = context.use(PRIMITIVES[name]);
  return plain(known === undefined ? type : `${literalText(known, context)} | ${type}`);
}

const PRIMITIVES = { string: "str", number: "float", integer: "int", boolean: "bool" } as const;

/** Declares `name` as this type: a class for an object with keys, an alias for anything else. */
export function declarePythonType(name: string, node: TypeNode, context: PythonContext, doc = true): void {
  if (node.kind === "object" && isTypedDict(node)) {
    context.classes.set(node, name);
    declareClass(name, node, context, doc);
    return;
  }
  const type = toPythonType(node, context, name);
  context.declarations.push(`${name}: ${context.use("TypeAlias")} = ${evaluated(type, context)}`);
}

/** Declares the types that were named and not yet declared. */
export function declareReferenced(context: PythonContext): void {
  for (let due = context.names.nextDue(); due !== undefined; due = context.names.nextDue()) {
    declarePythonType(due.name, due.target.type, context);
  }
}

function referenceType(target: NamedType, context: PythonContext, hint: string): PythonType {
  const type = target.type;
  const isNamed = ["object", "union", "array", "tuple", "intersection"].includes(type.kind);
  if (!isNamed) return toPythonType(type, context, toPascalCase(target.hint) || hint);
  const name = context.names.nameOf(target);
  return { text: type.kind === "object" ? withOpenDict(name, type, context) : name, hasNames: true };
}

/** A TypedDict takes no further keys, so where the schema invites them a plain dictionary does as well. */
export function withOpenDict(name: string, node: ObjectNode, context: PythonContext): string {
  if (context.direction === "output" || !isTypedDict(node)) return name;
  if (furtherKeys(node, context.direction) === undefined) return name;
  return `${name} | ${context.use("dict")}[${context.use("str")}, ${context.use("Any")}]`;
}

export function isTypedDict(node: ObjectNode): boolean {
  // The one name that a TypedDict can't have is the empty one.
  if (node.properties.some((property) => property.name === "")) return false;
  return node.properties.length > 0 || (node.extra === "closed" && node.patterns === undefined);
}

function objectType(node: ObjectNode, context: PythonContext, hint: string): PythonType {
  if (!isTypedDict(node)) {
    const keys = node.properties.length > 0 ? UNKNOWN : furtherKeys(node, context.direction);
    return wrap(
      `${context.use("dict")}[${context.use("str")}, `,
      toPythonType(keys ?? UNKNOWN, context, `${hint}Value`),
      "]",
    );
  }
  const known = context.classes.get(node);
  const name = known ?? context.names.claim(hint);
  if (known === undefined) {
    context.classes.set(node, name);
    declareClass(name, node, context);
  }
  return { text: withOpenDict(name, node, context), hasNames: true };
}

function declareClass(name: string, node: ObjectNode, context: PythonContext, doc = true): void {
  const base = context.use("TypedDict");
  if (node.properties.length === 0) {
    context.declarations.push(`class ${name}(${base}):\n    pass`);
    return;
  }
  const { longestText = Number.POSITIVE_INFINITY } = context;
  const shown = node.properties.filter(({ name: key }) => key.length <= longestText);
  const fields = shown.map((property) => {
    const type = toPythonType(property.type, context, `${name}${toPascalCase(property.name)}`.slice(0, 120));
    const required = property.required ? type : wrap(`${context.use("NotRequired")}[`, type, "]");
    return { property, type: required };
  });
  const isDocumented = doc && context.comments !== false;
  const isFunctional = node.properties.some((property) => !isClassKey(property.name));
  const lines = fields.flatMap(({ property, type }) =>
    isFunctional
      ? [
          ...docComment(property, isDocumented),
          `    ${toPythonString(property.name)}: ${evaluated(type, context)},`,
        ]
      : [...docComment(property, isDocumented), `    ${property.name}: ${type.text}`],
  );
  context.declarations.push(
    isFunctional
      ? `${name} = ${base}(${toPythonString(name)}, {\n${lines.join("\n")}\n})`
      : `class ${name}(${base}):\n${lines.join("\n")}`,
  );
}

function docComment(property: Property, doc: boolean): string[] {
  const text = doc ? toOneLine(property.doc, MAX_PROPERTY_DOC) : "";
  return text === "" ? [] : [`    # ${toHashComment(text)}`];
}

/** Class syntax would mangle, normalise or refuse these; the functional form takes any string. */
function isClassKey(name: string): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith("__")) return false;
  // A capital first could be the name of a class of this file.
  return !PYTHON_KEYWORDS.has(name) && !ANNOTATION_NAMES.has(name) && !/^_?[A-Z]/.test(name);
}

function unionType(members: readonly TypeNode[], context: PythonContext, hint: string): PythonType {
  const literals = members.flatMap((member) =>
    member.kind === "literal" && !(typeof member.value === "number" && !Number.isSafeInteger(member.value))
      ? [member.value]
      : [],
  );
  const texts = new Set<string>();
  let hasNames = false;
  if (literals.length > 0) texts.add(literalText(literals, context));
  const others = members.filter((member) => member.kind !== "literal" || !literals.includes(member.value));
  const objects = others.filter((member) => member.kind === "object").length;
  for (const [index, member] of others.entries()) {
    const option = objects > 1 ? `${hint}Option${index + 1}` : hint;
    const type = toPythonType(member, context, option);
    hasNames ||= type.hasNames;
    texts.add(type.text);
  }
  const any = context.use("Any");
  return texts.has(any) ? plain(any) : { text: [...texts].join(" | "), hasNames };
}

/** Python has no intersection; any member is true of the value, and an object says the most. */
function intersectionType(members: readonly TypeNode[], context: PythonContext, hint: string): PythonType {
  const best = members.find((member) => member.kind === "object") ?? members[0];
  return best === undefined ? plain(context.use("Any")) : toPythonType(best, context, hint);
}

/** JSON arrays are lists in Python; a tuple of the exact shape may be passed in as well. */
function tupleType(node: TupleNode, context: PythonContext, hint: string): PythonType {
  const rest = node.rest === undefined ? [] : [node.rest];
  const items = toPythonType(toUnion([...node.items, ...rest]), context, `${hint}Item`);
  const list = wrap(`${context.use("list")}[`, items, "]");
  const isExact = node.rest === undefined && node.required === node.items.length && node.items.length > 0;
  if (context.direction === "output" || !isExact) return list;
  const parts = node.items.map((item, index) => toPythonType(item, context, `${hint}Item${index + 1}`));
  const tuple = `${context.use("tuple")}[${parts.map((part) => part.text).join(", ")}]`;
  return { text: `${tuple} | ${list.text}`, hasNames: list.hasNames || parts.some((part) => part.hasNames) };
}

function literalText(values: readonly (string | number | boolean)[], context: PythonContext): string {
  const { longestText = Number.POSITIVE_INFINITY } = context;
  if (values.some((value) => typeof value === "string" && value.length > longestText))
    return context.use(values.every((value) => typeof value === "string") ? "str" : "Any");
  const texts = values.map((value) => {
    if (typeof value === "string") return toPythonString(value);
    if (typeof value === "boolean") return value ? "True" : "False";
    return Number.isSafeInteger(value) ? String(value) : undefined;
  });
  if (texts.includes(undefined)) return context.use(values.every(Number.isInteger) ? "int" : "float");
  return `${context.use("Literal")}[${texts.join(", ")}]`;
}

/**
 * A type where Python evaluates it. What names later classes is put in a string, and type checkers allow no escapes
 * in such a string, so a literal that needs one is widened.
 */
function evaluated(type: PythonType, context: PythonContext): string {
  if (!type.hasNames) return type.text;
  const text = type.text.replace(/Literal\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]/g, (literal) =>
    literal.includes("\\") || literal.includes("'") ? context.use("Any") : literal.replaceAll('"', "'"),
  );
  return `"${text}"`;
}

function plain(text: string): PythonType {
  return { text, hasNames: false };
}

function wrap(before: string, type: PythonType, after: string): PythonType {
  return { text: `${before}${type.text}${after}`, hasNames: type.hasNames };
}
