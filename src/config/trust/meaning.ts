import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import {
  createJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toJsonValue,
} from "../files/json-value.ts";
import type { Layer } from "../own-config.ts";
import type { ServerEntry } from "../schema.ts";
import { DEFAULT_SETTINGS, type ServerDefinition } from "../server-definition.ts";

/** Digests of another form of this file are digests of nothing. */
const FORM = "keyhole trust 1";

/** By what is meant and not by how it is written: comments, the order of keys and YAML's anchors are no part of it. */
export function digestOfMeaning(meaning: JsonValue): string {
  return createHash("sha256")
    .update(`${FORM}\n${toCanonical(meaning)}`)
    .digest("hex");
}

/**
 * A server as the project defines it, its variables not put in. Defaults are left out, so that a later version with another
 * setting does not ask for all servers again. The folder of its file counts: relative paths begin there.
 */
export async function serverMeaning(
  server: ServerDefinition,
  link: ServerEntry | undefined,
  envFileDigest: string | undefined,
): Promise<JsonValue> {
  const { name, source, transport, settings } = server;
  const read = envFileDigest === undefined ? {} : { envFileDigest };
  if (link !== undefined)
    return toJsonValue({ name, link: sparse(Object.entries(link), isUndefined), ...read });
  const folder = await realpath(dirname(source.file)).catch(() => dirname(source.file));
  const defaults = new Map<string, unknown>(Object.entries(DEFAULT_SETTINGS));
  return toJsonValue({
    name,
    client: source.client,
    folder,
    transport: sparse(Object.entries(transport), isEmpty),
    settings: sparse(
      Object.entries(settings),
      (value, key) => value === undefined || value === defaults.get(key),
    ),
    ...read,
  });
}

/** What a config says apart from its servers, each of which counts by itself; undefined when that is nothing. */
export function settingsOf(layer: Pick<Layer, "block"> | undefined): JsonObject | undefined {
  const settings = createJsonObject();
  for (const [key, value] of Object.entries(layer?.block ?? {}))
    if (key !== "$schema" && key !== "servers" && value !== null) settings[key] = value;
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function sparse(entries: readonly [string, unknown][], isLeftOut: (value: unknown, key: string) => boolean) {
  return Object.fromEntries(entries.filter(([key, value]) => !isLeftOut(value, key)));
}

/** An empty list replaces the one that it is laid over. */
function isUndefined(value: unknown): boolean {
  return value === undefined;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

function toCanonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toCanonical(value[key] ?? null)}`).join(",")}}`;
}
