import type { ServerReader } from "./read-servers.ts";
import type { HttpTarget, ServerSettings, StdioTarget } from "./server-definition.ts";
import type { WrittenServer } from "./written-server.ts";

/** The keys of the shape that `.mcp.json` made common. */
export const COMMON_KEYS = [
  "type",
  "command",
  "args",
  "env",
  "envFile",
  "cwd",
  "url",
  "headers",
  "bearerToken",
  "disabled",
  "enabled",
  "timeout",
] as const;

export const INERT_KEYS = [
  "description",
  "name",
  "version",
  "gallery",
  "icon",
  "icons",
  "note",
  "comment",
  "$comment",
];

const NO_OAUTH = "signing in by OAuth is not supported yet; give a token in the headers";
const OWN_APPROVALS = "what needs approval is decided by Keyhole";

export const UNSUPPORTED_KEYS: Readonly<Record<string, string>> = {
  oauth: NO_OAUTH,
  auth: NO_OAUTH,
  headersHelper: "programs that make headers are not supported; put the header's value into a ${VAR}",
  autoApprove: OWN_APPROVALS,
  alwaysAllow: OWN_APPROVALS,
  sandbox: "how a server is confined is not taken over",
  sandboxEnabled: "how a server is confined is not taken over",
};

/** Below this, Claude Code ignores a timeout, and other programs mean seconds. */
const SHORTEST_TIMEOUT_MS = 1000;

export function readCommonServer(entry: WrittenServer): ReturnType<ServerReader["read"]> {
  const type = readType(entry);
  const hasCommand = entry.has("command");
  const hasUrl = entry.has("url");
  if (!hasCommand && !hasUrl)
    entry.fail("command", 'is missing, and so is "url"', 'Give the server a "command" or a "url"');
  if (hasCommand && hasUrl && type === undefined) {
    entry.fail("url", 'stands beside "command"', 'Remove one of them, or say which by "type"');
  }
  const isStdio = type === undefined ? hasCommand : type === "stdio";
  if (isStdio && !hasCommand)
    entry.fail("command", 'is missing for type "stdio"', 'Give it a "command", or type "http"');
  if (!isStdio && !hasUrl)
    entry.fail("url", `is missing for type "${type}"`, 'Give it a "url", or type "stdio"');
  return {
    transport: isStdio ? readStdio(entry) : readHttp(entry, "url", type === "sse" ? "sse" : "http"),
    settings: readCommonSettings(entry),
  };
}

function readCommonSettings(entry: WrittenServer): Partial<ServerSettings> {
  const timeoutMs = entry.duration("timeout", 1);
  if (timeoutMs !== undefined && timeoutMs < SHORTEST_TIMEOUT_MS) {
    entry.note("timeout", `key "timeout" is in milliseconds; ${timeoutMs} is too short and is ignored`);
  }
  return {
    enabled: entry.flag("disabled") !== true && entry.flag("enabled") !== false,
    ...(timeoutMs !== undefined && timeoutMs >= SHORTEST_TIMEOUT_MS ? { timeoutMs } : {}),
  };
}

export function readStdio(entry: WrittenServer): StdioTarget {
  const envFile = entry.text("envFile");
  const cwd = entry.text("cwd");
  noteIgnored(entry, ["headers", "bearerToken"], "a command");
  return {
    type: "stdio",
    command: entry.text("command") ?? "",
    args: entry.texts("args") ?? [],
    env: entry.map("env") ?? {},
    inheritEnv: [],
    ...(envFile === undefined ? {} : { envFile }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

export function readHttp(entry: WrittenServer, urlKey: string, type: HttpTarget["type"]): HttpTarget {
  noteIgnored(entry, ["args", "env", "envFile", "cwd"], "an address");
  const headers = entry.map("headers") ?? {};
  const token = entry.text("bearerToken");
  if (token !== undefined && hasHeader(headers, "authorization")) {
    entry.note("bearerToken", 'key "bearerToken" is ignored: the headers have an Authorization already');
  }
  return { type, url: entry.text(urlKey) ?? "", headers: withBearer(headers, token) };
}

function noteIgnored(entry: WrittenServer, keys: readonly string[], reached: string): void {
  for (const key of keys) {
    const value = entry.raw(key);
    const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0;
    if (value === undefined || isEmpty) continue;
    entry.note(key, `key "${key}" is ignored: the server is reached by ${reached}`);
  }
}

/** The headers with `Authorization: Bearer …`, unless they have an Authorization already. */
export function withBearer(
  headers: Record<string, string>,
  token: string | undefined,
): Record<string, string> {
  if (token === undefined || hasHeader(headers, "authorization")) return headers;
  return { ...headers, Authorization: `Bearer ${token}` };
}

export function hasHeader(headers: Record<string, string>, name: string): boolean {
  return Object.keys(headers).some((header) => header.toLowerCase() === name);
}

/** Undefined when the entry names no type. */
export function readType(entry: WrittenServer): "stdio" | "http" | "sse" | undefined {
  const written = entry.text("type");
  switch (written?.toLowerCase().replace(/[-_]/g, "")) {
    case undefined:
      return undefined;
    case "stdio":
    case "local":
      return "stdio";
    case "http":
    case "streamablehttp":
    case "remote":
      return "http";
    case "sse":
      return "sse";
    case "ws":
    case "websocket":
      return entry.fail(
        "type",
        `is "${written}", and WebSocket is not supported`,
        'Use the server\'s "http" or "sse" address',
      );
    default:
      return entry.fail("type", `is "${written}", which is not known`, 'Use "stdio", "http" or "sse"');
  }
}
