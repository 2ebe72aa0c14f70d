import type { JsonSchema } from "../tool.ts";
import type { NumberShape, RecordShape, Shape, TextShape } from "./shape.ts";
import { knownWords } from "./words.ts";

type Schema = { readonly [keyword: string]: unknown };

/** Calls after which a field that was always there counts as one that always is. */
const MIN_CALLS_REQUIRED = 3;
/** Numbers without a fraction, and calls they came from, after which they count as whole numbers. */
const MIN_INTEGERS = 10;
const MAX_KINDS = 3;

/** A keyword of our own: texts that a value is likely to be, though it may be any other. */
export const KNOWN_VALUES = "x-known-values";

/** What was seen, as a JSON Schema. Where too little was seen, it says nothing rather than something narrow. */
export function toSchema(shape: Shape): JsonSchema {
  return toAny(shape);
}

function toAny(shape: Shape): Schema {
  if (shape.isOpaque) return {};
  const { booleans, numbers, text, list, record, nulls } = shape;
  const kinds: Schema[] = [];
  if (text) kinds.push(toText(text));
  if (numbers) kinds.push({ type: isInteger(numbers) ? "integer" : "number" });
  if (booleans > 0) kinds.push({ type: "boolean" });
  if (list) kinds.push({ type: "array", items: toAny(list.items) });
  if (record) kinds.push(toRecord(record));
  const [only] = kinds;
  // That something was null says nothing of what it is when it is not.
  if (only === undefined || kinds.length > MAX_KINDS) return {};
  if (nulls > 0) kinds.push({ type: "null" });
  return kinds.length === 1 ? only : { anyOf: kinds };
}

function isInteger({ integers, fractions, calls }: NumberShape): boolean {
  return fractions === 0 && integers >= MIN_INTEGERS && calls >= MIN_CALLS_REQUIRED;
}

function toText(text: TextShape): Schema {
  const [format] = [...text.formats].find(([, count]) => count === text.n) ?? [];
  const words = knownWords(text);
  return {
    type: "string",
    ...(format === undefined ? {} : { format: format === "numeric" ? "numeric string" : format }),
    ...(words.length === 0 ? {} : { [KNOWN_VALUES]: words }),
  };
}

function toRecord({ fields, rest, n, calls }: RecordShape): Schema {
  const required = [...fields].filter(([, field]) => field.n === n && calls >= MIN_CALLS_REQUIRED);
  return {
    type: "object",
    ...(fields.size === 0
      ? {}
      : { properties: Object.fromEntries([...fields].map(([key, { shape }]) => [key, toAny(shape)])) }),
    ...(required.length === 0 ? {} : { required: required.map(([key]) => key) }),
    ...(rest ? { additionalProperties: toAny(rest.shape) } : {}),
  };
}
