import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isLocked } from "../file-lock.ts";
import { assertOwnParts, isProven, isThere, parseProof, sizeOf } from "./database-files.ts";
import { readVersion } from "./migrations.ts";
import { beingOpened, type DatabaseKind, PROJECT_DATABASE, type State, toLockFile } from "./open-database.ts";
import { assertOwnSchema } from "./own-schema.ts";
import { type Access, type Database, openSqlite } from "./sqlite.ts";
import { StoreError, shown, toStoreError } from "./store-error.ts";
import { whenFree } from "./when-free.ts";

/** Another process that opens it may have ended with that between two looks. */
const LOOKS = 5;
const LOOK_AGAIN_MS = 20;
const PATIENCE_MS = 5_000;

/**
 * Opens the project's database for somebody who only reads: nothing is made, changed or moved aside for it, and nothing need be
 * writable. Nothing where there is none; one that is not ours is refused.
 */
export async function openToRead(state: State, kind = PROJECT_DATABASE): Promise<Database | undefined> {
  if (!state.isLasting) return undefined;
  const path = join(state.path, kind.file);
  try {
    return await state.inFolder([], { make: false }, () => openProven(state, path, kind));
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** What another process is making or opening in this moment is not proven yet: it is waited for. */
async function openProven(state: State, path: string, kind: DatabaseKind): Promise<Database | undefined> {
  const start = performance.now();
  for (let looks = 1; ; looks++) {
    try {
      return await openAsIs(state, path, kind);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const isBeingOpened = await isLocked(join(state.path, toLockFile(kind)));
      if (performance.now() - start > PATIENCE_MS) throw isBeingOpened ? beingOpened(path) : error;
      if (isBeingOpened) looks = 0;
      if (looks >= LOOKS) throw error;
      await delay(LOOK_AGAIN_MS);
    }
  }
}

async function openAsIs(state: State, path: string, kind: DatabaseKind): Promise<Database | undefined> {
  if (!isThere(path)) return undefined;
  await assertOwnParts(path);
  if (!isProven(path, parseProof(await state.readJson(kind.proof)))) throw notOurs(path);
  if (sizeOf(path) === 0) return undefined;
  try {
    return await openChecked(path, "read", kind);
  } catch (error) {
    // With a log, SQLite wants to write beside it even to read. Without one, nobody has it open.
    const fault = error instanceof StoreError ? error.fault : undefined;
    if ((fault !== "read_only" && fault !== "unopened") || sizeOf(`${path}-wal`) > 0) throw error;
    return openChecked(path, "unchanging", kind);
  }
}

function notOurs(path: string): StoreError {
  return new StoreError(
    "not_ours",
    `The store "${shown(path)}" was not made by this user's Keyhole in this place, and is not read`,
    "The next run moves it aside, and begins a new one",
  );
}

async function openChecked(
  path: string,
  access: Access,
  { migrations }: DatabaseKind,
): Promise<Database | undefined> {
  const db = await openSqlite(path, access);
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    db.exec("PRAGMA cell_size_check = ON");
    await whenFree(() => assertOwnSchema(db, migrations));
    // Nothing is in it yet.
    if (readVersion(db) === migrations.length) return db;
    await db.close();
    return undefined;
  } catch (error) {
    await db.close();
    throw error;
  }
}
