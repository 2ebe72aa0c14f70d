import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { KeyholeError } from "../errors.ts";
import { readText } from "./files/document.ts";
import type { HttpTarget, ServerDefinition, StdioTarget } from "./server-definition.ts";
import { parseTemplate } from "./variables.ts";

/** Known in every server's definition; `${workspaceFolder}` of the editors becomes this. */
export const PROJECT_VARIABLE = "KEYHOLE_PROJECT_DIR";
const CLAUDE_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR";

export type ResolvedStdioTarget = Omit<StdioTarget, "envFile" | "inheritEnv" | "cwd"> & { cwd: string };

export type ResolvedServer = Omit<ServerDefinition, "transport"> & {
  transport: ResolvedStdioTarget | HttpTarget;
};

export type ResolveContext = { env: NodeJS.ProcessEnv; projectDir: string; homeDir: string };

/** Puts in the values of variables. What comes out may hold secrets: never print or store it. */
export async function resolveServer(
  server: ServerDefinition,
  outer: ResolveContext,
): Promise<ResolvedServer> {
  const { transport } = server;
  const context = { ...outer, projectDir: homeOf(server, outer.projectDir) };
  const resolved =
    transport.type === "stdio"
      ? await resolveStdio(server, transport, context)
      : resolveHttp(server, transport, context);
  return { ...server, transport: resolved };
}

export type EnvFileContent = { readonly digest: string; readonly values: Record<string, string> };

/** The env file of a server as it is now. */
export async function envFileOf(
  server: ServerDefinition,
  written: string,
  outer: ResolveContext,
): Promise<EnvFileContent> {
  const context = { ...outer, projectDir: homeOf(server, outer.projectDir) };
  const text = expandHome(expandText(written, "envFile", server, context), context.homeDir);
  return readEnvFile(resolve(context.projectDir, text), server);
}

async function resolveStdio(
  server: ServerDefinition,
  transport: StdioTarget,
  context: ResolveContext,
): Promise<ResolvedStdioTarget> {
  const { projectDir, homeDir } = context;
  const expand = (text: string, key: string) => expandText(text, key, server, context);
  const path = (text: string, key: string) => resolve(projectDir, expandHome(expand(text, key), homeDir));

  const env = {
    ...(usesClaudeVariables(server) ? { [CLAUDE_PROJECT_VARIABLE]: projectDir } : {}),
    ...inherited(transport.inheritEnv, context.env),
    ...(transport.envFile === undefined
      ? {}
      : await readTrustedEnvFile(path(transport.envFile, "envFile"), server)),
    ...mapValues(transport.env, (text, name) => expand(text, `env.${name}`)),
  };
  for (const [name, value] of Object.entries(env)) {
    if (!/^[^=\0]+$/.test(name)) throw invalid(server, "env", "has a name that no variable can have");
    if (value.includes("\0")) throw invalid(server, `env.${name}`, "has a value with a NUL character");
  }
  // Programs such as mcp-remote read `${X}` in their arguments themselves, from the server's own environment.
  const forServer = new Set(Object.keys(env).filter((name) => context.env[name] === undefined));
  const args = transport.args.map((arg, index) =>
    expandText(arg, `args[${index}]`, server, context, forServer),
  );
  const command = expandHome(expand(transport.command, "command"), homeDir);
  if (command === "") throw invalid(server, "command", "is empty once its variables are put in");
  if ([command, ...args].some((text) => text.includes("\0")))
    throw invalid(server, "args", "has a NUL character");
  return {
    type: "stdio",
    command,
    args,
    env,
    cwd: transport.cwd === undefined ? projectDir : path(transport.cwd, "cwd"),
  };
}

function resolveHttp(server: ServerDefinition, transport: HttpTarget, context: ResolveContext): HttpTarget {
  const url = expandText(transport.url, "url", server, context);
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol !== "http:" && protocol !== "https:") {
    throw invalid(server, "url", "must be an http or https address");
  }
  const headers = mapValues(transport.headers, (text, name) => {
    const key = `headers.${name}`;
    const value = expandText(text, key, server, context).trim();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw invalid(server, key, "has a name that no header can have");
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw invalid(server, key, "has a value that no header can have, such as one with a line break");
    }
    return value;
  });
  return { type: transport.type, ...withoutUserInfo(url, headers) };
}

/** `fetch` refuses an address with a name and password in it, and repeats both in its message. They belong in a header. */
function withoutUserInfo(
  address: string,
  headers: Record<string, string>,
): Pick<HttpTarget, "url" | "headers"> {
  const url = new URL(address);
  if (url.username === "" && url.password === "") return { url: address, headers };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  const basic = { Authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  return { url: url.href, headers: isSet ? headers : { ...headers, ...basic } };
}

/** Relative paths are meant from the folder of the project's own file, also when a command is called further down. */
function homeOf({ source }: ServerDefinition, projectDir: string): string {
  return source.client === "mcp-json" || source.client === "keyhole" ? dirname(source.file) : projectDir;
}

function expandText(
  text: string,
  key: string,
  server: ServerDefinition,
  context: ResolveContext,
  leave: ReadonlySet<string> = new Set(),
): string {
  return parseTemplate(text)
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      if (piece.fallback?.includes("${")) {
        throw invalid(
          server,
          key,
          `has a variable within the default of "${piece.name}", which is not supported`,
        );
      }
      const value = lookUp(piece.name, server, context);
      if (piece.fallback !== undefined) return value || piece.fallback;
      if (value !== undefined) return value;
      if (leave.has(piece.name)) return piece.written;
      throw unset(piece.name, key, server);
    })
    .join("");
}

function lookUp(
  name: string,
  server: ServerDefinition,
  { env, projectDir, homeDir }: ResolveContext,
): string | undefined {
  if (name === PROJECT_VARIABLE) return projectDir;
  const value = env[name];
  if (value !== undefined) return value;
  if (name === "HOME") return homeDir;
  return name === CLAUDE_PROJECT_VARIABLE && usesClaudeVariables(server) ? projectDir : undefined;
}

/** Claude Code hands this variable to its servers, so theirs, and copies of theirs, may count on it. */
function usesClaudeVariables({ source: { client } }: ServerDefinition): boolean {
  return client === "mcp-json" || client === "claude-code" || client === "keyhole";
}

function inherited(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function readEnvFile(file: string, server: ServerDefinition): Promise<EnvFileContent> {
  try {
    const text = await readText(file);
    const entries = Object.entries(parseEnv(text));
    const values = entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return { digest: createHash("sha256").update(text).digest("hex"), values: Object.fromEntries(values) };
  } catch (error) {
    if (!(error instanceof KeyholeError)) throw error;
    const message = `${server.source.file}: key "${server.source.path}.envFile": ${error.message}`;
    throw new KeyholeError("config_unreadable", message, { server: server.name, cause: error });
  }
}

/** What was read is what was trusted: it is not looked at a second time. */
async function readTrustedEnvFile(file: string, server: ServerDefinition): Promise<Record<string, string>> {
  const { digest, values } = await readEnvFile(file, server);
  if (server.envFileDigest === undefined || server.envFileDigest === digest) return values;
  const message = `Server "${server.name}" is not started: "${file}" has changed since it was trusted`;
  throw new KeyholeError("untrusted", message, {
    server: server.name,
    hint: "Run `keyhole trust` and start Keyhole again",
  });
}

function mapValues(record: Record<string, string>, convert: (value: string, name: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value, name)]));
}

function expandHome(path: string, homeDir: string): string {
  if (path === "~") return homeDir;
  return /^~[/\\]/.test(path) ? join(homeDir, path.slice(2)) : path;
}

function unset(variable: string, key: string, { name, source }: ServerDefinition): KeyholeError {
  const message = `Cannot start server "${name}": variable "${variable}" is not set (key "${source.path}.${key}" in ${source.file})`;
  const hint = `Set ${variable}, or write \${${variable}:-default} in the file`;
  return new KeyholeError("variable_unset", message, { server: name, hint });
}

function invalid({ name, source }: ServerDefinition, key: string, text: string): KeyholeError {
  const message = `${source.file}: key "${source.path}.${key}" ${text}`;
  return new KeyholeError("config_invalid", message, {
    server: name,
    hint: `Mend "${key}" of server "${name}"`,
  });
}
