import { isRecord } from "../text/is-record.ts";
import { keyword, type SchemaObject } from "./json-types.ts";

const MAX_NOTE = 80;

/**
 * The description of a property and, in brackets, what types do not say: default, format, bounds. Kept short, since
 * models read it, and left out where the description says it already.
 */
export function toDoc(schema: unknown): string {
  if (!isRecord(schema)) return "";
  const inner = soleAlternative(schema);
  const text = descriptionOf(schema) || descriptionOf(inner);
  const notes = [...new Set([...toNotes(schema, text), ...toNotes(inner, text)])];
  if (notes.length === 0) return text;
  const joined = notes.join("; ");
  return text === "" ? joined : `${text} (${joined})`;
}

export function descriptionOf(schema: SchemaObject): string {
  const description = keyword(schema, "description");
  return typeof description === "string" ? description.trim() : "";
}

/** The schema that is meant when a property is "this or null": that is where its bounds stand. */
function soleAlternative(schema: SchemaObject): SchemaObject {
  const alternatives = keyword(schema, "anyOf") ?? keyword(schema, "oneOf");
  if (!Array.isArray(alternatives)) return {};
  const others = alternatives.filter((one) => isRecord(one) && keyword(one, "type") !== "null");
  const [only] = others;
  return others.length === 1 && isRecord(only) ? only : {};
}

function toNotes(schema: SchemaObject, text: string): string[] {
  const notes: string[] = [];
  const add = (note: string | undefined) => {
    if (note !== undefined && note.length <= MAX_NOTE && !text.includes(note)) notes.push(note);
  };
  add(defaultNote(schema, text));
  const format = keyword(schema, "format");
  if (typeof format === "string") add(format);
  add(rangeNote("", schema, "minimum", "maximum"));
  add(numberNote(">", keyword(schema, "exclusiveMinimum")));
  add(numberNote("<", keyword(schema, "exclusiveMaximum")));
  add(numberNote("multiple of ", keyword(schema, "multipleOf")));
  add(rangeNote("length ", schema, "minLength", "maxLength"));
  add(rangeNote("items ", schema, "minItems", "maxItems"));
  if (keyword(schema, "uniqueItems") === true) add("unique");
  const pattern = keyword(schema, "pattern");
  if (typeof pattern === "string") add(`pattern ${pattern}`);
  const encoding = keyword(schema, "contentEncoding");
  if (typeof encoding === "string") add(encoding);
  add(exampleNote(schema));
  if (keyword(schema, "deprecated") === true) add("deprecated");
  // Written by authors who mean the old form of the keyword: the type cannot follow it, the reader can.
  if (keyword(schema, "required") === true) add("required");
  return notes;
}

function defaultNote(schema: SchemaObject, text: string): string | undefined {
  const value = keyword(schema, "default");
  if (value === undefined || value === null) return undefined;
  const json = JSON.stringify(value);
  const bare = typeof value === "string" ? value : json;
  return /default/i.test(text) && text.includes(bare) ? undefined : `default: ${json}`;
}

function rangeNote(label: string, schema: SchemaObject, low: string, high: string): string | undefined {
  const min = keyword(schema, low);
  const max = keyword(schema, high);
  // The bounds of a 53-bit integer, which some generators write on every integer, tell nothing.
  const hasMin = typeof min === "number" && min > Number.MIN_SAFE_INTEGER && !(label !== "" && min === 0);
  const hasMax = typeof max === "number" && max < Number.MAX_SAFE_INTEGER;
  if (hasMin && hasMax) return min === max ? `${label}${min}` : `${label}${min}..${max}`;
  if (hasMin) return `${label}>=${min}`;
  return hasMax ? `${label}<=${max}` : undefined;
}

function numberNote(label: string, value: unknown): string | undefined {
  return typeof value === "number" ? `${label}${value}` : undefined;
}

function exampleNote(schema: SchemaObject): string | undefined {
  const examples = keyword(schema, "examples");
  const [first] = Array.isArray(examples) ? examples : [keyword(schema, "example")];
  return first === undefined ? undefined : `e.g. ${JSON.stringify(first)}`;
}
