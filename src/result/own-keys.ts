const MANY = 1000;
const known = new WeakMap<object, readonly string[]>();

/** `Object.keys`, remembered for objects with very many: a million take 0.3 s, and each attempt at a text asks again. */
export function ownKeys(value: object): readonly string[] {
  const remembered = known.get(value);
  if (remembered !== undefined) return remembered;
  const keys = Object.keys(value);
  if (keys.length > MANY) known.set(value, keys);
  return keys;
}
