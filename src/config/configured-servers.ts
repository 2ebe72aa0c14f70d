import { KeyholeError } from "../errors.ts";
import { type FoundConfig, findClientConfig } from "./clients.ts";
import { formatKeyPath } from "./files/key-path.ts";
import { nearestKey } from "./nearest-key.ts";
import type { Layer } from "./own-config.ts";
import type { Places } from "./places.ts";
import type { ServerList } from "./read-servers.ts";
import { hasHeader, withBearer } from "./read-transport.ts";
import type { ServerEntry } from "./schema.ts";
import {
  type ClientId,
  DEFAULT_SETTINGS,
  type HttpTarget,
  type ServerDefinition,
  type ServerSettings,
  type StdioTarget,
} from "./server-definition.ts";

export type Configured = { name: string; entry: ServerEntry; layer: Layer };

/** Of files that lie in the user's own folders. */
const USERS_SCOPES = new Set(["user", "local"]);

export type AppliedServers = ServerList & {
  /** Links that led to a file of the project, and those that led to one of the user's own, with the entry. */
  linkedInProject: ReadonlySet<string>;
  linkedToUser: ReadonlyMap<string, ServerEntry>;
};

/**
 * Lays the `servers` of Keyhole's config over those of `.mcp.json`. The user's own speak of servers that other projects have, or
 * reach otherwise: no project is stopped by that.
 */
export async function applyConfigured(
  configured: readonly Configured[],
  fromMcpJson: ServerList,
  places: Places,
  { ofUser = false }: { readonly ofUser?: boolean } = {},
): Promise<AppliedServers> {
  const servers = new Map(fromMcpJson.servers.map((server) => [server.name, server]));
  const invalid = new Map(fromMcpJson.invalidServers.map((server) => [server.name, server]));
  const notices = [...fromMcpJson.notices];
  const clients = new Map<ClientId, FoundConfig[]>();
  const linkedInProject = new Set<string>();
  const linkedToUser = new Map<string, ServerEntry>();

  function layOver(below: ServerDefinition, item: Configured): void {
    const { name } = item;
    try {
      servers.set(name, overlay(below, item));
    } catch (error) {
      if (!(ofUser && error instanceof KeyholeError)) throw error;
      servers.delete(name);
      invalid.set(name, { name, error });
    }
  }

  for (const item of configured) {
    const { name, entry, layer } = item;
    const below = servers.get(name);
    const isOwn = entry.command !== undefined || entry.url !== undefined;
    if (!isOwn && entry.from === undefined) {
      if (below !== undefined) layOver(below, item);
      else if (!(ofUser || invalid.has(name))) throw noBase(item, [...servers.keys()]);
      continue;
    }
    invalid.delete(name);
    if (below !== undefined) {
      notices.push(
        `server "${name}": ${layer.document.file} wins over ${below.source.file} (${below.source.path})`,
      );
    }
    if (isOwn) {
      servers.set(name, ownDefinition(item));
      continue;
    }
    try {
      const linked = await findLinked(item, clients, places);
      notices.push(...linked.notices);
      if (USERS_SCOPES.has(linked.scope)) linkedToUser.set(name, entry);
      else linkedInProject.add(name);
      servers.set(name, overlay({ ...linked.server, name }, item));
    } catch (error) {
      if (!(error instanceof KeyholeError)) throw error;
      servers.delete(name);
      invalid.set(name, { name, error });
    }
  }
  return {
    servers: [...servers.values()],
    invalidServers: [...invalid.values()],
    notices,
    linkedInProject,
    linkedToUser,
  };
}

function ownDefinition({ name, entry, layer }: Configured): ServerDefinition {
  const path = formatKeyPath([...layer.root, "servers", name]);
  const transport: StdioTarget | HttpTarget =
    entry.url === undefined
      ? { type: "stdio", command: entry.command ?? "", args: [], env: {}, inheritEnv: [] }
      : { type: entry.type === "sse" ? "sse" : "http", url: entry.url, headers: {} };
  const source = { file: layer.document.file, client: "keyhole", path } as const;
  return overlay({ name, source, transport, settings: DEFAULT_SETTINGS }, { name, entry, layer });
}

function overlay(base: ServerDefinition, item: Configured): ServerDefinition {
  const { transport } = base;
  return {
    ...base,
    transport: transport.type === "stdio" ? overlayStdio(transport, item) : overlayHttp(transport, item),
    settings: { ...base.settings, ...settingsOf(item.entry) },
  };
}

function overlayStdio(transport: StdioTarget, item: Configured): StdioTarget {
  const { args, env, envFile, inheritEnv, cwd } = item.entry;
  refuse(item, ["headers", "bearerToken"], "a command");
  return {
    ...transport,
    args: args ?? transport.args,
    env: { ...transport.env, ...env },
    inheritEnv: inheritEnv ?? transport.inheritEnv,
    ...(envFile === undefined ? {} : { envFile }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function overlayHttp(transport: HttpTarget, item: Configured): HttpTarget {
  const { headers = {}, bearerToken } = item.entry;
  refuse(item, ["args", "env", "envFile", "inheritEnv", "cwd"], "an address");
  const own = withBearer(headers, bearerToken);
  if (bearerToken !== undefined && hasHeader(headers, "authorization")) {
    throw problem(item, "bearerToken", "stands beside an Authorization header", "Keep one of them");
  }
  // A header's name is the same in any case: what is written here replaces what was there.
  const kept = Object.entries(transport.headers).filter(([header]) => !hasHeader(own, header.toLowerCase()));
  return { ...transport, headers: { ...Object.fromEntries(kept), ...own } };
}

function refuse(item: Configured, keys: readonly (keyof ServerEntry)[], reached: string): void {
  const wrong = keys.find((key) => item.entry[key] !== undefined);
  if (wrong === undefined) return;
  throw problem(item, wrong, `has no meaning: the server is reached by ${reached}`, `Remove "${wrong}"`);
}

function settingsOf(entry: ServerEntry): Partial<ServerSettings> {
  const { enabled, trusted, connectTimeoutMs, timeoutMs, maxConcurrency, maxMessageBytes, protocol } = entry;
  const { maxMessageValues, parseText, includeTools, excludeTools } = entry;
  const settings = {
    enabled,
    trusted,
    connectTimeoutMs,
    timeoutMs,
    maxConcurrency,
    maxMessageBytes,
    maxMessageValues,
    protocol,
    parseText,
  };
  const given = Object.entries({ ...settings, includeTools, excludeTools }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given);
}

async function findLinked(
  item: Configured,
  clients: Map<ClientId, FoundConfig[]>,
  places: Places,
): Promise<{ server: ServerDefinition; scope: string; notices: string[] }> {
  const { entry } = item;
  const client = entry.from ?? "claude-code";
  const found = clients.get(client) ?? (await findClientConfig(client, places));
  clients.set(client, found);
  const name = entry.name ?? item.name;
  for (const config of found) {
    const server = config.servers.find((candidate) => candidate.name === name);
    const notices = found.flatMap((other) =>
      other.notices.filter((text) => text.includes(`server "${name}"`)),
    );
    if (server !== undefined) return { server, scope: config.scope, notices };
    const invalid = config.invalidServers.find((candidate) => candidate.name === name);
    if (invalid !== undefined) throw invalid.error;
  }
  const unread = found.find(({ error }) => error !== undefined)?.error;
  if (unread !== undefined) throw unread;
  const names = found.flatMap(({ servers }) => servers.map((server) => server.name));
  const nearest = nearestKey(name, names);
  const meant = nearest === undefined ? "" : `, did you mean "${nearest}"?`;
  const text = `points to server "${name}" of ${client}, which is not there${meant}`;
  throw problem(item, "from", text, `Define the server here, or in ${client}`);
}

function noBase(item: Configured, names: string[]): KeyholeError {
  const nearest = nearestKey(item.name, names);
  const meant = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  const text = `has settings only, but no .mcp.json defines a server of that name${meant}`;
  return problem(item, undefined, text, `Give it a "command" or a "url", or "from": a client that has it`);
}

function problem(
  { name, layer }: Configured,
  key: string | undefined,
  text: string,
  hint: string,
): KeyholeError {
  const path = [...layer.root, "servers", name, ...(key === undefined ? [] : [key])];
  const message = `${layer.document.at(path, "key")}: key "${formatKeyPath(path)}" ${text}`;
  return new KeyholeError("config_invalid", message, { hint, server: name });
}
