import { KeyholeError } from "../errors.ts";
import type { ConfigDocument } from "./files/document.ts";
import { describeType, isJsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath, valueAt } from "./files/key-path.ts";
import { suggestKey } from "./nearest-key.ts";
import {
  DEFAULT_SETTINGS,
  type InvalidServer,
  type ServerDefinition,
  type ServerSettings,
  type ServerSource,
  serverNameProblem,
} from "./server-definition.ts";
import { createWrittenServer, type WrittenServer } from "./written-server.ts";

export type ServerList = { servers: ServerDefinition[]; invalidServers: InvalidServer[]; notices: string[] };

/** How one program writes a server down. */
export type ServerReader = {
  client: ServerSource["client"];
  /** Keys that `read` understands. */
  keys: readonly string[];
  /** Keys that change nothing about how a server is reached. */
  inert: readonly string[];
  /** Keys that matter to that program and that Keyhole cannot honour, with what that means. */
  unsupported: Readonly<Record<string, string>>;
  convert(text: string, key: string, note: (text: string) => void): string;
  read(entry: WrittenServer): Pick<ServerDefinition, "transport"> & { settings: Partial<ServerSettings> };
};

/** Reads leniently: a malformed server is listed as invalid, an unknown key is noted, and the others stay. */
export function readServers(document: ConfigDocument, path: KeyPath, reader: ServerReader): ServerList {
  const list: ServerList = { servers: [], invalidServers: [], notices: [] };
  const block = valueAt(document.data, path);
  if (block === undefined || block === null) return list;
  if (!isJsonObject(block)) {
    const message = `${document.at(path)}: key "${formatKeyPath(path)}" must be an object, got ${describeType(block)}`;
    throw new KeyholeError("config_invalid", message, { hint: "Write it as { name: { … } }" });
  }
  for (const [name, value] of Object.entries(block)) {
    try {
      list.servers.push(readServer(document, [...path, name], name, value, reader, list.notices));
    } catch (error) {
      if (!(error instanceof KeyholeError)) throw error;
      list.invalidServers.push({ name, error });
    }
  }
  return list;
}

function readServer(
  document: ConfigDocument,
  path: KeyPath,
  name: string,
  value: JsonValue,
  reader: ServerReader,
  notices: string[],
): ServerDefinition {
  const problem =
    serverNameProblem(name) ??
    (isJsonObject(value) ? undefined : `it must be an object, got ${describeType(value)}`);
  if (problem !== undefined || !isJsonObject(value)) {
    const message = `${document.at(path, "key")}: server ${JSON.stringify(name)}: ${problem}`;
    throw new KeyholeError("config_invalid", message, {
      hint: "Rename or rewrite this server",
      server: name,
    });
  }
  const entry = createWrittenServer({ document, path, name, value, convert: reader.convert, notices });
  noteKeys(entry, reader);
  const { transport, settings } = reader.read(entry);
  return {
    name,
    source: { file: document.file, client: reader.client, path: formatKeyPath(path) },
    transport,
    settings: { ...DEFAULT_SETTINGS, ...settings },
  };
}

function noteKeys(entry: WrittenServer, { keys, inert, unsupported }: ServerReader): void {
  for (const key of entry.keys) {
    if (keys.includes(key) || inert.includes(key)) continue;
    if (Object.hasOwn(unsupported, key)) entry.note(key, `key "${key}" is ignored: ${unsupported[key]}`);
    else if (key !== "enabled" && Object.hasOwn(DEFAULT_SETTINGS, key)) {
      entry.note(key, `key "${key}" is ignored here: set it in keyhole.config under "servers"`);
    } else {
      const suggestion = suggestKey(key, keys);
      const meant = suggestion === undefined ? "" : `, ${suggestion.text}`;
      entry.note(key, `key "${key}" is not known and is ignored${meant}`);
    }
  }
}
