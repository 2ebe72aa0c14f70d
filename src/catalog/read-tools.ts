import { createHash } from "node:crypto";
import { isRecord } from "../text/is-record.ts";
import { isPlainLine, toExcerpt, toPlainText } from "../text/plain-text.ts";
import { createPace } from "../text/slices.ts";
import { boundSchema } from "./bound-schema.ts";
import { toCanonicalJson } from "./canonical-json.ts";
import type { Annotations, JsonSchema, ToolDefinition } from "./tool.ts";

const MAX_NAME_LENGTH = 256;
const MAX_DESCRIPTION_LENGTH = 16_000;
const ANYTHING: JsonSchema = { type: "object" };

/** Reads each tool on its own: one that is broken beyond use is left out by name, the others stay. */
export async function readTools(
  raw: readonly unknown[],
): Promise<{ tools: ToolDefinition[]; warnings: string[] }> {
  const pace = createPace();
  const tools = new Map<string, ToolDefinition>();
  const warnings: string[] = [];
  for (const [index, item] of raw.entries()) {
    const turn = pace();
    if (turn) await turn;
    const name = nameOf(item);
    if (name === undefined)
      warnings.push(`Tool ${index + 1} of the list has no usable name and was left out`);
    else if (tools.has(name)) warnings.push(`Tool "${name}" is listed twice; the first one counts`);
    else if (isRecord(item)) tools.set(name, readTool(name, item));
  }
  return { tools: [...tools.values()], warnings };
}

function readTool(name: string, item: Record<string, unknown>): ToolDefinition {
  const warnings: string[] = [];
  const input = boundSchema(item["inputSchema"]);
  if ("problem" in input) warnings.push(`"inputSchema" ${input.problem}: any arguments are accepted`);
  // Null stands for "nothing" in several real servers.
  const hasOutput = item["outputSchema"] !== undefined && item["outputSchema"] !== null;
  const output = hasOutput ? boundSchema(item["outputSchema"]) : undefined;
  if (output && "problem" in output) warnings.push(`"outputSchema" ${output.problem}: it is ignored`);
  const hints = isRecord(item["annotations"]) ? item["annotations"] : {};
  const definition = {
    name,
    title: titleOf(item["title"]) ?? titleOf(hints["title"]),
    description: readDescription(item["description"], warnings),
    inputSchema: "schema" in input ? input.schema : ANYTHING,
    outputSchema: output && "schema" in output ? output.schema : undefined,
    annotations: readAnnotations(hints, warnings),
    declared: readDeclared(hints),
  };
  const unusable = "problem" in input ? ({ hasUnusableInput: true } as const) : {};
  return { ...definition, ...unusable, hash: hashOf(definition), warnings };
}

/** Absent means the worst the protocol allows: it may write, destroy, and reach the world. */
function readAnnotations(hints: Record<string, unknown>, warnings: string[]): Annotations {
  const isContradiction = hints["readOnlyHint"] === true && hints["destructiveHint"] === true;
  if (isContradiction)
    warnings.push(`"annotations" say both that it only reads and that it destroys: it counts as destructive`);
  const hint = (key: string, fallback: boolean) => (typeof hints[key] === "boolean" ? hints[key] : fallback);
  return {
    readOnly: !isContradiction && hint("readOnlyHint", false),
    destructive: hint("destructiveHint", true),
    idempotent: hint("idempotentHint", false),
    openWorld: hint("openWorldHint", true),
  };
}

/** That it destroys is believed of anybody, so of a contradiction it is what stays. */
function readDeclared(hints: Record<string, unknown>): Partial<Annotations> | undefined {
  const declared: { -readonly [Key in keyof Annotations]?: boolean } = {};
  for (const [key, hint] of HINTS) if (typeof hints[hint] === "boolean") declared[key] = hints[hint];
  if (declared.readOnly && declared.destructive) delete declared.readOnly;
  return Object.keys(declared).length === 0 ? undefined : declared;
}

const HINTS = [
  ["readOnly", "readOnlyHint"],
  ["destructive", "destructiveHint"],
  ["idempotent", "idempotentHint"],
  ["openWorld", "openWorldHint"],
] as const;

function readDescription(value: unknown, warnings: string[]): string {
  if (value !== undefined && value !== null && typeof value !== "string")
    warnings.push(`"description" is no text`);
  const text = textOf(value) ?? "";
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  warnings.push(`"description" has ${text.length} characters and was cut`);
  return `${text.slice(0, MAX_DESCRIPTION_LENGTH)}…`;
}

function nameOf(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item["name"] !== "string") return undefined;
  const { name } = item;
  return name.trim() === "" || name.length > MAX_NAME_LENGTH || !isPlainLine(name) ? undefined : name;
}

function titleOf(value: unknown): string | undefined {
  return typeof value === "string" ? toExcerpt(value) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? toPlainText(value.replaceAll("\r\n", "\n")).trim() : undefined;
}

function hashOf(definition: Omit<ToolDefinition, "hash" | "warnings">): string {
  return createHash("sha256").update(toCanonicalJson(definition)).digest("hex");
}
