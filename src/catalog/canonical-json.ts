import { isRecord } from "../text/is-record.ts";

/** JSON with sorted keys: the same for definitions that differ in nothing but the order in which a server writes them. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) => {
    if (!isRecord(nested)) return nested;
    return Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
