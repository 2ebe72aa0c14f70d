import type { Database } from "../../store/database/sqlite.ts";
import type { WorkspaceCipher } from "./workspace-cipher.ts";

/** Where a value was met. */
export type Sighting = {
  readonly session: string;
  /** The same for all values of one record: who asks to be forgotten is forgotten with all of them. */
  readonly together?: string;
};

/** Which session saw which value, and which values stood in one record; written with the next commit. */
export type Sightings = {
  note(number: number, sighting: Sighting, seenAt: number | undefined): void;
  isWritten(): boolean;
  /** In a transaction. */
  write(db: Database): void;
  forget(number: number): void;
  clear(): void;
};

/** More than this is no record of one person. */
const MAX_TOGETHER = 256;
/** What is known to be written already. */
const MAX_KNOWN = 200_000;

export function createSightings(cipher: WorkspaceCipher): Sightings {
  const written = new Set<string>();
  const newSightings = new Map<string, readonly [session: string, number: number]>();
  const records = new Map<string, Set<number>>();
  const seen = new Map<number, number>();

  function clear(): void {
    written.clear();
    newSightings.clear();
    records.clear();
    seen.clear();
  }

  function remember(key: string): void {
    if (written.size >= MAX_KNOWN) written.clear();
    written.add(key);
  }

  return {
    note(number, { session, together }, seenAt) {
      if (seenAt !== undefined) seen.set(number, seenAt);
      const key = `${number} ${session}`;
      if (!written.has(key)) newSightings.set(key, [session, number]);
      if (together === undefined) return;
      const record = records.get(together) ?? new Set();
      if (record.size < MAX_TOGETHER) record.add(number);
      records.set(together, record);
    },
    isWritten() {
      if (newSightings.size + seen.size > 0) return false;
      for (const [together, numbers] of records)
        if (numbers.size < 2 || written.has(toRecordKey(numbers))) records.delete(together);
      return records.size === 0;
    },
    write(db) {
      for (const [key, [session, number]] of newSightings) {
        db.run("INSERT OR IGNORE INTO vault_sightings (workspace, session, value) VALUES (?, ?, ?)", [
          cipher.tag,
          toSessionTag(cipher, session),
          number,
        ]);
        remember(key);
      }
      for (const numbers of records.values()) {
        const key = toRecordKey(numbers);
        if (numbers.size < 2 || written.has(key)) continue;
        // The same values again are the same record.
        const record = cipher.lookup("record", key).subarray(0, 16);
        for (const number of numbers)
          db.run("INSERT OR IGNORE INTO vault_records (workspace, record, value) VALUES (?, ?, ?)", [
            cipher.tag,
            record,
            number,
          ]);
        remember(key);
      }
      for (const [number, seenAt] of seen)
        db.run("UPDATE vault_values SET seen_at = ? WHERE number = ?", [seenAt, number]);
      newSightings.clear();
      records.clear();
      seen.clear();
    },
    forget(number) {
      seen.delete(number);
      for (const [key, [, value]] of newSightings) if (value === number) newSightings.delete(key);
      for (const record of records.values()) record.delete(number);
    },
    clear,
  };
}

export function toSessionTag(cipher: WorkspaceCipher, session: string): Buffer {
  return cipher.lookup("session", session).subarray(0, 16);
}

function toRecordKey(numbers: ReadonlySet<number>): string {
  return `record ${[...numbers].sort((a, b) => a - b).join(" ")}`;
}
