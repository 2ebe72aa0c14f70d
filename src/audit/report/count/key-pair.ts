/** Two names as one key of a table. */
export function toPairKey(first: string | undefined, second: string | undefined): string {
  return `${first ?? ""}\u0000${second ?? ""}`;
}

export function fromPairKey(key: string): readonly [first: string, second: string] {
  const at = key.indexOf("\u0000");
  return at < 0 ? [key, ""] : [key.slice(0, at), key.slice(at + 1)];
}
