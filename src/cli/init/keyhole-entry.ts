import type { JsonObject } from "../../config/files/json-value.ts";
import type { Places } from "../../config/places.ts";
import type { ClientId } from "../../config/server-definition.ts";
import { toVariableName, variablesIn } from "../../config/variables.ts";
import { toLauncher } from "./launcher.ts";

/** The variables that Keyhole needs from a client, and those of them that VS Code asks its user for. */
export type Needs = { variables: readonly string[]; inputs: readonly JsonObject[] };

/** Keyhole as a server of this client. */
export function toKeyholeEntry(
  client: ClientId,
  [command = "", ...args]: readonly string[],
  { variables, inputs }: Needs,
): JsonObject {
  const env = toEnv(client, variables, inputs);
  switch (client) {
    case "codex":
      // Hands on no variables but those named here.
      return { command, args, ...(variables.length > 0 ? { env_vars: [...variables] } : {}) };
    case "vscode":
      return { type: "stdio", command, args, ...env };
    default:
      return { command, args, ...env };
  }
}

/** Claude Code and VS Code hand on their own environment; Claude Desktop can't refer to it. */
function toEnv(
  client: ClientId,
  variables: readonly string[],
  inputs: readonly JsonObject[],
): { env?: JsonObject } {
  const asked = new Map(inputs.map(({ id }) => [toVariableName(String(id)), String(id)]));
  const entries = variables.flatMap((name): [string, string][] => {
    if (client === "cursor") return [[name, `\${env:${name}}`]];
    if (client === "gemini") return [[name, `$${name}`]];
    const id = client === "vscode" ? asked.get(name) : undefined;
    return id === undefined ? [] : [[name, `\${input:${id}}`]];
  });
  return entries.length === 0 ? {} : { env: Object.fromEntries(entries) };
}

/** Where the servers stand in a client's file. */
export function serversKey(client: ClientId): string {
  if (client === "codex") return "mcp_servers";
  return client === "vscode" ? "servers" : "mcpServers";
}

export function toCommand({ projectDir, platform }: Places, main?: string): string[] {
  const command = [...toLauncher(main), "serve", "--project", projectDir];
  // On Windows npx is a script, which only a shell can start.
  return platform === "win32" && command[0] === "npx" ? ["cmd", "/c", ...command] : command;
}

/** Variables that the entries of a config refer to, or hand on. */
export function variablesOf(servers: readonly unknown[]): string[] {
  const names = servers.flatMap((server) =>
    Object.entries(Object(server)).flatMap(([key, value]) =>
      key === "inheritEnv" ? textsIn(value) : textsIn(value).flatMap(variablesIn),
    ),
  );
  return [...new Set(names)].filter((name) => !PROVIDED.has(name)).sort();
}

/** Known to Keyhole without anyone setting them. */
const PROVIDED = new Set(["HOME", "KEYHOLE_PROJECT_DIR", "CLAUDE_PROJECT_DIR"]);

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
