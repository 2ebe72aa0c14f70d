import type { Contradiction, ToolRecord } from "../../catalog/tool.ts";
import { type ParsedSchema, parseOutputSchema } from "../../schema/parse-schema.ts";
import { UNKNOWN } from "../../schema/type-tree.ts";

/** What a tool returns: by its own word, else as it was observed, else unknown. */
export function toResponseType({ outputSchema, observed }: ToolRecord): ParsedSchema {
  const schema = outputSchema ?? observed?.schema;
  return schema === undefined ? { type: UNKNOWN, warnings: [] } : parseOutputSchema(schema);
}

/** Whether it is more than a hint: a type that was declared, and never contradicted. */
export function isReliable({ outputSchema, contradictions = [] }: ToolRecord): boolean {
  return outputSchema !== undefined && contradictions.length === 0;
}

/** How far the response type is to be believed; nothing where there is nothing to say. */
export function toResponseNote({ observed, contradictions = [] }: ToolRecord): string | undefined {
  if (observed) return `Response type observed in ${toCalls(observed.calls)}; it may have other forms.`;
  const [first] = contradictions;
  if (first === undefined) return undefined;
  const more = contradictions.length > 1 ? `, and ${contradictions.length - 1} more` : "";
  return `Results have contradicted the declared response type: ${toContradictionText(first)}${more}.`;
}

/** The same in a few words, behind a signature; empty where there is nothing to say. */
export function toResponseMark({ observed, contradictions = [] }: ToolRecord): string {
  if (observed) return `result observed in ${toCalls(observed.calls)}`;
  return contradictions.length > 0 ? "results have contradicted this type" : "";
}

/** `items.[].price is string instead of number (3 times)`. */
export function toContradictionText({ path, expected, seen, count }: Contradiction): string {
  const times = count === 1 ? "once" : `${count} times`;
  return `${path === "" ? "the result" : `"${path}"`} is ${seen} instead of ${expected} (${times})`;
}

export function toCalls(calls: number): string {
  return `${calls} call${calls === 1 ? "" : "s"}`;
}
