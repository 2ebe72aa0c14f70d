import { KeyholeError } from "../errors.ts";
import { DEFAULT_CONFIG } from "./defaults.ts";
import type { ConfigDocument } from "./files/document.ts";
import { createJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath } from "./files/key-path.ts";
import { type ConfigOptions, type LoadedConfig, withoutItself } from "./load.ts";
import type { Layer } from "./own-config.ts";
import { toPlaces } from "./places.ts";
import type { ServerEntry } from "./schema.ts";
import type { Brought } from "./trust/brought.ts";
import { loadLedger } from "./trust/ledger.ts";
import { untrustedNotice } from "./trust/untrusted-notice.ts";

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
    usersChannels: DEFAULT_CONFIG.approval.channels,
    brought: [],
    notices: [],
    unenforced: [],
    files: [],
  };
}

/**
 * Lays servers that were handed over as values over those of the files, by the rules of `servers` in `keyhole.config`. They are the
 * caller's own and trusted; what they are laid over, or taken from, in the project is not by that.
 */
export async function addInlineServers(
  loaded: LoadedConfig,
  servers: unknown,
  options: ConfigOptions,
): Promise<LoadedConfig> {
  const layer = toLayer(servers);
  const places = toPlaces(options);
  const { validateConfig } = await import("./validate.ts");
  const { applyConfigured } = await import("./configured-servers.ts");
  const { servers: entries } = validateConfig(layer.document, layer.block);
  const configured = Object.entries(entries).map(([name, entry]) => ({ name, entry, layer }));
  const applied = await applyConfigured(configured, loaded, places);
  const list = withoutItself(applied);
  if (options.trust === true) return { ...loaded, ...list };

  const linked = list.servers.filter(({ name }) => applied.linkedInProject.has(name));
  const found = { list, ofProject: new Map(linked.map((definition) => [definition.name, { definition }])) };
  const { judgeServers } = await import("./trust/judge-servers.ts");
  const judged = await judgeServers(found, await loadLedger(places), places);
  const brought = [...keepBrought(loaded.brought, entries), ...judged.brought];
  const told = untrustedNotice(loaded.brought);
  const notices = judged.list.notices.filter((text) => !told.includes(text));
  return { ...loaded, ...judged.list, brought, notices: [...notices, ...untrustedNotice(brought)] };
}

/** A server that was replaced is the project's no more. One that got other settings is not to be used without them. */
function keepBrought(
  brought: readonly Brought[],
  entries: Readonly<Record<string, Partial<ServerEntry>>>,
): Brought[] {
  return brought.flatMap((item): Brought[] => {
    const entry =
      item.kind === "server" && Object.hasOwn(entries, item.name) ? entries[item.name] : undefined;
    if (entry === undefined) return [item];
    if ((entry.command ?? entry.url ?? entry.from) !== undefined) return [];
    const { definition: _, ...rest } = item;
    return [rest];
  });
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
