import { isRecord } from "../../text/is-record.ts";

const MAX_TEXT = 512;
const MAX_ITEMS = 16;
const MAX_DEPTH = 4;
/** Of all texts together. */
const MAX_CHARS = 16 * 1024;

/** As much of a value as a line about it can show: what is cut off later was looked at before. */
export function toShort(value: unknown): unknown {
  return shorten(value, MAX_DEPTH, { left: MAX_CHARS });
}

function shorten(value: unknown, depth: number, room: { left: number }): unknown {
  if (typeof value === "string") return take(value, room);
  if (Array.isArray(value)) {
    return depth === 0 ? [] : value.slice(0, MAX_ITEMS).map((item) => shorten(item, depth - 1, room));
  }
  if (!isRecord(value)) return value;
  const keys = depth === 0 ? [] : Object.keys(value);
  return Object.fromEntries(
    keys.map((key, index) => [
      take(key, room),
      index < MAX_ITEMS ? shorten(value[key], depth - 1, room) : null,
    ]),
  );
}

function take(text: string, room: { left: number }): string {
  const taken = text.slice(0, Math.min(MAX_TEXT, Math.max(room.left, 0)));
  room.left -= taken.length;
  return taken;
}

/** Lists are told with how many items they have: those of a value that was made of a short one, as those of the whole. */
export function withLengths(shown: unknown, whole: unknown): unknown {
  if (Array.isArray(shown) && Array.isArray(whole)) {
    const items = shown.map((item, index) => withLengths(item, whole[index]));
    items.length = whole.length;
    return items;
  }
  if (!isRecord(shown) || !isRecord(whole)) return shown;
  const values = Object.values(whole);
  return Object.fromEntries(
    Object.entries(shown).map(([key, item], index) => [key, withLengths(item, values[index])]),
  );
}
