import { dirname, join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import { type ConfigDocument, readDocument } from "./files/document.ts";
import { createJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import type { KeyPath } from "./files/key-path.ts";
import { exists, isTrustedAbove, type Places, upwards } from "./places.ts";
import type { KeyholeConfig } from "./schema.ts";
import { unenforcedSettings } from "./unenforced.ts";

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

async function readLayer(file: string, others: readonly string[]): Promise<Layer> {
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

/** Checks each layer by itself, then lays the first over the second, key by key. */
export async function mergeLayers(
  own: Layer | undefined,
  inMcpJson: Layer | undefined,
): Promise<{ config: KeyholeConfig; notices: string[]; unenforced: string[] }> {
  const layers = [own, inMcpJson].filter((layer) => layer !== undefined);
  const [first] = layers;
  if (first === undefined) return { config: DEFAULT_CONFIG, notices: [], unenforced: [] };
  const { validateConfig } = await import("./validate.ts");
  const [config] = layers.map(({ document, root, block }) => validateConfig(document, block, root));
  if (config === undefined || own === undefined || inMcpJson === undefined) {
    return { config: config ?? DEFAULT_CONFIG, notices: [], unenforced: unenforcedSettings(layers) };
  }
  const { block, overridden } = merge(inMcpJson.block, own.block);
  const keys = overridden.map((key) => `"${key}"`).join(", ");
  const text = `${own.document.file} wins over "${BLOCK_KEY}" of ${inMcpJson.document.file} for ${keys}`;
  return {
    config: validateConfig(own.document, block),
    notices: overridden.length === 0 ? [] : [text],
    unenforced: unenforcedSettings(layers),
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
