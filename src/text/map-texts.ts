import { isRecord } from "./is-record.ts";

/**
 * A value of JSON with its texts and keys changed; the same value where nothing changes. Each text by itself: whatever is
 * put into one, it stays that text.
 */
export function mapTexts(value: unknown, change: (text: string, isKey: boolean) => string): unknown {
  if (typeof value === "string") return change(value, false);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapTexts(item, change));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]) => [change(key, true), mapTexts(item, change)] as const);
  const isSame = changed.every(
    ([key, item], index) => key === entries[index]?.[0] && item === entries[index][1],
  );
  return isSame ? value : Object.fromEntries(changed);
}
