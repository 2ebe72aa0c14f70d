import { APPLICATION_ID, MIGRATIONS, readNumber, readVersion } from "./migrations.ts";
import type { Database } from "./sqlite.ts";
import { StoreError, shown } from "./store-error.ts";

/** Above this, reading all of it would be felt at the start. */
const CHECKED_BYTES = 1024 * 1024;

/**
 * Refuses what is not exactly our tables at the version that it says. A trigger or a view that somebody added would run
 * with our statements. One in which damage was met before is looked at as a whole, however large it is.
 */
export function assertOwnSchema(db: Database, migrations = MIGRATIONS, isSuspect = false): void {
  // As bytes: a text that is no UTF-8 ends the process in the library.
  const found = db.all(
    "SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL AND CAST(sql AS BLOB) <> CAST('CREATE TABLE sqlite_sequence(name,seq)' AS BLOB)",
  );
  const application = readNumber(db, "application_id");
  const version = readVersion(db);
  if (found.length === 0 && application === 0 && version === 0) return;
  if (application !== APPLICATION_ID) throw notOurs(db.path, "is a database of another program");
  if (version > migrations.length) {
    throw new StoreError(
      "newer",
      `The store "${shown(db.path)}" was made by a newer version of Keyhole (${version}; this one knows ${migrations.length})`,
      "Update Keyhole",
    );
  }
  const expected = migrations.slice(0, version).flat();
  const statements = found.map(([sql]) => String(sql));
  if (statements.length !== expected.length || expected.some((sql) => !statements.includes(sql)))
    throw notOurs(db.path, "has other tables than Keyhole's");
  if (isSuspect || readNumber(db, "page_count") * readNumber(db, "page_size") <= CHECKED_BYTES)
    assertWhole(db);
}

function assertWhole(db: Database): void {
  const [[verdict] = []] = db.all("PRAGMA quick_check(1)");
  if (verdict !== "ok") throw new StoreError("damaged", `The store "${shown(db.path)}" is damaged`, MOVE);
}

const MOVE = "Move it elsewhere: Keyhole makes a new one";

function notOurs(path: string, what: string): StoreError {
  return new StoreError("not_ours", `The store "${shown(path)}" ${what}`, MOVE);
}
