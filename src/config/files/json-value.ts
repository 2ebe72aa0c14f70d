import { isRecord } from "../../text/is-record.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** Made without a prototype: a key such as `__proto__` or `constructor` is a key like any other. */
export type JsonObject = { [key: string]: JsonValue };

export function createJsonObject(): JsonObject {
  return Object.create(null);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value);
}

/** A copy of what a parser made, in plain JSON values. Throws on a value that contains itself. */
export function toJsonValue(value: unknown, ancestors: readonly object[] = []): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (ancestors.includes(value)) throw new Error("A value contains itself");
  const inside = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => toJsonValue(item, inside));
  const copy = createJsonObject();
  for (const [key, item] of Object.entries(value)) copy[key] = toJsonValue(item, inside);
  return copy;
}

export function describeType(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
