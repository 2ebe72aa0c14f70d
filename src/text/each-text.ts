import { isRecord } from "./is-record.ts";

/** Every text of a value of JSON, keys too. */
export function eachText(value: unknown, act: (text: string) => void): void {
  if (typeof value === "string") act(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, act);
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value)) {
      act(key);
      eachText(item, act);
    }
}
