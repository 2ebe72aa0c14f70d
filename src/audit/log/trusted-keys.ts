import { isSameHash } from "./chain.ts";
import { isEndorsedBy, isNamedRight } from "./key-rows.ts";
import type { KeyRow } from "./log-store.ts";
import type { ProblemList } from "./problems.ts";

/** A public key whose signature counts. */
export type KnownKey = Pick<KeyRow, "key" | "publicKey">;

/**
 * The log's keys that count: those that are known, and those that one of them endorsed, or that was endorsed by such a one. What
 * the log says of any other key says nothing: whoever writes the database can add keys to it.
 */
export function findTrustedKeys(
  rows: readonly KeyRow[],
  known: readonly KnownKey[],
  problems: ProblemList,
): ReadonlyMap<string, KeyRow> {
  const byName = new Map(rows.map((row) => [row.key, row]));
  const trusted = new Map<string, KeyRow>();
  const sound = rows.filter((row) => {
    const message = findFault(row, byName);
    if (message !== undefined) problems.add({ kind: "key", message });
    return message === undefined;
  });
  for (const row of sound)
    if (known.some((one) => one.key === row.key && isSameHash(one.publicKey, row.publicKey)))
      trusted.set(row.key, row);
  for (let size = -1; size !== trusted.size; ) {
    size = trusted.size;
    for (const row of sound)
      if (row.previous !== null && trusted.has(row.previous)) trusted.set(row.key, row);
  }
  for (const { key } of sound)
    if (!trusted.has(key))
      problems.add({ kind: "key", message: `Key ${key} is not known, and no known key endorsed it` });
  return trusted;
}

function findFault(row: KeyRow, byName: ReadonlyMap<string, KeyRow>): string | undefined {
  if (!isNamedRight(row)) return `Key ${row.key} is not the one of that name`;
  const endorser = byName.get(row.previous ?? row.key);
  if (endorser === undefined)
    return `Key ${row.previous}, which endorsed key ${row.key}, is missing in the log`;
  return isEndorsedBy(row, endorser) ? undefined : `What the log says of key ${row.key} is not signed`;
}
