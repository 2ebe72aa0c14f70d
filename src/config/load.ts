import { stat } from "node:fs/promises";
import { KeyholeError } from "../errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { type ConfigDocument, readDocument } from "./files/document.ts";
import { isJsonObject, type JsonValue } from "./files/json-value.ts";
import { isKeyhole, isOwnName } from "./is-keyhole.ts";
import { findMcpJson, mcpJsonReader } from "./mcp-json.ts";
import { nearestKey } from "./nearest-key.ts";
import {
  type AuditOff,
  BLOCK_KEY,
  blockOf,
  type Layer,
  type Layers,
  type MergedConfig,
  mergeLayers,
  readOwnConfig,
} from "./own-config.ts";
import type { PolicySource } from "./permissions/policy-source.ts";
import { unknownServers } from "./permissions/unknown-servers.ts";
import { type LoadOptions, type Places, toPlaces } from "./places.ts";
import { readServers, type ServerList } from "./read-servers.ts";
import type { ApprovalChannel, KeyholeConfig, ServerEntry } from "./schema.ts";
import type { InvalidServer, ServerDefinition } from "./server-definition.ts";
import type { Brought } from "./trust/brought.ts";
import type { BroughtServers, WrittenByProject } from "./trust/judge-servers.ts";
import type { JudgedSettings } from "./trust/judge-settings.ts";
import { loadLedger, type TrustLedger } from "./trust/ledger.ts";
import { untrustedNotice } from "./trust/untrusted-notice.ts";
import { readUserConfig } from "./user-config.ts";

export type { LoadOptions } from "./places.ts";

export type LoadedConfig = {
  projectDir: string;
  config: KeyholeConfig;
  /** What each config file says of calls: all are asked, and the strictest answer holds. */
  policies: readonly PolicySource[];
  servers: ServerDefinition[];
  /** Servers that can't be used as they are: defined wrongly, or not trusted yet. The others are not touched by it. */
  invalidServers: InvalidServer[];
  /** The user's own config, where there is one. */
  usersFile?: string;
  /** Who turns the audit log off, where it is off. */
  auditOff?: AuditOff;
  /** How the user's own config has people asked, whatever the project's says. */
  usersChannels: readonly ApprovalChannel[];
  /** What the project's files bring, and whether the user trusts it. Nothing else of this has any of it that is not trusted. */
  brought: readonly Brought[];
  notices: string[];
  /** The files that were read. */
  files: string[];
};

export type ConfigOptions = LoadOptions & {
  /** Trusts all that the project brings, this time; nothing is written down. */
  trust?: boolean | undefined;
  /** Settings beside those of the files: where both speak, the stricter holds. */
  inline?: Layer | undefined;
};

/** Reads Keyhole's config and the nearest `.mcp.json`. Throws on the first file that is wrong as a whole. */
export async function loadConfig(options: ConfigOptions): Promise<LoadedConfig> {
  const places = toPlaces(options);
  await checkFolder(places.projectDir);
  const mcpJson = await findMcpJson(places);
  const { layer: own, notices: ownNotices } = await readOwnConfig(places, mcpJson.file);
  const document = mcpJson.file === undefined ? undefined : await readDocument(mcpJson.file);
  const inMcpJson = document === undefined ? undefined : blockOf(document);

  const user = await readUserConfig(places);
  const ledger = options.trust === true ? undefined : await loadLedger(places);
  const inForce = await judgeSettings({ own, inMcpJson }, ledger);
  const { config, notices, ...merged } = await mergeLayers({
    inline: options.inline,
    user,
    ...inForce.layers,
  });
  const policies = [...merged.policies, ...inForce.policies];
  const fromMcpJson = document === undefined ? NO_SERVERS : readMcpJson(document);
  const found = await applyLayers(merged, { user, ...inForce.layers }, fromMcpJson, places);
  const { list, brought } =
    ledger === undefined
      ? { list: found.list, brought: [] }
      : await (await import("./trust/judge-servers.ts")).judgeServers(found, ledger, places);

  const all = [...inForce.brought, ...brought];
  const { servers, invalidServers, notices: listNotices } = list;
  return {
    projectDir: places.projectDir,
    config,
    policies,
    servers,
    invalidServers,
    ...(user === undefined ? {} : { usersFile: user.document.file }),
    ...(merged.auditOff && { auditOff: merged.auditOff }),
    usersChannels: await channelsOf(user),
    brought: all,
    notices: [
      ...mcpJson.notices,
      ...ownNotices,
      ...(user?.document.notices ?? []),
      ...(own?.document.notices ?? []),
      ...(document?.notices ?? []),
      ...notices,
      ...listNotices,
      ...unknownServers(policies, [...servers, ...invalidServers], user?.document.file),
      ...untrustedNotice(all, places.projectDir),
    ],
    files: [user?.document.file, own?.document.file, document?.file].filter((file) => file !== undefined),
  };
}

async function channelsOf(user: Layer | undefined): Promise<readonly ApprovalChannel[]> {
  if (user === undefined) return DEFAULT_CONFIG.approval.channels;
  const { validateConfig } = await import("./validate.ts");
  return validateConfig(user.document, user.block, user.root).approval.channels;
}

type ProjectLayers = Omit<Layers, "user">;

/** Only what is there is judged: without a config, nothing that reads one is imported. */
async function judgeSettings(
  written: ProjectLayers,
  ledger: TrustLedger | undefined,
): Promise<JudgedSettings> {
  const isThere = written.own !== undefined || written.inMcpJson !== undefined;
  if (ledger === undefined || !(isThere || ledger.size > 0))
    return { layers: written, policies: [], brought: [] };
  return (await import("./trust/judge-settings.ts")).judgeSettings(written, ledger);
}

/** The project's entries over those of `.mcp.json`, then the user's own, so that it is known what the project alone says. */
async function applyLayers(
  { usersServers, projectServers }: Pick<MergedConfig, "usersServers" | "projectServers">,
  { user, own, inMcpJson }: Layers,
  fromMcpJson: ServerList,
  places: Places,
): Promise<BroughtServers> {
  const ofProjects = Object.entries(projectServers).flatMap(([name, entry]) => {
    const layer = [own, inMcpJson].find((layer) => hasServer(layer?.block["servers"], name));
    return layer === undefined ? [] : [{ name, entry, layer }];
  });
  const ofUser = Object.entries(usersServers);
  if (user === undefined ? ofProjects.length === 0 : ofProjects.length + ofUser.length === 0)
    return { list: withoutItself(fromMcpJson), ofProject: byName(fromMcpJson.servers) };
  const { applyConfigured } = await import("./configured-servers.ts");
  const brought = await applyConfigured(ofProjects, fromMcpJson, places);
  const usersOwn = user === undefined ? [] : ofUser.map(([name, entry]) => ({ name, entry, layer: user }));
  const list = await applyConfigured(usersOwn, brought, places, { ofUser: true });
  const ofProject = byName(brought.servers, brought.linkedToUser);
  for (const { name, entry } of usersOwn) {
    if (entry.command !== undefined || entry.url !== undefined || entry.from !== undefined)
      ofProject.delete(name);
    const linked = list.servers.find((server) => server.name === name);
    if (linked && list.linkedInProject.has(name)) ofProject.set(name, { definition: linked });
  }
  return { list: withoutItself(list), ofProject };
}

function byName(
  servers: readonly ServerDefinition[],
  links: ReadonlyMap<string, ServerEntry> = new Map(),
): Map<string, WrittenByProject> {
  return new Map(
    servers.map((definition) => [definition.name, { definition, link: links.get(definition.name) }]),
  );
}

/**
 * Behind itself Keyhole would start itself without end. That it stands in `.mcp.json` for the client is as it should be,
 * and told only where nothing else does. Another server by its name is not used: what is allowed to Keyhole would be to that one.
 */
export function withoutItself({ servers, invalidServers, notices }: ServerList): ServerList {
  const itself = servers.filter(({ transport }) => isKeyhole(transport));
  const called = servers.filter((server) => !itself.includes(server) && isOwnName(server.name));
  const others = servers.filter((server) => !(itself.includes(server) || called.includes(server)));
  const told = itself.map(
    ({ name, source }) => `server "${name}" of ${source.file} is Keyhole itself and is left out`,
  );
  const invalid = [...invalidServers, ...called.map(nameTaken)];
  return {
    servers: others,
    invalidServers: invalid,
    notices: others.length > 0 ? notices : [...notices, ...told],
  };
}

function nameTaken({ name, source }: ServerDefinition): InvalidServer {
  const message = `${source.file}: server "${name}" (${source.path}) has Keyhole's own name, by which rules and questions know its commands`;
  const hint =
    "Give the server another name. If it is Keyhole itself, reached by an address, leave it out here";
  return { name, error: new KeyholeError("config_invalid", message, { hint, server: name }) };
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
