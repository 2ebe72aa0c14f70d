import { CONSTANT, KNOWN_VALUES } from "../../schema/own-keywords.ts";
import type { JsonSchema } from "../tool.ts";
import { knownWords } from "./naming.ts";
import type { RecordShape, Shape, TextShape } from "./shape.ts";

type Schema = { readonly [keyword: string]: unknown };

const MAX_KINDS = 3;

/**
 * The schema of a tool's whole result. A sentence that says that there is nothing stands beside what there is otherwise;
 * alone it says nothing of that.
 */
export function toResultSchema(shape: Shape, noResult: string | undefined): JsonSchema & object {
  if (noResult === undefined || shape.text === undefined) return toSchema(shape);
  const { text: _text, ...others } = shape;
  const schema = toSchema(others);
  if (Object.keys(schema).length === 0) return schema;
  const kinds: readonly unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
  return { anyOf: [...kinds, { type: "string", [CONSTANT]: noResult }] };
}

/**
 * What was seen, as a JSON Schema. A field is required as long as it was never missing, a number whole as long as none had
 * a fraction: with more results such claims fall, and none is made that was not made before.
 */
export function toSchema(shape: Shape): JsonSchema & object {
  if (shape.isOpaque) return {};
  const { booleans, numbers, text, list, record, nulls } = shape;
  const kinds: Schema[] = [];
  if (text) kinds.push(toText(text));
  if (numbers) kinds.push({ type: numbers.fractions === 0 ? "integer" : "number" });
  if (booleans > 0) kinds.push({ type: "boolean" });
  if (list) kinds.push({ type: "array", items: toSchema(list.items) });
  if (record) kinds.push(toRecord(record));
  const [only] = kinds;
  // That something was null says nothing of what it is when it is not.
  if (only === undefined || kinds.length > MAX_KINDS) return {};
  if (nulls > 0) kinds.push({ type: "null" });
  return kinds.length === 1 ? only : { anyOf: kinds };
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

function toRecord({ fields, rest, n }: RecordShape): Schema {
  const required = [...fields].filter(([, field]) => field.n === n);
  return {
    type: "object",
    ...(fields.size === 0
      ? {}
      : { properties: Object.fromEntries([...fields].map(([key, { shape }]) => [key, toSchema(shape)])) }),
    ...(required.length === 0 ? {} : { required: required.map(([key]) => key) }),
    ...(rest ? { additionalProperties: toSchema(rest.shape) } : {}),
  };
}
