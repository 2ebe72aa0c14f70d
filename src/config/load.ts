import { stat } from "node:fs/promises";
import { KeyholeError } from "../errors.ts";
import { type ConfigDocument, readDocument } from "./files/document.ts";
import { isJsonObject, type JsonValue } from "./files/json-value.ts";
import { isKeyhole } from "./is-keyhole.ts";
import { findMcpJson, mcpJsonReader } from "./mcp-json.ts";
import { nearestKey } from "./nearest-key.ts";
import { BLOCK_KEY, blockOf, mergeLayers, readOwnConfig } from "./own-config.ts";
import type { PolicySource } from "./permissions/policy-source.ts";
import { unknownServers } from "./permissions/unknown-servers.ts";
import { type LoadOptions, toPlaces } from "./places.ts";
import { readServers, type ServerList } from "./read-servers.ts";
import type { KeyholeConfig } from "./schema.ts";
import type { InvalidServer, ServerDefinition } from "./server-definition.ts";
import { readUserConfig } from "./user-config.ts";

export type { LoadOptions } from "./places.ts";

export type LoadedConfig = {
  projectDir: string;
  config: KeyholeConfig;
  /** What each config file says of calls: all are asked, and the strictest answer holds. */
  policies: readonly PolicySource[];
  servers: ServerDefinition[];
  /** Servers that another program's file defines wrongly; the others are not touched by it. */
  invalidServers: InvalidServer[];
  notices: string[];
  /** Those of the notices that tell of settings which this version does not carry out. */
  unenforced: string[];
  /** The files that were read. */
  files: string[];
};

/** Reads Keyhole's config and the nearest `.mcp.json`. Throws on the first file that is wrong as a whole. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const places = toPlaces(options);
  await checkFolder(places.projectDir);
  const mcpJson = await findMcpJson(places);
  const { layer: own, notices: ownNotices } = await readOwnConfig(places, mcpJson.file);
  const document = mcpJson.file === undefined ? undefined : await readDocument(mcpJson.file);
  const inMcpJson = document === undefined ? undefined : blockOf(document);

  const user = await readUserConfig(places);
  const layers = [user, own, inMcpJson];
  const { config, policies, notices, unenforced } = await mergeLayers({ user, own, inMcpJson });
  const fromMcpJson = document === undefined ? NO_SERVERS : readMcpJson(document);
  const configured = Object.entries(config.servers).flatMap(([name, entry]) => {
    const layer = layers.find((layer) => hasServer(layer?.block["servers"], name));
    return layer === undefined ? [] : [{ name, entry, layer }];
  });
  const list =
    configured.length === 0
      ? fromMcpJson
      : await (await import("./configured-servers.ts")).applyConfigured(configured, fromMcpJson, places);

  const { servers, invalidServers, notices: listNotices } = withoutItself(list);
  return {
    projectDir: places.projectDir,
    config,
    policies,
    servers,
    invalidServers,
    notices: [
      ...mcpJson.notices,
      ...ownNotices,
      ...(user?.document.notices ?? []),
      ...(own?.document.notices ?? []),
      ...(document?.notices ?? []),
      ...notices,
      ...unenforced,
      ...listNotices,
      ...unknownServers(policies, [...servers, ...invalidServers], user?.document.file),
    ],
    unenforced,
    files: [user?.document.file, own?.document.file, document?.file].filter((file) => file !== undefined),
  };
}

/**
 * Behind itself Keyhole would start itself without end. That it stands in `.mcp.json` for the client is as it should be,
 * and told only where nothing else does.
 */
export function withoutItself({ servers, invalidServers, notices }: ServerList): ServerList {
  const itself = servers.filter(({ transport }) => isKeyhole(transport));
  const others = servers.filter((server) => !itself.includes(server));
  const told = itself.map(
    ({ name, source }) => `server "${name}" of ${source.file} is Keyhole itself and is left out`,
  );
  return { servers: others, invalidServers, notices: others.length > 0 ? notices : [...notices, ...told] };
}

const NO_SERVERS: ServerList = { servers: [], invalidServers: [], notices: [] };

function readMcpJson(document: ConfigDocument): ServerList {
  if (!isJsonObject(document.data)) {
    const message = `${document.at([])}: The file must hold an object`;
    throw new KeyholeError("config_invalid", message, { hint: 'Write { "mcpServers": { … } }' });
  }
  const list = readServers(document, ["mcpServers"], mcpJsonReader);
  for (const key of Object.keys(document.data)) {
    if (key === "mcpServers" || key === BLOCK_KEY) continue;
    const nearest = looksLikeServer(document.data[key])
      ? "mcpServers"
      : nearestKey(key, ["mcpServers", BLOCK_KEY]);
    if (nearest === undefined) continue;
    list.notices.push(`${document.at([key], "key")}: key "${key}" is ignored, did you mean "${nearest}"?`);
  }
  return list;
}

/** A server, or a record of servers, under another name than the one that is read. */
function looksLikeServer(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const entries = [value, ...Object.values(value)].filter(isJsonObject);
  return entries.some((entry) => typeof entry["command"] === "string" || typeof entry["url"] === "string");
}

async function checkFolder(projectDir: string): Promise<void> {
  const stats = await stat(projectDir).catch(() => undefined);
  if (stats?.isDirectory()) return;
  const why = stats === undefined ? "it does not exist" : "it is not a folder";
  throw new KeyholeError("config_unreadable", `Cannot use "${projectDir}" as the project's folder: ${why}`, {
    hint: "Give an existing folder as the project",
  });
}

function hasServer(servers: unknown, name: string): boolean {
  return typeof servers === "object" && servers !== null && Object.hasOwn(servers, name);
}
