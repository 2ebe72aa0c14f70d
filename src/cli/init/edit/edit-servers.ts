import { isDeepStrictEqual } from "node:util";
import {
  createJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../config/files/json-value.ts";
import { type KeyPath, valueAt } from "../../../config/files/key-path.ts";
import { parseJson } from "../../../config/files/parse-json.ts";
import { parseToml } from "../../../config/files/parse-toml.ts";
import { parseYaml } from "../../../config/files/parse-yaml.ts";
import { editJson, sourceInJson } from "./edit-json.ts";
import { editToml, sourceInToml } from "./edit-toml.ts";
import { editYaml } from "./edit-yaml.ts";

export type FileFormat = "json" | "toml" | "yaml";

/** A server's entry, and how it was written, where that is known. */
export type WrittenEntry = { value: JsonObject; source?: string };

/** What is to change in the servers that stand under `path`. */
export type ServersEdit = {
  path: KeyPath;
  remove: readonly string[];
  add: ReadonlyMap<string, WrittenEntry>;
};

/**
 * The text with other servers in it, and everything else as it was, comments and blank lines included. Undefined where
 * that can't be done: the result is read again, and must say what was meant.
 */
export function editServers(text: string, format: FileFormat, edit: ServersEdit): string | undefined {
  const edited = { json: editJson, toml: editToml, yaml: editYaml }[format](text, edit);
  if (edited === undefined) return undefined;
  const wanted = withServers(parse(text, format), edit);
  return isDeepStrictEqual(tidy(parse(edited, format), edit.path), tidy(wanted, edit.path))
    ? edited
    : undefined;
}

/** The entry of a server as it stands in the file. */
export function readEntry(
  text: string,
  format: FileFormat,
  path: KeyPath,
  name: string,
): WrittenEntry | undefined {
  const value = valueAt(parse(text, format), [...path, name]);
  if (!isJsonObject(value)) return undefined;
  const source = sourceOf(text, format, [...path, name]);
  return { value, ...(source === undefined ? {} : { source }) };
}

function sourceOf(text: string, format: FileFormat, path: KeyPath): string | undefined {
  if (format === "yaml") return undefined;
  return format === "json" ? sourceInJson(text, path) : sourceInToml(text, path);
}

export function namesAt(text: string, format: FileFormat, path: KeyPath): string[] {
  const servers = valueAt(parse(text, format), path);
  return isJsonObject(servers) ? Object.keys(servers) : [];
}

/** Whether nothing is left in the file but the places where servers would be. */
export function isBare(text: string, format: FileFormat, path: KeyPath): boolean {
  const data = tidy(parse(text, format), path);
  return isJsonObject(data) && Object.keys(data).length === 0;
}

export function formatOf(file: string): FileFormat {
  if (file.endsWith(".toml")) return "toml";
  return /\.ya?ml$/.test(file) ? "yaml" : "json";
}

function parse(text: string, format: FileFormat): JsonValue {
  return { json: parseJson, toml: parseToml, yaml: parseYaml }[format](text).data;
}

function withServers(data: JsonValue, { path, remove, add }: ServersEdit): JsonValue {
  const [step, ...rest] = path;
  const copy = copyOf(data);
  if (step !== undefined) {
    copy[String(step)] = withServers(copy[String(step)] ?? createJsonObject(), { path: rest, remove, add });
    return copy;
  }
  for (const name of remove) delete copy[name];
  for (const [name, { value }] of add) copy[name] = value;
  return copy;
}

/** Without the prototypes and the empty tables that make no difference. */
function tidy(data: JsonValue, path: KeyPath): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined || !isJsonObject(data)) return JSON.parse(JSON.stringify(data));
  const copy = copyOf(data);
  const inner = copy[String(step)];
  if (inner === undefined) return JSON.parse(JSON.stringify(copy));
  const tidied = tidy(inner, rest);
  if (isJsonObject(tidied) && Object.keys(tidied).length === 0) delete copy[String(step)];
  else copy[String(step)] = tidied;
  return JSON.parse(JSON.stringify(copy));
}

function copyOf(data: JsonValue): JsonObject {
  const copy = createJsonObject();
  if (isJsonObject(data)) for (const [key, value] of Object.entries(data)) copy[key] = value;
  return copy;
}
