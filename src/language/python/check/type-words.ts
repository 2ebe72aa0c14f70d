import type { TypeNode } from "../../../schema/type-tree.ts";
import type { WrittenValue } from "./known-values.ts";

const MAX_CHOICES = 12;
const MAX_DEPTH = 4;
const MAX_VALUE = 40;
const PRIMITIVES = { string: "str", number: "float", integer: "int", boolean: "bool", null: "None" } as const;

/** A type in a few words, as Python writes it. */
export function toTypeWords(type: TypeNode, depth = 0): string {
  if (depth > MAX_DEPTH) return "…";
  switch (type.kind) {
    case "primitive":
      return PRIMITIVES[type.name];
    case "literal":
      return toLiteral(type.value);
    case "array":
      return `list[${toTypeWords(type.items, depth + 1)}]`;
    case "tuple":
      return "list";
    case "object":
      return "dict";
    case "union":
      return ofUnion(type.members, depth);
    case "reference":
      return toTypeWords(type.target.type, depth + 1);
    case "never":
      return "left out";
    default:
      return "Any";
  }
}

function ofUnion(members: readonly TypeNode[], depth: number): string {
  const literals = members.filter((member) => member.kind === "literal");
  const others = members.filter((member) => member.kind !== "literal");
  const words = [...new Set(others.map((member) => toTypeWords(member, depth + 1)))];
  if (literals.length === 0) return words.join(" | ");
  const shown = literals.slice(0, MAX_CHOICES).map(({ value }) => toLiteral(value));
  const choice = `${shown.join(", ")}${literals.length > shown.length ? ", …" : ""}`;
  return words.length === 0 ? `one of ${choice}` : `${words.join(" | ")} or one of ${choice}`;
}

function toLiteral(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(typeof value === "string" ? cut(value) : value);
}

/** What a program gives instead: of a text it is told which, since it may be none of those that are taken. */
export function toValueWords(value: WrittenValue): string {
  switch (value.kind) {
    case "text":
      return value.text === undefined ? "a str" : `the str ${JSON.stringify(cut(value.text))}`;
    case "number":
      return value.value === undefined ? "a number" : String(value.value);
    case "boolean":
      return value.value === undefined ? "a bool" : value.value ? "True" : "False";
    case "list":
      return "a list";
    case "dict":
      return "a dict";
    default:
      return "this";
  }
}

function cut(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
