import type { SyntaxNode } from "@lezer/common";
import { toArgumentName } from "../../../catalog/argument-names.ts";
import { furtherKeys } from "../../../schema/object-keys.ts";
import type { ObjectNode, TypeNode } from "../../../schema/type-tree.ts";
import { didYouMean, nearNames } from "../../../text/did-you-mean.ts";
import type { DictEntry, WrittenValue } from "./known-values.ts";
import { dereferenced } from "./result-types.ts";
import { toTypeWords, toValueWords } from "./type-words.ts";

/** Something that a tool does not take. */
export type Unfit = { readonly node: SyntaxNode; readonly message: string; readonly hint?: string };

export type FitContext = {
  /** What the values of a program are, as far as it is known. */
  written(node: SyntaxNode): WrittenValue;
};

/** The arguments of a call, as keywords or as one dict. */
export type WrittenInput = {
  /** Where what is missing is told. */
  readonly node: SyntaxNode;
  readonly entries: readonly DictEntry[];
  /** There are others, which can't be read off the program. */
  readonly hasMore: boolean;
};

const MAX_DEPTH = 20;
const MAX_LISTED = 12;

/** What is wrong with an object that a program writes out. `what` says how it is called: `create_issue()`, `'filter'`. */
export function findUnfit(
  input: WrittenInput,
  type: TypeNode,
  what: string,
  context: FitContext,
  depth = 0,
): Unfit[] {
  const plain = dereferenced(type);
  if (depth > MAX_DEPTH) return [];
  if (plain.kind === "object") return unfitObject(input, plain, what, context, depth);
  if (plain.kind !== "union") return [];
  return best(plain.members.map((member) => findUnfitObject(input, member, what, context, depth)));
}

/** Of a member of a union that is no object, nothing is said of an object: it is not meant. */
function findUnfitObject(
  input: WrittenInput,
  member: TypeNode,
  what: string,
  context: FitContext,
  depth: number,
): Unfit[] | undefined {
  const plain = dereferenced(member);
  if (plain.kind === "object" || plain.kind === "union")
    return findUnfit(input, plain, what, context, depth + 1);
  return plain.kind === "unknown" || plain.kind === "intersection" ? [] : undefined;
}

/** Of several ways the one in which the least is wrong. */
function best(ways: readonly (Unfit[] | undefined)[]): Unfit[] {
  const told = ways.filter((way) => way !== undefined);
  return told.reduce((a, b) => (b.length < a.length ? b : a), told[0] ?? []);
}

function unfitObject(
  { node, entries, hasMore }: WrittenInput,
  object: ObjectNode,
  what: string,
  context: FitContext,
  depth: number,
): Unfit[] {
  const found: Unfit[] = [];
  const names = object.properties.map(({ name }) => name);
  const further = furtherKeys(object, "input");
  const given = new Set<string>();
  const meant = new Set<string>();
  const keys = entries.map(({ key }) => key);
  for (const { key: spelling, at, value } of entries) {
    // The host puts the arguments' own names in the place of other spellings; further in it does not look.
    const isArgument = depth === 0 && further === undefined;
    const key = (isArgument ? toArgumentName(spelling, names, keys) : undefined) ?? spelling;
    given.add(key);
    const property = object.properties.find(({ name }) => name === key);
    if (property) found.push(...unfitValue(value, property.type, key, context, depth + 1));
    else if (further !== undefined) found.push(...unfitValue(value, further, key, context, depth + 1));
    else {
      found.push({ node: at, message: `${what} takes no ${quoted(key)}`, ...whichOne(key, names) });
      // What was misspelt is not told to be missing.
      for (const near of nearNames(key, names).slice(0, 1)) meant.add(near);
    }
  }
  const missing = hasMore
    ? []
    : object.properties
        .filter(({ name, required }) => required && !given.has(name) && !meant.has(name))
        .map(({ name }) => name);
  if (missing.length > 0) found.push({ node, message: `${what} needs ${listed(missing)}` });
  return found;
}

function whichOne(key: string, names: readonly string[]): { hint?: string } {
  if (key === "timeout_ms") return { hint: "It goes behind the arguments as one dict: f({…}, timeout_ms=…)" };
  const hint = didYouMean(key, names);
  if (hint !== undefined) return { hint };
  return names.length === 0 ? { hint: "It takes no arguments" } : {};
}

/** What is wrong with the value of a key or an argument. */
export function unfitValue(
  node: SyntaxNode,
  type: TypeNode,
  key: string,
  context: FitContext,
  depth: number,
): Unfit[] {
  const value = context.written(node);
  if (depth > MAX_DEPTH || value.kind === "unknown") return [];
  if (value.kind === "either")
    return value.options.flatMap((option) => unfitValue(option, type, key, context, depth + 1));
  const plain = dereferenced(type);
  if (plain.kind === "union") return unfitUnion(node, value, plain.members, key, context, depth);
  if (!isOfKind(value, plain)) return [misfitOf(node, value, plain, key)];
  if (plain.kind === "array" && value.kind === "list")
    return (value.items ?? []).flatMap((item) => unfitValue(item, plain.items, key, context, depth + 1));
  if (plain.kind === "object" && value.kind === "dict" && value.entries)
    return findUnfit(
      { node, entries: value.entries, hasMore: value.hasMore },
      plain,
      quoted(key),
      context,
      depth + 1,
    );
  return [];
}

function unfitUnion(
  node: SyntaxNode,
  value: WrittenValue,
  members: readonly TypeNode[],
  key: string,
  context: FitContext,
  depth: number,
): Unfit[] {
  const near = members.filter((member) => isOfKind(value, dereferenced(member)));
  if (near.length === 0) {
    const union: TypeNode = { kind: "union", members };
    return [misfitOf(node, value, union, key)];
  }
  return best(near.map((member) => unfitValue(node, member, key, context, depth + 1)));
}

function misfitOf(node: SyntaxNode, value: WrittenValue, type: TypeNode, key: string): Unfit {
  const choices = type.kind === "union" ? type.members.flatMap(toChoice) : toChoice(type);
  const isChoice = value.kind === "text" && value.text !== undefined && choices.length > 0;
  const hint = isChoice ? didYouMean(value.text, choices) : undefined;
  return {
    node,
    message: `${quoted(key)} must be ${toTypeWords(type)}, not ${toValueWords(value)}`,
    ...(hint !== undefined && { hint }),
  };
}

function toChoice(type: TypeNode): string[] {
  return type.kind === "literal" && typeof type.value === "string" ? [type.value] : [];
}

/** Whether a value can be of a type, as far as its own kind says it; what is in it is another matter. */
function isOfKind(value: WrittenValue, type: TypeNode): boolean {
  // Many programs say None for "not given".
  if (value.kind === "unknown" || value.kind === "either" || value.kind === "none") return true;
  switch (type.kind) {
    case "primitive":
      if (type.name === "string") return value.kind === "text";
      if (type.name === "boolean") return value.kind === "boolean";
      if (type.name === "null") return false;
      return value.kind === "number" && (type.name === "number" || value.isWhole);
    case "literal":
      return isLiteral(value, type.value);
    case "array":
    case "tuple":
      return value.kind === "list";
    case "object":
      return value.kind === "dict";
    case "union":
      return type.members.some((member) => isOfKind(value, dereferenced(member)));
    case "never":
      return false;
    default:
      return true;
  }
}

function isLiteral(value: WrittenValue, literal: string | number | boolean): boolean {
  if (value.kind === "text") return typeof literal === "string" && (value.text ?? literal) === literal;
  if (value.kind === "number") return typeof literal === "number" && (value.value ?? literal) === literal;
  return value.kind === "boolean" && typeof literal === "boolean" && (value.value ?? literal) === literal;
}

export function quoted(name: string): string {
  return `'${name.length > 100 ? `${name.slice(0, 100)}…` : name}'`;
}

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(quoted);
  if (names.length > shown.length) shown.push("…");
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
