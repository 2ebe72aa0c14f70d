import { KeyholeError } from "../errors.ts";
import { toPlainText } from "../text/plain-text.ts";
import type { ConfigDocument } from "./files/document.ts";
import { describeType, isJsonObject, type JsonObject, type JsonValue } from "./files/json-value.ts";
import { formatKeyPath, type KeyPath } from "./files/key-path.ts";
import { MAX_DELAY_MS } from "./server-definition.ts";

/** One server's object in another program's file. A wrong value is this server's failure, not the file's. */
export type WrittenServer = {
  readonly name: string;
  readonly path: KeyPath;
  readonly keys: readonly string[];
  has(key: string): boolean;
  text(key: string): string | undefined;
  texts(key: string): string[] | undefined;
  map(key: string): Record<string, string> | undefined;
  flag(key: string): boolean | undefined;
  /** A duration, as whole milliseconds; one that makes no sense is noted and left out. */
  duration(key: string, unitMs: number): number | undefined;
  raw(key: string): JsonValue | undefined;
  note(key: string, text: string): void;
  fail(key: string, text: string, hint: string): never;
};

export type WrittenServerOptions = {
  document: ConfigDocument;
  path: KeyPath;
  name: string;
  value: JsonObject;
  /** Turns the client's syntax of variables into ours. */
  convert(text: string, key: string, note: (text: string) => void): string;
  notices: string[];
};

export function createWrittenServer({
  document,
  path,
  name,
  value,
  convert,
  notices,
}: WrittenServerOptions): WrittenServer {
  const raw = (key: string) => (Object.hasOwn(value, key) ? (value[key] ?? undefined) : undefined);

  const note = (key: string, text: string) => {
    notices.push(toLine(`${document.at([...path, key], "key")}: server "${name}": ${text}`));
  };

  const fail = (key: string, text: string, hint: string): never => {
    const at = [...path, key];
    const message = `${document.at(at)}: server "${name}": key "${formatKeyPath(at)}" ${text}`;
    throw new KeyholeError("config_invalid", toLine(message), { hint, server: name });
  };

  const toText = (item: JsonValue | undefined, key: string): string => {
    if (typeof item === "string") return convert(item, key, (text) => note(key, text));
    // Other clients take numbers and booleans there too.
    if (typeof item === "number" || typeof item === "boolean") return String(item);
    return fail(
      key,
      `must hold strings only, found ${describeType(item)}`,
      `Put each value of "${key}" in quotes`,
    );
  };

  return {
    name,
    path,
    keys: Object.keys(value),
    has: (key) => raw(key) !== undefined,
    raw,
    note,
    fail,
    text(key) {
      const found = raw(key);
      if (found === undefined) return undefined;
      if (typeof found !== "string")
        return fail(key, `must be a string, got ${describeType(found)}`, `Put "${key}" in quotes`);
      if (found.trim() === "") return fail(key, "must not be empty", `Give "${key}" a value, or remove it`);
      return toText(found, key);
    },
    texts(key) {
      const found = raw(key);
      if (found === undefined) return undefined;
      if (Array.isArray(found)) return found.map((item) => toText(item, key));
      return fail(key, `must be a list, got ${describeType(found)}`, `Write "${key}": [ … ]`);
    },
    map(key) {
      const found = raw(key);
      if (found === undefined) return undefined;
      if (!isJsonObject(found)) {
        return fail(
          key,
          `must be an object, got ${describeType(found)}`,
          `Write "${key}": { "NAME": "value" }`,
        );
      }
      // A null takes the variable away, in VS Code.
      const given = Object.entries(found).filter(([, item]) => item !== null);
      return Object.fromEntries(given.map(([name, item]) => [name, toText(item, key)]));
    },
    flag(key) {
      const found = raw(key);
      if (found === undefined || typeof found === "boolean") return found;
      return fail(key, `must be true or false, got ${describeType(found)}`, `Write "${key}": true or false`);
    },
    duration(key, unitMs) {
      const found = raw(key);
      if (found === undefined) return undefined;
      const ms = typeof found === "number" ? Math.round(found * unitMs) : Number.NaN;
      if (ms >= 1 && ms <= MAX_DELAY_MS) return ms;
      note(key, `key "${key}" is no usable duration and is ignored`);
      return undefined;
    },
  };
}

/** What is quoted from the file must not steer the terminal. */
function toLine(text: string): string {
  return toPlainText(text).replace(/\s+/g, " ");
}
