import { findMisfits } from "../schema/misfits.ts";
import { parseInputSchema } from "../schema/parse-schema.ts";
import type { ToolRecord } from "./tool.ts";

const known = new WeakMap<ToolRecord, ReadonlySet<string>>();

/**
 * In Python an argument that is `None` is one that is not given: it is left out where the tool can do without it, and would not
 * take it as a value.
 */
export function withoutNones(
  args: Readonly<Record<string, unknown>>,
  tool: ToolRecord,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(args);
  if (!given.some(([, value]) => value === null)) return args;
  const names = known.get(tool) ?? readNeverNull(tool);
  known.set(tool, names);
  return Object.fromEntries(given.filter(([name, value]) => value !== null || !names.has(name)));
}

function readNeverNull({ inputSchema }: ToolRecord): ReadonlySet<string> {
  const { type } = parseInputSchema(inputSchema);
  if (type.kind !== "object") return new Set();
  const optional = type.properties.filter(({ required }) => !required);
  return new Set(optional.filter(({ type: of }) => findMisfits(null, of).length > 0).map(({ name }) => name));
}
