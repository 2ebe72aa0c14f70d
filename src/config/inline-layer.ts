import { KeyholeError } from "../errors.ts";
import type { ConfigDocument } from "./files/document.ts";
import { createJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath } from "./files/key-path.ts";
import type { Layer } from "./own-config.ts";

/** How messages call the place where these settings are written. */
const PLACE = "createKeyhole";

/** Keys of the config that were handed over as values; they are checked like those of a file. */
export function toInlineLayer(keys: Readonly<Record<string, unknown>>): Layer {
  const block = createJsonObject();
  for (const [key, value] of Object.entries(keys))
    if (value !== undefined) block[key] = toPlainValue(value, [key], []);
  const document: ConfigDocument = { file: PLACE, data: block, at: () => PLACE, notices: [] };
  return { document, root: [], block };
}

/**
 * A key of a server or of a section that is undefined is one that was left out. Deeper down it is a mistake: a variable that is
 * missing, or a rule that would hold for more than was meant.
 */
function toPlainValue(value: unknown, path: KeyPath, around: readonly object[]): JsonValue {
  const isServer = path[0] === "servers";
  const hint = isServer ? 'Write it as in "mcpServers"' : "Write it as in keyhole.config";
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value === undefined)
    throw refusal(path, "is undefined", "Give it a value, or leave it out; a variable can be written ${VAR}");
  if (typeof value !== "object") throw refusal(path, `must be plain data, got a ${typeof value}`, hint);
  if (around.includes(value)) throw refusal(path, "contains itself", hint);
  const inside = [...around, value];
  if (Array.isArray(value)) return value.map((item, at) => toPlainValue(item, [...path, at], inside));
  const copy: JsonObject = createJsonObject();
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && path.length === (isServer ? 2 : 1)) continue;
    copy[key] = toPlainValue(item, [...path, key], inside);
  }
  return copy;
}

function refusal(path: KeyPath, text: string, hint: string): KeyholeError {
  return new KeyholeError("config_invalid", `${PLACE}: key "${formatKeyPath(path)}" ${text}`, { hint });
}
