import type { Database } from "../../store/database/sqlite.ts";
import type { WorkspaceCipher } from "./workspace-cipher.ts";

/** A value as it is kept: sealed, and bound to its workspace, its class, its number and what it is looked up by. */
export type VaultRow = {
  /** In the order in which they were written, of all workspaces. */
  readonly number: number;
  readonly class: string;
  readonly place: number;
  readonly lookup: Buffer;
  /** Nothing where it can't be opened. */
  readonly value: string | undefined;
  readonly seenAt: number;
};

const COLUMNS = "number, class, place, lookup, sealed, seen_at";
const PAGE_ROWS = 500;

/** Those that were written after another, a page at a time. */
export function readVaultRows(db: Database, cipher: WorkspaceCipher, after: number): VaultRow[] {
  const sql = `SELECT ${COLUMNS} FROM vault_values WHERE workspace = ? AND number > ? ORDER BY number LIMIT ${PAGE_ROWS}`;
  return db.all(sql, [cipher.tag, after]).map((row) => {
    const [number, kind, place, lookup, sealed, seenAt] = row;
    const known = {
      number: Number(number),
      class: String(kind),
      place: Number(place),
      lookup: toBuffer(lookup),
      seenAt: Number(seenAt),
    };
    return { ...known, value: cipher.open(toSealPlace(known), toBuffer(sealed)) };
  });
}

export function readVaultNumbers(db: Database, { tag }: WorkspaceCipher): Set<number> {
  const rows = db.all("SELECT number FROM vault_values WHERE workspace = ?", [tag]);
  return new Set(rows.map(([number]) => Number(number)));
}

export function addVaultRow(
  db: Database,
  cipher: WorkspaceCipher,
  row: Pick<VaultRow, "class" | "place" | "lookup" | "seenAt"> & { readonly value: string },
): number {
  const { lookup, place, seenAt, value } = row;
  const sealed = cipher.seal(toSealPlace(row), value);
  // One that is there with this look-up can't be opened, or it would be known: somebody has changed it.
  const [[number] = []] = db.all(
    "INSERT OR REPLACE INTO vault_values (workspace, class, place, lookup, sealed, seen_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING number",
    [cipher.tag, row.class, place, lookup, sealed, seenAt],
  );
  return Number(number);
}

/** The last number of each class that was ever given, in this workspace or before all were erased. */
export function readLastNumbers(db: Database, { tag }: WorkspaceCipher): Map<string, number> {
  const rows = db.all(
    "SELECT class, max(last) FROM vault_numbers WHERE workspace = ? OR workspace = x'' GROUP BY class",
    [tag],
  );
  return new Map(rows.map(([kind, last]) => [String(kind), Number(last)]));
}

export function writeLastNumber(db: Database, { tag }: WorkspaceCipher, kind: string, last: number): void {
  db.run(
    "INSERT INTO vault_numbers (workspace, class, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
    [tag, kind, last],
  );
}

export function readErasures(db: Database, { tag }: WorkspaceCipher): number {
  return Number(db.all("SELECT erasures FROM vault_workspaces WHERE workspace = ?", [tag])[0]?.[0] ?? 0);
}

export function eraseVaultRows(db: Database, { tag }: WorkspaceCipher, numbers: Iterable<number>): void {
  for (const number of numbers) {
    db.run("DELETE FROM vault_values WHERE workspace = ? AND number = ?", [tag, number]);
    db.run("DELETE FROM vault_sightings WHERE value = ?", [number]);
    db.run("DELETE FROM vault_records WHERE value = ?", [number]);
  }
  db.run(
    "INSERT INTO vault_workspaces (workspace, erasures) VALUES (?, 1) ON CONFLICT DO UPDATE SET erasures = erasures + 1",
    [tag],
  );
}

function toSealPlace({ class: kind, place, lookup }: Pick<VaultRow, "class" | "place" | "lookup">): string {
  return `${kind}\n${place}\n${lookup.toString("hex")}`;
}

function toBuffer(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0);
}
