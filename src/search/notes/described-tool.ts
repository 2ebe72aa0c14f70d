import type { JsonSchema, ToolRecord } from "../../catalog/tool.ts";
import { isJsonObject, type JsonObject, keyword } from "../../schema/json-types.ts";
import { KNOWN_VALUES } from "../../schema/own-keywords.ts";
import { type Docstring, readDocstring } from "./docstring.ts";
import { toListedValues } from "./listed-values.ts";
import { toReadable } from "./readable-schema.ts";

/** A tool's parameters with what is said of them in prose put where it belongs: for reading, never for checking a call. */
export type Described = {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly docstring: Docstring;
  /** Whether a schema is too large to be shown whole. */
  readonly isCut: boolean;
};

/** More parameters than this no answer shows. */
const MAX_PARAMETERS = 100;
const MAX_DESCRIPTION = 600;

const described = new WeakMap<ToolRecord, Described>();

/** A parameter without a description gets that of the docstring; values that a text lists become known ones. */
export function describe(tool: ToolRecord): Described {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const input = toReadable(tool.inputSchema);
  const output = tool.outputSchema === undefined ? undefined : toReadable(tool.outputSchema);
  const made = {
    ...read(tool, input),
    outputSchema: output,
    isCut: input !== tool.inputSchema || output !== tool.outputSchema,
  };
  described.set(tool, made);
  return made;
}

function read(tool: ToolRecord, inputSchema: JsonSchema): Pick<Described, "inputSchema" | "docstring"> {
  const properties = isJsonObject(inputSchema) ? keyword(inputSchema, "properties") : undefined;
  const names = isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_PARAMETERS) : [];
  const docstring = readDocstring(tool.description, new Set(names));
  if (!isJsonObject(inputSchema) || !isJsonObject(properties)) return { inputSchema, docstring };
  const changed = names.flatMap((name) => {
    const schema = keyword(properties, name);
    const told = isJsonObject(schema) ? tell(name, schema, docstring.parameters.get(name)) : schema;
    return told === schema ? [] : [[name, told] as const];
  });
  if (changed.length === 0) return { inputSchema, docstring };
  // A name of a server's can be `__proto__`: entries are defined, never assigned.
  const told = Object.fromEntries([...Object.entries(properties), ...changed]);
  return { inputSchema: { ...inputSchema, properties: told }, docstring };
}

function tell(name: string, schema: JsonObject, fromDocstring: string | undefined): JsonObject {
  const own = keyword(schema, "description");
  const isSilent = typeof own !== "string" || own.trim() === "";
  const text = isSilent ? fromDocstring?.slice(0, MAX_DESCRIPTION) : own;
  if (text === undefined || text === "") return schema;
  const values = toListedValues(text, { name, default: keyword(schema, "default") })?.values;
  const typed = values === undefined ? schema : withValues(schema, values);
  return isSilent ? { ...typed, description: text } : typed;
}

/** Only where nothing but "a text" is declared: of the schema's own values nothing is taken away. */
function withValues(schema: JsonObject, values: readonly string[]): JsonObject {
  if (isPlainText(schema)) return { ...schema, [KNOWN_VALUES]: values };
  const items = keyword(schema, "items");
  if (keyword(schema, "type") === "array" && isJsonObject(items) && isPlainText(items))
    return { ...schema, items: { ...items, [KNOWN_VALUES]: values } };
  const alternatives = keyword(schema, "anyOf");
  if (!Array.isArray(alternatives)) return schema;
  const isOne = alternatives.filter((one) => isJsonObject(one) && isPlainText(one)).length === 1;
  const anyOf = alternatives.map((one) =>
    isJsonObject(one) && isPlainText(one) ? { ...one, [KNOWN_VALUES]: values } : one,
  );
  return isOne ? { ...schema, anyOf } : schema;
}

function isPlainText(schema: JsonObject): boolean {
  return (
    keyword(schema, "type") === "string" &&
    !["enum", "const", "anyOf", "oneOf", "allOf", "$ref", KNOWN_VALUES].some((key) =>
      Object.hasOwn(schema, key),
    )
  );
}
