const MAX_NODES = 4_000;
const MAX_DEPTH = 13;
const MAX_ITEMS = 50;
/** More keys than a record has: what has more is a map for everybody. */
const MAX_KEYS = 300;
const MAX_TEXT = 1_000;

/** A bounded part of a value that has its shape: the first items of long lists, the last, and some between. */
export function toSample(value: unknown): unknown {
  let nodes = 0;
  const take = (part: unknown, depth: number): unknown => {
    nodes++;
    if (typeof part === "string") return part.slice(0, MAX_TEXT);
    if (typeof part !== "object" || part === null) return part;
    if (depth >= MAX_DEPTH || nodes > MAX_NODES) return Array.isArray(part) ? [] : {};
    if (Array.isArray(part)) return spread(part, MAX_ITEMS).map((item) => take(item, depth + 1));
    const keys = Object.keys(part).slice(0, MAX_KEYS);
    return Object.fromEntries(keys.map((key) => [key, take(Reflect.get(part, key), depth + 1)]));
  };
  return take(value, 0);
}

function spread(list: readonly unknown[], size: number): readonly unknown[] {
  if (list.length <= size) return list;
  const first = Math.ceil(size / 2);
  const step = (list.length - 1 - first) / (size - first);
  const rest = Array.from({ length: size - first }, (_, at) => list[first + Math.floor((at + 1) * step)]);
  return [...list.slice(0, first), ...rest];
}

const OUTLINE_DEPTH = 3;
const OUTLINE_KEYS = 1_000;

/** The outermost levels: of a list its first item and its length, the rest of it holes. */
export function toOutermost(value: unknown, depth = OUTLINE_DEPTH): unknown {
  if (typeof value === "string") return value.slice(0, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list = depth === 0 || value.length === 0 ? [] : [toOutermost(value[0], depth - 1)];
    list.length = value.length;
    return list;
  }
  const keys = Object.keys(value).slice(0, OUTLINE_KEYS);
  const inner = (key: string) => (depth === 0 ? null : toOutermost(Reflect.get(value, key), depth - 1));
  return Object.fromEntries(keys.map((key) => [key, inner(key)]));
}
