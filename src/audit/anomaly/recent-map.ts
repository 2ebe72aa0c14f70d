/**
 * A map that forgets what was not asked for in a long time: two generations, of which the older is dropped when the younger is
 * full. It never holds more than twice `max`, and asking is one look-up.
 */
export type RecentMap<Value> = {
  /** What is kept by this name, made where nothing is. */
  of(key: string): Value;
  /** Without making or keeping it. */
  peek(key: string): Value | undefined;
  values(): Iterable<Value>;
  readonly size: number;
};

/** Names come from servers and clients: a long one is cut, which at worst makes two of them one. */
const MAX_KEY = 256;

export function createRecentMap<Value>(max: number, make: () => Value): RecentMap<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    of(written) {
      const key = written.length > MAX_KEY ? written.slice(0, MAX_KEY) : written;
      const found = young.get(key);
      if (found !== undefined) return found;
      const value = old.get(key) ?? make();
      if (young.size >= max) {
        old = young;
        young = new Map();
      }
      young.set(key, value);
      return value;
    },
    peek(written) {
      const key = written.length > MAX_KEY ? written.slice(0, MAX_KEY) : written;
      return young.get(key) ?? old.get(key);
    },
    values: () => new Set([...young.values(), ...old.values()]),
    get size() {
      return young.size + old.size;
    },
  };
}
