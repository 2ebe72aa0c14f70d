/** The keys of objects that are to have other names. */
export type Renames = Map<object, Map<string, string>>;

export function addRename(renames: Renames, node: object, key: string, name: string): void {
  const names = renames.get(node);
  if (names === undefined) renames.set(node, new Map([[key, name]]));
  else if (!names.has(key)) names.set(key, name);
}

/** In place, in the order that they had. Of two that would have the same name the later has a number behind it. */
export function renameKeys(node: object, names: ReadonlyMap<string, string>): void {
  const keys = Object.keys(node);
  const members = keys.map((key) => ({ key, value: Reflect.get(node, key) as unknown }));
  const taken = new Set(keys.filter((key) => !names.has(key)));
  const counts = new Map<string, number>();
  for (const key of keys) Reflect.deleteProperty(node, key);
  for (const { key, value } of members) {
    const wanted = names.get(key);
    const name = wanted === undefined ? key : toFreeName(wanted, taken, counts);
    taken.add(name);
    // A plain member, also when it is called `__proto__`.
    Object.defineProperty(node, name, { value, enumerable: true, writable: true, configurable: true });
  }
}

function toFreeName(wanted: string, taken: ReadonlySet<string>, counts: Map<string, number>): string {
  if (!taken.has(wanted)) return wanted;
  let count = counts.get(wanted) ?? 1;
  let name: string;
  do name = `${wanted} (${++count})`;
  while (taken.has(name));
  counts.set(wanted, count);
  return name;
}
