import type { JsonSchema, ToolRecord } from "../../catalog/tool.ts";
import { isRecord } from "../../text/is-record.ts";

/** Each value of a stand-in tells whose it is: found again in a later call, that call depends on what nobody knows yet. */
export function toMark(number: number): string {
  return `⟦planned ${number}⟧`;
}

const NUMBER_BASE = 8_800_000_000_000;
const MAX_DEPTH = 6;
const MAX_KEYS = 100;

/** What a write might have returned, by the type of its results; an empty object where nobody knows that. */
export function toStandIn({ outputSchema, observed }: ToolRecord, number: number): unknown {
  const schema = outputSchema ?? observed?.schema;
  return schema === undefined ? {} : fill(schema, number, 0);
}

/** Whether something of that stand-in is in a text of JSON. */
export function dependsOn(text: string, number: number): boolean {
  return text.includes(toMark(number)) || text.includes(String(NUMBER_BASE + number));
}

function fill(schema: JsonSchema | undefined, number: number, depth: number): unknown {
  if (depth > MAX_DEPTH) return null;
  if (typeof schema !== "object") return {};
  if ("const" in schema) return schema["const"];
  const [first] = listOf(schema["enum"]);
  if (first !== undefined) return first;
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const [choice] = listOf(schema[key]);
    if (isRecord(choice)) return fill(choice, number, depth + 1);
  }
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "string") return toMark(number);
  if (type === "number" || type === "integer") return NUMBER_BASE + number;
  if (type === "boolean") return true;
  if (type === "array") return [fill(toSchema(schema["items"]), number, depth + 1)];
  if (type === "object" || isRecord(schema["properties"])) return fillObject(schema, number, depth);
  return type === "null" ? null : {};
}

function fillObject(schema: { readonly [key: string]: unknown }, number: number, depth: number): unknown {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const entries = Object.entries(properties)
    .slice(0, MAX_KEYS)
    .map(([key, value]) => [key, fill(toSchema(value), number, depth + 1)]);
  return Object.fromEntries(entries);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toSchema(value: unknown): JsonSchema | undefined {
  return isRecord(value) ? value : undefined;
}
