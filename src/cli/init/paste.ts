import { join } from "node:path";
import { appDataDir, type Places } from "../../config/places.ts";
import type { ClientId, ServerDefinition } from "../../config/server-definition.ts";
import { variablesIn } from "../../config/variables.ts";
import type { Candidate } from "./find.ts";
import { toLauncher } from "./launcher.ts";

export type Paste = {
  client: ClientId;
  file: string;
  snippet: string;
  /** The servers that this entry takes the place of, by the file that has them. */
  replaces: { file: string; servers: string[]; affectsOtherProjects: boolean }[];
};

export type PasteOptions = {
  /** A linked server must stay where it is. */
  link: boolean;
  /** Where the running Keyhole lies. */
  main?: string;
};

/** What to put into a client's file so that it reaches the servers through Keyhole. */
export function createPaste(
  client: ClientId,
  chosen: readonly Candidate[],
  places: Places,
  { link, main }: PasteOptions,
): Paste {
  return {
    client,
    file: clientFile(client, places),
    snippet: snippetFor(client, toCommand(places, main), variablesOf(chosen)),
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

function toCommand({ projectDir, platform }: Places, main: string | undefined): string[] {
  const command = [...toLauncher(main), "serve", "--project", projectDir];
  // On Windows npx is a script, which only a shell can start.
  return platform === "win32" && command[0] === "npx" ? ["cmd", "/c", ...command] : command;
}

function snippetFor(
  client: ClientId,
  [command = "", ...args]: readonly string[],
  variables: readonly string[],
): string {
  if (client === "codex") {
    const lines = [
      "[mcp_servers.keyhole]",
      `command = ${JSON.stringify(command)}`,
      `args = ${toTomlList(args)}`,
    ];
    // Codex hands on no variables but those named here.
    if (variables.length > 0) lines.push(`env_vars = ${toTomlList(variables)}`);
    return lines.join("\n");
  }
  const keyhole = client === "vscode" ? { type: "stdio", command, args } : { command, args };
  return JSON.stringify({ [client === "vscode" ? "servers" : "mcpServers"]: { keyhole } }, null, 2);
}

/** Claude Desktop keeps one file a user; the others have one in the project, where an entry for it belongs. */
function clientFile(client: ClientId, places: Places): string {
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

function variablesOf(chosen: readonly Candidate[]): string[] {
  const names = chosen.flatMap(({ server }) =>
    textsOf(server).flatMap(variablesIn).concat(inheritedBy(server)),
  );
  return [...new Set(names)].filter((name) => !PROVIDED.has(name)).sort();
}

/** Known to Keyhole without anyone setting them. */
const PROVIDED = new Set(["HOME", "KEYHOLE_PROJECT_DIR", "CLAUDE_PROJECT_DIR"]);

function textsOf({ transport }: ServerDefinition): string[] {
  if (transport.type !== "stdio") return [transport.url, ...Object.values(transport.headers)];
  const { command, args, env, envFile = "", cwd = "" } = transport;
  return [command, ...args, ...Object.values(env), envFile, cwd];
}

function inheritedBy({ transport }: ServerDefinition): string[] {
  return transport.type === "stdio" ? transport.inheritEnv : [];
}

function toTomlList(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}
