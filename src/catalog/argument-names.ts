import { furtherKeys } from "../schema/object-keys.ts";
import { parseInputSchema } from "../schema/parse-schema.ts";
import { foldName } from "./name-index.ts";
import type { ToolRecord } from "./tool.ts";

const MAX_NAMES = 200;
const known = new WeakMap<ToolRecord, readonly string[]>();

/**
 * A tool's arguments by the names that it has for them: in Python `per_page` is written for `perPage`, and `from_` for what is a
 * word of the language. Where a name could mean several, or what it means is given already, it stays as it is.
 */
export function withOwnNames(
  args: Readonly<Record<string, unknown>>,
  tool: ToolRecord,
): Readonly<Record<string, unknown>> {
  const given = Object.keys(args);
  if (given.length === 0 || given.length > MAX_NAMES) return args;
  const names = closedNames(tool);
  const meant = given.map((key) => toArgumentName(key, names, given) ?? key);
  if (meant.every((name, at) => name === given[at])) return args;
  return Object.fromEntries(given.map((key, at) => [meant[at] ?? key, args[key]]));
}

/** The one of `names` that a key means which is none of them; nothing where that is not plain. */
export function toArgumentName(
  key: string,
  names: readonly string[],
  given: readonly string[],
): string | undefined {
  if (names.includes(key)) return undefined;
  const folded = foldName(key);
  const [meant, ...others] = folded === "" ? [] : names.filter((name) => foldName(name) === folded);
  const rivals = given.filter((other) => other !== key && foldName(other) === folded);
  return others.length === 0 && rivals.length === 0 ? meant : undefined;
}

/** The names of a tool's arguments, where it takes no others. */
function closedNames(tool: ToolRecord): readonly string[] {
  const names = known.get(tool) ?? readClosedNames(tool);
  known.set(tool, names);
  return names;
}

function readClosedNames({ inputSchema }: ToolRecord): readonly string[] {
  const { type } = parseInputSchema(inputSchema);
  if (type.kind !== "object" || furtherKeys(type, "input") !== undefined) return [];
  return type.properties.length > MAX_NAMES ? [] : type.properties.map(({ name }) => name);
}
