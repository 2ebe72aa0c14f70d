import type { LanguageNaming } from "../../catalog/names.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import type { UsedServers } from "../../language/language.ts";
import type { Program } from "../../sandbox/sandbox.ts";

/** Names of functions that go along with a program. Of the servers that it names itself, all do. */
const MAX_FUNCTIONS = 5_000;

/** The servers that a program uses as the sandbox needs them: what it can call, and what it can list. */
export function toProgramServers(
  { servers, aliases, isOpen }: UsedServers,
  recordOf: (name: string) => ServerRecord | undefined,
  naming: LanguageNaming,
): Pick<Program, "servers" | "aliases" | "functions"> {
  const records = servers.flatMap((name) => recordOf(name) ?? []);
  const identifiers = records.map((record) => record.identifiers[naming]);
  const there = new Set(identifiers);
  const functions: (readonly [string, readonly string[]])[] = [];
  let count = 0;
  for (const record of records) {
    count += record.tools.length;
    // A program that can mean any server is given the first ones' names only.
    if (isOpen && count > MAX_FUNCTIONS) break;
    functions.push([record.identifiers[naming], functionsOf(record, naming)]);
  }
  return {
    servers: identifiers,
    aliases: aliases.filter(([alias, identifier]) => there.has(identifier) || alias === identifier),
    functions,
  };
}

const byNaming: { readonly [naming in LanguageNaming]: WeakMap<ServerRecord, readonly string[]> } = {
  typescript: new WeakMap(),
  python: new WeakMap(),
};

function functionsOf(record: ServerRecord, naming: LanguageNaming): readonly string[] {
  const byRecord = byNaming[naming];
  const known = byRecord.get(record);
  if (known !== undefined) return known;
  const names = Object.freeze(record.tools.map(({ identifiers }) => identifiers[naming]));
  byRecord.set(record, names);
  return names;
}
