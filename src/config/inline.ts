import { KeyholeError } from "../errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import type { ConfigDocument } from "./files/document.ts";
import { createJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath } from "./files/key-path.ts";
import { type LoadedConfig, withoutItself } from "./load.ts";
import type { Layer } from "./own-config.ts";
import { type LoadOptions, toPlaces } from "./places.ts";

/** How messages call the place where these servers are written. */
const PLACE = "createKeyhole";

/** What holds where no file is read. */
export function noFiles(dir: string): LoadedConfig {
  return {
    projectDir: dir,
    config: DEFAULT_CONFIG,
    policies: [],
    servers: [],
    invalidServers: [],
    notices: [],
    unenforced: [],
    files: [],
  };
}

/** Lays servers that were handed over as values over those of the files, by the rules of `servers` in `keyhole.config`. */
export async function addInlineServers(
  loaded: LoadedConfig,
  servers: unknown,
  options: LoadOptions,
): Promise<LoadedConfig> {
  const layer = toLayer(servers);
  const { validateConfig } = await import("./validate.ts");
  const { applyConfigured } = await import("./configured-servers.ts");
  const { servers: entries } = validateConfig(layer.document, layer.block);
  const configured = Object.entries(entries).map(([name, entry]) => ({ name, entry, layer }));
  const list = withoutItself(await applyConfigured(configured, loaded, toPlaces(options)));
  return { ...loaded, ...list };
}

function toLayer(servers: unknown): Layer {
  const block = createJsonObject();
  block["servers"] = toPlainValue(servers, ["servers"], []);
  const document: ConfigDocument = { file: PLACE, data: block, at: () => PLACE, notices: [] };
  return { document, root: [], block };
}

/** A key of a server that is undefined is one that was left out; a variable or a header that is undefined is a mistake. */
function toPlainValue(value: unknown, path: KeyPath, around: readonly object[]): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value === undefined)
    throw refusal(path, "is undefined", "Give it a value, or leave it out; a variable can be written ${VAR}");
  if (typeof value !== "object")
    throw refusal(path, `must be plain data, got a ${typeof value}`, 'Write it as in "mcpServers"');
  if (around.includes(value)) throw refusal(path, "contains itself", 'Write it as in "mcpServers"');
  const inside = [...around, value];
  if (Array.isArray(value)) return value.map((item, at) => toPlainValue(item, [...path, at], inside));
  const copy: JsonObject = createJsonObject();
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && path.length === 2) continue;
    copy[key] = toPlainValue(item, [...path, key], inside);
  }
  return copy;
}

function refusal(path: KeyPath, text: string, hint: string): KeyholeError {
  return new KeyholeError("config_invalid", `${PLACE}: key "${formatKeyPath(path)}" ${text}`, { hint });
}
