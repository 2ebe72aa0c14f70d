import { isRecord } from "../../text/is-record.ts";

const MAX_TEXT = 512;
const MAX_ITEMS = 16;
const MAX_DEPTH = 4;

/** As much of a value as a line about it can show: what is cut off later was looked at before. */
export function toShort(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === "string") return value.slice(0, MAX_TEXT);
  if (Array.isArray(value)) {
    const items = depth === 0 ? [] : value.slice(0, MAX_ITEMS).map((item) => toShort(item, depth - 1));
    // Its length is told.
    return value.length > items.length ? Object.assign(new Array<unknown>(value.length), items) : items;
  }
  if (!isRecord(value)) return value;
  if (depth === 0) return {};
  const keys = Object.keys(value);
  return Object.fromEntries(
    keys.map((key, index) => [
      key.slice(0, MAX_TEXT),
      index < MAX_ITEMS ? toShort(value[key], depth - 1) : null,
    ]),
  );
}
