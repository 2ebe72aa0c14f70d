import { join } from "node:path";
import type { FoundConfig } from "../../config/clients.ts";
import type { JsonObject, JsonValue } from "../../config/files/json-value.ts";
import { appDataDir, type Places } from "../../config/places.ts";
import type { ClientId } from "../../config/server-definition.ts";
import { toVariableName } from "../../config/variables.ts";
import { toCommandLine } from "./command-line.ts";
import type { Candidate } from "./find.ts";
import { serversKey, toCommand, toKeyholeEntry, variablesOf } from "./keyhole-entry.ts";

export type Paste = {
  client: ClientId;
  file: string;
  snippet: string;
  /** The client's own command that does the same, for a shell. */
  commandLine?: string;
  /** Variables that the client can't hand on by what it is told. */
  missing?: string[];
  /** The servers that this entry takes the place of, by the file that has them. */
  replaces: { file: string; servers: string[]; affectsOtherProjects: boolean }[];
};

export type PasteOptions = {
  /** A linked server must stay where it is. */
  link: boolean;
  /** Where VS Code's inputs are found. */
  configs?: readonly FoundConfig[];
  /** Where the running Keyhole lies. */
  main?: string;
};

/** What to put into a client's file so that it reaches the servers through Keyhole. */
export function createPaste(
  client: ClientId,
  chosen: readonly Candidate[],
  places: Places,
  { link, main, configs = [] }: PasteOptions,
): Paste {
  const command = toCommand(places, main);
  const variables = variablesOf(chosen.map(({ server }) => server.transport));
  const needs = { variables, inputs: inputsOf(variables, configs) };
  const entry = toKeyholeEntry(client, command, needs);
  const commandLine = toCommandLine(client, command, entry, needs, places.platform);
  return {
    client,
    file: clientFile(client, places),
    snippet: snippetFor(client, entry, needs.inputs),
    ...(commandLine === undefined ? {} : { commandLine }),
    ...(client === "claude-desktop" && variables.length > 0 ? { missing: variables } : {}),
    replaces: link ? [] : replacedBy(client, chosen),
  };
}

function replacedBy(client: ClientId, chosen: readonly Candidate[]): Paste["replaces"] {
  const replaced = new Map<string, { servers: Set<string>; scopes: Set<string> }>();
  for (const { name, place, others } of chosen) {
    for (const { file, scope } of [place, ...others].filter((at) => at.client === client)) {
      const found = replaced.get(file) ?? { servers: new Set(), scopes: new Set() };
      found.servers.add(name);
      found.scopes.add(scope);
      replaced.set(file, found);
    }
  }
  return [...replaced].map(([file, { servers, scopes }]) => ({
    file,
    servers: [...servers],
    affectsOtherProjects: scopes.has("user"),
  }));
}

/** The inputs of VS Code that some chosen server refers to. */
function inputsOf(variables: readonly string[], configs: readonly FoundConfig[]): JsonObject[] {
  const found = new Map<string, JsonObject>(
    configs.flatMap(({ inputs = [] }) => inputs.map((input) => [toVariableName(String(input["id"])), input])),
  );
  return variables.map((name) => found.get(name)).filter((input) => input !== undefined);
}

function snippetFor(client: ClientId, keyhole: JsonObject, inputs: readonly JsonObject[]): string {
  if (client === "codex") {
    const lines = Object.entries(keyhole).map(([key, value]) => `${key} = ${toToml(value)}`);
    return ["[mcp_servers.keyhole]", ...lines].join("\n");
  }
  const around = client === "vscode" && inputs.length > 0 ? { inputs } : {};
  return JSON.stringify({ ...around, [serversKey(client)]: { keyhole } }, null, 2);
}

/** Claude Desktop keeps one file a user; the others have one in the project, where an entry for it belongs. */
export function clientFile(client: ClientId, places: Places): string {
  const { projectDir } = places;
  switch (client) {
    case "claude-code":
      return join(projectDir, ".mcp.json");
    case "claude-desktop":
      return join(appDataDir(places), "Claude", "claude_desktop_config.json");
    case "cursor":
      return join(projectDir, ".cursor", "mcp.json");
    case "vscode":
      return join(projectDir, ".vscode", "mcp.json");
    case "codex":
      return join(projectDir, ".codex", "config.toml");
    case "gemini":
      return join(projectDir, ".gemini", "settings.json");
  }
}

function toToml(value: JsonValue): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}
