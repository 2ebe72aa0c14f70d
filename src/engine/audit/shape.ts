import { isRecord } from "../../text/is-record.ts";

/** What is looked at of an object. */
const MAX_KEYS = 64;
const DEPTH = 2;
const MAX_KNOWN = 2_000;

/** The form of a call's arguments: its keys with the kinds of their values, hashed. Values are no part of it. */
export type ToShape = (args: unknown) => string;

export function createShapes(hash: (text: string) => string): ToShape {
  const known = new Map<string, string>();
  return (args) => {
    const form = formOf(args, DEPTH);
    const hashed = known.get(form) ?? hash(form).slice(0, 16);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(form, hashed);
    return hashed;
  };
}

function formOf(value: unknown, depth: number): string {
  if (Array.isArray(value))
    return value.length === 0 || depth === 0 ? "[]" : `[${formOf(value[0], depth - 1)}]`;
  if (!isRecord(value)) return value === null ? "null" : typeof value;
  const keys = Object.keys(value);
  // Keys can be data: of many, nothing more is told.
  if (depth === 0 || keys.length > MAX_KEYS) return "{}";
  let form = "{";
  for (const key of keys.sort()) form += `${key}:${formOf(value[key], depth - 1)},`;
  return `${form}}`;
}
