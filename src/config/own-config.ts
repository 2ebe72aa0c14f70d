import { dirname, join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { type ConfigDocument, readDocument } from "./files/document.ts";
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import type { KeyPath } from "./files/key-path.ts";
import type { PolicySource } from "./permissions/policy-source.ts";
import { exists, isTrustedAbove, type Places, upwards } from "./places.ts";
import type { KeyholeConfig } from "./schema.ts";

export const CONFIG_NAMES = ["keyhole.config.json", "keyhole.config.yaml", "keyhole.config.yml"] as const;
export const BLOCK_KEY = "mcpCodeExecution";

/** A config block and where it stands: a file of its own, or a key of `.mcp.json`. */
export type Layer = { document: ConfigDocument; root: KeyPath; block: JsonObject };

/** Sections of which each key counts by itself. */
const MERGED_SECTIONS = ["resourceLimits", "servers"];

export async function findOwnConfig(projectDir: string): Promise<string[]> {
  const files = CONFIG_NAMES.map((name) => join(projectDir, name));
  const found = await Promise.all(files.map(exists));
  return files.filter((_, index) => found[index]);
}

/**
 * The nearest config from the project's folder upwards, as far as the folder of the `.mcp.json` that is used: what it
 * protects must not depend on the folder from which a command is called.
 */
export async function readOwnConfig(
  { projectDir, platform }: Places,
  mcpJson: string | undefined,
): Promise<{ layer?: Layer; notices: string[] }> {
  const notices: string[] = [];
  for (const dir of upwards(projectDir)) {
    const [file, ...others] = await findOwnConfig(dir);
    const isOurs = file === undefined || dir === projectDir || (await isTrustedAbove(file, platform));
    if (file !== undefined && isOurs) return { layer: await readLayer(file, others), notices };
    if (!isOurs) notices.push(`Ignored "${file}": it stands above the project and belongs to another user`);
    if (mcpJson !== undefined && dirname(mcpJson) === dir) break;
  }
  return { notices };
}

export async function readLayer(file: string, others: readonly string[]): Promise<Layer> {
  if (others.length > 0) {
    const message = `Two config files: "${file}" and "${others.join('" and "')}"`;
    throw new KeyholeError("config_invalid", message, { hint: "Keep one of them" });
  }
  const document = await readDocument(file);
  return { document, root: [], block: toBlock(document, document.data, []) };
}

export function blockOf(document: ConfigDocument): Layer | undefined {
  const value = isJsonObject(document.data) ? document.data[BLOCK_KEY] : undefined;
  if (value === undefined) return undefined;
  return { document, root: [BLOCK_KEY], block: toBlock(document, value, [BLOCK_KEY]) };
}

export type MergedConfig = {
  config: KeyholeConfig;
  /** What each file says of calls, the user's own first. */
  policies: PolicySource[];
  notices: string[];
  auditOff?: AuditOff;
  /** What each side writes of servers: the user's own is laid over the project's. */
  usersServers: Servers;
  projectServers: Servers;
};

/** By which file "auditLogging" is false, and whether that is the project's. */
export type AuditOff = { readonly file: string; readonly isProjects: boolean };

type Servers = KeyholeConfig["servers"];

/**
 * Checks each layer by itself. The project's own file is laid over the block of its `.mcp.json`, key by key; between the user's
 * config, the project's and what was handed over as values, the stricter holds.
 */
export async function mergeLayers({
  inline,
  user,
  own,
  inMcpJson,
  stricter = [],
}: Layers): Promise<MergedConfig> {
  const layers = [inline, user, own, inMcpJson].filter((layer) => layer !== undefined);
  if (layers.length === 0) return NOTHING_MERGED;
  const { validateConfig } = await import("./validate.ts");
  const { combineStricter } = await import("./stricter.ts");
  for (const { document, root, block } of layers) validateConfig(document, block, root);
  const { withoutUsersOwn } = await import("./users-own.ts");
  const { layer: written, notices } = mergeProject(own, inMcpJson);
  const ofProject = written && withoutUsersOwn(written);
  const project = ofProject?.layer;
  const sides = [inline, user, project].filter((layer) => layer !== undefined);
  const read = new Map(sides.map((side) => [side, validateConfig(side.document, side.block, side.root)]));
  const serversOf = (side: Layer | undefined) => (side && read.get(side)?.servers) ?? {};
  const held = stricter.map((layer) => withoutUsersOwn(layer).layer);
  const merged = [...sides, ...held].reduce((first, second) => ({
    ...second,
    block: combineStricter(first.block, second.block),
  }));
  const config = validateConfig(merged.document, merged.block, merged.root);
  const { untoldAnomalies } = await import("./audit/untold-anomalies.ts");
  return {
    config,
    ...(!config.auditLogging && { auditOff: findAuditOff(sides, project) }),
    policies: [...read].map(([side, config]) => toPolicy(side, config)),
    notices: [...notices, ...(ofProject?.notices ?? []), ...untoldAnomalies(sides, config.audit)],
    usersServers: serversOf(user),
    projectServers: serversOf(project),
  };
}

/** Who says it first; a project that agrees with the user does not count. */
function findAuditOff(sides: readonly Layer[], project: Layer | undefined): AuditOff {
  const side = sides.find(({ block }) => block["auditLogging"] === false);
  return { file: side?.document.file ?? "the config", isProjects: side !== undefined && side === project };
}

const NOTHING_MERGED: MergedConfig = {
  config: DEFAULT_CONFIG,
  policies: [],
  notices: [],
  usersServers: {},
  projectServers: {},
};

export type Layers = {
  /** What whoever embeds Keyhole says. */
  readonly inline?: Layer | undefined;
  readonly user: Layer | undefined;
  readonly own: Layer | undefined;
  readonly inMcpJson: Layer | undefined;
  /** What holds beside all of them where it is stricter. */
  readonly stricter?: readonly Layer[];
};

/** What the project says, as one. */
function mergeProject(
  own: Layer | undefined,
  inMcpJson: Layer | undefined,
): { layer: Layer | undefined; notices: string[] } {
  if (own === undefined || inMcpJson === undefined) return { layer: own ?? inMcpJson, notices: [] };
  const { block, overridden } = merge(inMcpJson.block, own.block);
  const keys = overridden.map((key) => `"${key}"`).join(", ");
  const text = `${own.document.file} wins over "${BLOCK_KEY}" of ${inMcpJson.document.file} for ${keys}`;
  return { layer: { ...own, block }, notices: overridden.length === 0 ? [] : [text] };
}

function toPolicy(
  { document, block }: Layer,
  { permissions, securityLevel, commands, privacy }: KeyholeConfig,
): PolicySource {
  return {
    file: document.file,
    ...(permissions ? { permissions } : {}),
    ...(block["securityLevel"] === undefined ? {} : { securityLevel }),
    ...(commands ? { commands } : {}),
    ...(privacy ? { privacy } : {}),
  };
}

function merge(low: JsonObject, high: JsonObject, prefix = ""): { block: JsonObject; overridden: string[] } {
  const block = copy(low);
  const overridden: string[] = [];
  for (const [key, value] of Object.entries(high)) {
    const below = block[key];
    // An empty section says nothing: `servers:` in YAML, with nothing below it.
    if (value === null && below !== undefined) continue;
    block[key] = value;
    if (below === undefined || key === "$schema") continue;
    if (prefix === "" && MERGED_SECTIONS.includes(key) && isJsonObject(below) && isJsonObject(value)) {
      const inner = merge(below, value, `${key}.`);
      block[key] = inner.block;
      overridden.push(...inner.overridden);
    } else overridden.push(`${prefix}${key}`);
  }
  return { block, overridden };
}

function copy(object: JsonObject): JsonObject {
  const result = createJsonObject();
  for (const [key, value] of Object.entries(object)) result[key] = value;
  return result;
}

function toBlock(document: ConfigDocument, value: JsonValue, root: KeyPath): JsonObject {
  if (isJsonObject(value)) return value;
  const what = root.length === 0 ? "The file" : `Key "${BLOCK_KEY}"`;
  throw new KeyholeError("config_invalid", `${document.at(root)}: ${what} must hold an object`, {
    hint: 'Write { … } with keys such as "servers"',
  });
}
