import { isJsonObject, type JsonValue } from "./json-value.ts";

export type KeyPath = readonly (string | number)[];

/** `servers.github.args[0]`; a name that is no plain word is quoted: `servers["my server"].env`. */
export function formatKeyPath(path: KeyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[\w$@/-]+$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

/** What stands at a path; nothing where a step leads nowhere. */
export function valueAt(data: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === "number") value = value[step];
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}
