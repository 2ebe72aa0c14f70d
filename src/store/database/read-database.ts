import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { assertOwnParts, isProven, isThere, parseProof, sizeOf } from "./database-files.ts";
import { MIGRATIONS, readVersion } from "./migrations.ts";
import { DATABASE_FILE, PROOF_FILE, type State } from "./open-database.ts";
import { assertOwnSchema } from "./own-schema.ts";
import { type Access, type Database, openSqlite } from "./sqlite.ts";
import { StoreError, shown, toStoreError } from "./store-error.ts";
import { whenFree } from "./when-free.ts";

/** Another process that opens it proves it anew in a moment. */
const LOOKS = 5;
const LOOK_AGAIN_MS = 20;

/**
 * Opens the project's database for somebody who only reads: nothing is made, changed or moved aside for it, and nothing need be
 * writable. Nothing where there is none; one that is not ours is refused.
 */
export async function openToRead(state: State): Promise<Database | undefined> {
  if (!state.isLasting) return undefined;
  const path = join(state.path, DATABASE_FILE);
  try {
    return await state.inFolder([], { make: false }, () => openProven(state, path));
  } catch (error) {
    throw toStoreError(error, path);
  }
}

async function openProven(state: State, path: string): Promise<Database | undefined> {
  if (!isThere(path)) return undefined;
  await assertOwnParts(path);
  await assertProven(state, path);
  if (sizeOf(path) === 0) return undefined;
  try {
    return await openChecked(path, "read");
  } catch (error) {
    // With a log, SQLite wants to write beside it even to read. Without one, nobody has it open.
    const fault = error instanceof StoreError ? error.fault : undefined;
    if ((fault !== "read_only" && fault !== "unopened") || sizeOf(`${path}-wal`) > 0) throw error;
    return openChecked(path, "unchanging");
  }
}

async function assertProven(state: State, path: string): Promise<void> {
  for (let look = 1; !isProven(path, parseProof(await state.readJson(PROOF_FILE))); look++) {
    if (look === LOOKS)
      throw new StoreError(
        "not_ours",
        `The store "${shown(path)}" was not made by this user's Keyhole in this place, and is not read`,
        "The next run moves it aside, and begins a new one",
      );
    await delay(LOOK_AGAIN_MS);
  }
}

async function openChecked(path: string, access: Access): Promise<Database | undefined> {
  const db = await openSqlite(path, access);
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    db.exec("PRAGMA cell_size_check = ON");
    await whenFree(() => assertOwnSchema(db));
    // Nothing is in it yet.
    if (readVersion(db) === MIGRATIONS.length) return db;
    await db.close();
    return undefined;
  } catch (error) {
    await db.close();
    throw error;
  }
}
