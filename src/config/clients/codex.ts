import { join } from "node:path";
import { isJsonObject } from "../files/json-value.ts";
import type { Places } from "../places.ts";
import type { ServerReader } from "../read-servers.ts";
import { withBearer } from "../read-transport.ts";
import type { HttpTarget, ServerSettings, StdioTarget } from "../server-definition.ts";
import { toLiteral } from "../variables.ts";
import type { WrittenServer } from "../written-server.ts";
import { type FoundConfig, readClientFile } from "./client-file.ts";

const OWN_APPROVALS = "what needs approval is decided by Keyhole";

/** Expands no variables: the names of variables have keys of their own. */
const reader: ServerReader = {
  client: "codex",
  keys: [
    "command",
    "args",
    "env",
    "env_vars",
    "cwd",
    "url",
    "bearer_token_env_var",
    "http_headers",
    "env_http_headers",
    "enabled",
    "enabled_tools",
    "disabled_tools",
    "startup_timeout_sec",
    "startup_timeout_ms",
    "tool_timeout_sec",
  ],
  inert: ["required", "name", "description"],
  unsupported: {
    default_tools_approval_mode: OWN_APPROVALS,
    tools: OWN_APPROVALS,
    scopes: "signing in by OAuth is not supported yet; use bearer_token_env_var",
    oauth: "signing in by OAuth is not supported yet; use bearer_token_env_var",
  },
  convert: toLiteral,
  read: (entry) => ({ transport: readTransport(entry), settings: readSettings(entry) }),
};

/** The project's file wins over the one of the home folder. */
export async function findCodex({ projectDir, homeDir, env }: Places): Promise<FoundConfig[]> {
  const own = env["CODEX_HOME"] || join(homeDir, ".codex");
  const inProject = join(projectDir, ".codex");
  const read = (dir: string, scope: string) =>
    readClientFile({
      client: "codex",
      file: join(dir, "config.toml"),
      scopes: () => [{ scope, path: ["mcp_servers"], reader }],
    });
  return [...(own === inProject ? [] : await read(inProject, "project")), ...(await read(own, "user"))];
}

function readTransport(entry: WrittenServer): StdioTarget | HttpTarget {
  if (entry.has("command") && entry.has("url"))
    entry.fail("url", 'stands beside "command"', "Remove one of them");
  if (entry.has("url")) return readHttp(entry);
  if (!entry.has("command")) {
    entry.fail("command", 'is missing, and so is "url"', 'Give the server a "command" or a "url"');
  }
  const cwd = entry.text("cwd");
  return {
    type: "stdio",
    command: entry.text("command") ?? "",
    args: entry.texts("args") ?? [],
    env: entry.map("env") ?? {},
    inheritEnv: readNames(entry),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function readHttp(entry: WrittenServer): HttpTarget {
  const fromEnv = Object.entries(entry.map("env_http_headers") ?? {});
  const headers = {
    ...entry.map("http_headers"),
    ...Object.fromEntries(
      fromEnv.map(([header, variable]) => [header, reference(entry, "env_http_headers", variable)]),
    ),
  };
  const variable = entry.text("bearer_token_env_var");
  const token = variable === undefined ? undefined : reference(entry, "bearer_token_env_var", variable);
  return { type: "http", url: entry.text("url") ?? "", headers: withBearer(headers, token) };
}

function reference(entry: WrittenServer, key: string, variable: string): string {
  if (/^[A-Za-z_]\w*$/.test(variable)) return `\${${variable}}`;
  return entry.fail(
    key,
    "must name a variable",
    "Put the value into a variable and write the variable's name here",
  );
}

/** A name, or a table `{ name, source }`. */
function readNames(entry: WrittenServer): string[] {
  const names = entry.raw("env_vars");
  if (names === undefined) return [];
  if (!Array.isArray(names))
    return entry.fail("env_vars", "must be a list of names", 'Write env_vars = ["NAME"]');
  return names.map((item) => {
    const name = isJsonObject(item) ? item["name"] : item;
    if (typeof name === "string") return name;
    return entry.fail("env_vars", "must be a list of names", 'Write env_vars = ["NAME"]');
  });
}

function readSettings(entry: WrittenServer): Partial<ServerSettings> {
  const connectTimeoutMs =
    entry.duration("startup_timeout_sec", 1000) ?? entry.duration("startup_timeout_ms", 1);
  const timeoutMs = entry.duration("tool_timeout_sec", 1000);
  const includeTools = entry.texts("enabled_tools");
  const excludeTools = entry.texts("disabled_tools");
  return {
    enabled: entry.flag("enabled") ?? true,
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(includeTools === undefined ? {} : { includeTools }),
    ...(excludeTools === undefined ? {} : { excludeTools }),
  };
}
