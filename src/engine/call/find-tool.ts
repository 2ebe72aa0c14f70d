import type { Catalog } from "../../catalog/catalog.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { findTool as findToolOf, type Meaning } from "../../catalog/name-index.ts";
import type { LanguageNaming } from "../../catalog/names.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import { OWN_WORDS } from "../../codegen/own-words.ts";
import { KeyholeError } from "../../errors.ts";
import { nearestName } from "../../text/nearest-name.ts";

/** A tool that a program means, and its server. */
export type ToolMatch = { readonly server: CatalogEntry; readonly tool: ToolRecord };
export type Names = Pick<Catalog, "names" | "entry" | "entries">;

/** Finds tools for one run: how much it looks for near names is bounded, since a program can ask for wrong ones in a loop. */
export type ToolFinder = (server: string, tool: string) => ToolMatch;

const MAX_EXPLAINED = 5;
const MAX_COMPARED = 20_000;
const MAX_LISTED = 20;

/** @param naming of the language that what was meant is told in */
export function createToolFinder(catalog: Names, naming: LanguageNaming = "typescript"): ToolFinder {
  let explained = 0;
  let compared = 0;
  let servers: readonly string[] | undefined;
  const serverNames = () => {
    servers ??= toServerNames(catalog, naming);
    return servers;
  };

  function nearest(name: string, known: () => readonly string[]): string | undefined {
    if (++explained > MAX_EXPLAINED || compared > MAX_COMPARED) return undefined;
    const names = known();
    compared += names.length;
    return nearestName(name, names);
  }

  return (server, tool) => {
    const found = meaningOf(server, tool, catalog, naming);
    if (found.kind === "one") return found.value;
    if (found.kind === "many") throw ambiguousTool(tool, found.values, naming);
    const entry = entryOf(server, catalog, naming);
    if (entry === undefined) throw unknownServer(server, serverNames, nearest);
    if (!entry.record && entry.error) throw entry.error;
    throw unknownTool(entry, tool, nearest, naming);
  };
}

/** The same without a word about what was meant. */
export function lookUpTool(server: string, tool: string, catalog: Names): ToolMatch | undefined {
  if (catalog.names.server(server).kind === "many") return undefined;
  const found = meaningOf(server, tool, catalog);
  return found.kind === "one" ? found.value : undefined;
}

/** `server`, or a tool with its server: `server__tool`, `server.tool`. */
export function assertTool(catalog: Names, name: string): void {
  const server = catalog.names.server(name);
  if (server.kind === "one") return;
  if (server.kind === "many") throw ambiguousServer(name, server.values);
  const meant = catalog.names.tool(name);
  if (meant.kind === "one") return;
  const [first = "", ...rest] = name.split(/__|[./:]/);
  createToolFinder(catalog)(first, rest.join("__"));
}

/** The server that a person means, in a command. */
export function findServer(catalog: Names, spelling: string): CatalogEntry {
  const entry = entryOf(spelling, catalog);
  if (entry) return entry;
  throw unknownServer(
    spelling,
    () => toServerNames(catalog, "typescript"),
    (name, known) => nearestName(name, known()),
  );
}

/**
 * A program's call comes with a server and a tool; `callMCPTool("mcp__github__create_issue")` with the first piece and the
 * rest. So where the tool could have a server's name in it, or there is no such server, both are read as one.
 */
function meaningOf(
  server: string,
  tool: string,
  catalog: Names,
  naming: LanguageNaming = "typescript",
): Meaning<ToolMatch> {
  const record = entryOf(server, catalog, naming)?.record;
  const direct: Meaning<ToolRecord> = record ? findToolOf(record, tool) : { kind: "none" };
  const isShown = direct.kind === "one" && direct.value.identifiers[naming] === tool;
  const isWhole = direct.kind === "none" || (tool.includes("__") && !isShown);
  if (!isWhole) return withEntries(direct, catalog);
  return withEntries(toToolMeaning(catalog.names.tool(`${server}__${tool}`)), catalog);
}

function toToolMeaning(meaning: Meaning<{ readonly tool: ToolRecord }>): Meaning<ToolRecord> {
  if (meaning.kind === "none") return meaning;
  if (meaning.kind === "one") return { kind: "one", value: meaning.value.tool };
  return { kind: "many", values: meaning.values.map(({ tool }) => tool) };
}

function withEntries(meaning: Meaning<ToolRecord>, { entry }: Names): Meaning<ToolMatch> {
  if (meaning.kind === "none") return meaning;
  if (meaning.kind === "one") {
    const server = entry(meaning.value.server);
    return server === undefined ? { kind: "none" } : { kind: "one", value: { server, tool: meaning.value } };
  }
  const found = meaning.values.flatMap((tool) => {
    const server = entry(tool.server);
    return server === undefined ? [] : [{ server, tool }];
  });
  const [value] = found;
  if (value === undefined) return { kind: "none" };
  return found.length === 1 ? { kind: "one", value } : { kind: "many", values: found };
}

function entryOf(
  spelling: string,
  { names, entry }: Names,
  naming: LanguageNaming = "typescript",
): CatalogEntry | undefined {
  const meant = names.server(spelling);
  if (meant.kind === "many") throw ambiguousServer(spelling, meant.values, naming);
  return meant.kind === "one" ? entry(meant.value.name) : undefined;
}

type Nearest = (name: string, known: () => readonly string[]) => string | undefined;

function unknownTool(
  entry: CatalogEntry,
  name: string,
  nearest: Nearest,
  naming: LanguageNaming,
): KeyholeError {
  const tools = entry.record?.tools ?? [];
  const near = nearest(name, () => tools.map(({ identifiers }) => identifiers[naming]));
  return new KeyholeError("tool_unknown", `Server "${entry.name}" has no tool "${name}"`, {
    server: entry.name,
    tool: name,
    hint: near === undefined ? `Find its tools with ${OWN_WORDS[naming].search}` : `Did you mean "${near}"?`,
  });
}

function toServerNames(catalog: Names, naming: LanguageNaming): string[] {
  return catalog.entries().map(({ identifiers }) => identifiers[naming]);
}

function unknownServer(server: string, known: () => readonly string[], nearest: Nearest): KeyholeError {
  const near = nearest(server, known);
  return new KeyholeError("server_unknown", `There is no server "${server}"`, {
    server,
    hint: near === undefined ? `Servers: ${toList(known())}` : `Did you mean "${near}"?`,
  });
}

function ambiguousServer(
  spelling: string,
  servers: readonly Pick<CatalogEntry, "identifiers">[],
  naming: LanguageNaming = "typescript",
): KeyholeError {
  const names = servers.map(({ identifiers }) => identifiers[naming]);
  return new KeyholeError("server_unknown", `"${spelling}" could mean several servers`, {
    server: spelling,
    hint: `Write one of ${toList(names)}`,
  });
}

function ambiguousTool(spelling: string, found: readonly ToolMatch[], naming: LanguageNaming): KeyholeError {
  const names = found.map(({ server, tool }) => `${server.identifiers[naming]}.${tool.identifiers[naming]}`);
  return new KeyholeError("tool_unknown", `"${spelling}" could mean several tools`, {
    tool: spelling,
    hint: `Write one of ${toList(names)}`,
  });
}

function toList(names: readonly string[]): string {
  return `${names.slice(0, MAX_LISTED).join(", ")}${names.length > MAX_LISTED ? ", …" : ""}`;
}
