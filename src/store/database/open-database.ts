import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "../file-lock.ts";
import type { HeldFolder } from "../held-folder.ts";
import { assertOwn } from "../own-place.ts";
import type { StateDir } from "../state-dir.ts";
import {
  assertOwnParts,
  createFile,
  isProven,
  isSameProof,
  isThere,
  markLogged,
  moveAside,
  type Proof,
  parseProof,
  removeFiles,
  sizeOf,
  toProof,
} from "./database-files.ts";
import { canShareMemory } from "./file-system.ts";
import {
  AUDIT_MIGRATIONS,
  CACHE_MIGRATIONS,
  MEMORY_MIGRATIONS,
  MIGRATIONS,
  migrate,
  VAULT_MIGRATIONS,
} from "./migrations.ts";
import { assertOwnSchema } from "./own-schema.ts";
import { type Database, openSqlite } from "./sqlite.ts";
import { StoreError, shown, toStoreError } from "./store-error.ts";
import { whenFree } from "./when-free.ts";

/** One of a project's databases. */
export type DatabaseKind = {
  readonly file: string;
  /** Says, sealed, which files are ours. */
  readonly proof: string;
  readonly migrations: typeof MIGRATIONS;
};

export const DATABASE_FILE = "keyhole.db";
export const PROJECT_DATABASE: DatabaseKind = {
  file: DATABASE_FILE,
  proof: "database.json",
  migrations: MIGRATIONS,
};
export const VAULT_DATABASE: DatabaseKind = {
  file: "vault.db",
  proof: "vault.json",
  migrations: VAULT_MIGRATIONS,
};
export const AUDIT_DATABASE: DatabaseKind = {
  file: "audit.db",
  proof: "audit.json",
  migrations: AUDIT_MIGRATIONS,
};
export const MEMORY_DATABASE: DatabaseKind = {
  file: "memory.db",
  proof: "memory.json",
  migrations: MEMORY_MIGRATIONS,
};

export const CACHE_DATABASE: DatabaseKind = {
  file: "cache.db",
  proof: "cache.json",
  migrations: CACHE_MIGRATIONS,
};

export function toLockFile({ file }: DatabaseKind): string {
  return `${file}.lock`;
}

export type State = Pick<StateDir, "path" | "isLasting" | "inFolder" | "readJson" | "writeJson">;

export type OpenOptions = {
  readonly isLocal?: (dir: string) => Promise<boolean>;
  /** Damage was met in it: it is looked at as a whole. Another process may have begun a new one by now. */
  readonly isSuspect?: boolean;
  readonly kind?: DatabaseKind;
};

/**
 * Opens the project's database, `.keyhole/keyhole.db`, or another of its own, and makes it when there is none. One that this user's Keyhole did not
 * make here is never read: it is moved aside, with a notice. Where nobody could prove it later, it is in memory.
 */
export async function openDatabase(
  state: State,
  onNotice: (text: string) => void,
  { isLocal = canShareMemory, isSuspect = false, kind = PROJECT_DATABASE }: OpenOptions = {},
): Promise<Database> {
  if (!state.isLasting)
    return prepareDatabase(await openSqlite(""), { prove: async () => {}, isSuspect, kind });
  const path = join(state.path, kind.file);
  try {
    const opened = await state.inFolder([], { make: true }, (folder) =>
      openInTurn(folder, { state, path, onNotice, isLocal, isSuspect, kind }),
    );
    if (opened !== undefined) return opened;
  } catch (error) {
    throw toStoreError(error, path);
  }
  throw noFolder(state.path);
}

type Place = {
  readonly state: State;
  readonly path: string;
  readonly onNotice: (text: string) => void;
  readonly isLocal: (dir: string) => Promise<boolean>;
  readonly isSuspect: boolean;
  readonly kind: DatabaseKind;
};

/** One process at a time: what one has made and not yet proven, another one would not believe. */
async function openInTurn(folder: HeldFolder, place: Place): Promise<Database> {
  const { path, kind } = place;
  let opened: Database | undefined;
  const lockFile = toLockFile(kind);
  for (const name of [kind.proof, lockFile, `${lockFile}.removal`, toUnfinished(kind.file)])
    assertFile(folder, name);
  const lock = join(folder.path, lockFile);
  const isDone = await withFileLock(lock, async (isHeld) => {
    opened = await openProven({ ...place, isHeld });
  });
  if (isDone && opened !== undefined) return opened;
  await assertWritable(folder, kind);
  throw beingOpened(path);
}

/** A folder of that name would be in the way for good. */
function assertFile(folder: HeldFolder, name: string): void {
  const stats = lstatSync(join(folder.path, name), { throwIfNoEntry: false });
  if (stats !== undefined) assertOwn(stats, "file", join(folder.shown, name));
}

export function beingOpened(path: string): StoreError {
  return new StoreError(
    "locked",
    `The store "${shown(path)}" is being opened by another process`,
    "Try again",
  );
}

/** Whoever stood still for so long that others took the lock must not undo what they did. */
async function assertHeld({ path, isHeld }: LockedPlace): Promise<void> {
  if (!(await isHeld())) throw beingOpened(path);
}

async function moveAsideInTurn(place: LockedPlace): Promise<string> {
  await assertHeld(place);
  return moveAside(place.path);
}

type LockedPlace = Place & { isHeld(): Promise<boolean> };

async function openProven(place: LockedPlace): Promise<Database> {
  const { state, path, onNotice, kind } = place;
  await assertOwnParts(path);
  const known = parseProof(await state.readJson(kind.proof));
  if (isThere(path) && !isProven(path, known)) {
    const why = "was not made by this user's Keyhole in this place";
    onNotice(
      `The store "${shown(path)}" ${why}: it is now "${shown(await moveAsideInTurn(place))}", and a new one is begun`,
    );
  }
  try {
    return await openOwn(place);
  } catch (error) {
    if (!(error instanceof StoreError) || (error.fault !== "damaged" && error.fault !== "not_ours"))
      throw error;
    onNotice(`${error.message}: it is now "${shown(await moveAsideInTurn(place))}", and a new one is begun`);
    return openOwn(place);
  }
}

async function openOwn(place: LockedPlace): Promise<Database> {
  const { state, path, isLocal, isSuspect, kind } = place;
  let known = parseProof(await state.readJson(kind.proof));
  const prove = async (proof = toProof(path)) => {
    if (isSameProof(known, proof)) return;
    await assertHeld(place);
    await state.writeJson(kind.proof, proof);
    known = parseProof(await state.readJson(kind.proof));
    if (!isSameProof(known, proof)) throw toStoreError(await whyUnwritable(state.path), path);
  };
  const journalMode = (await isLocal(state.path)) ? "WAL" : "TRUNCATE";
  if (sizeOf(path) === 0) await makeWhole(place, { prove, journalMode });
  // The one of this mode stays, so it is there and proven before the first write.
  const journal = `${path}-journal`;
  if (journalMode === "TRUNCATE" && lstatSync(journal, { throwIfNoEntry: false }) === undefined)
    await createFile(journal);
  const db = await openSqlite(path);
  try {
    return await prepareDatabase(db, { prove, isSuspect, kind, journalMode });
  } catch (error) {
    await db.close();
    throw error;
  }
}

const toUnfinished = (path: string) => `${path}.new`;

/**
 * A new one gets its name when it is whole and proven. Whoever is killed while making it leaves nothing that the next one would have to
 * believe, or to move aside.
 */
async function makeWhole(
  place: LockedPlace,
  { prove, journalMode }: { prove(proof: Proof): Promise<void>; readonly journalMode: JournalMode },
): Promise<void> {
  const { path, kind } = place;
  const made = toUnfinished(path);
  await removeFiles(made);
  await createFile(made);
  // Filled in memory and written at once: SQLite is done with the file then, and has laid nothing beside it.
  const db = await openSqlite("");
  try {
    migrate(db, kind.migrations);
    db.run("VACUUM INTO ?", [made]);
  } finally {
    await db.close();
  }
  if (journalMode === "WAL") await markLogged(made);
  await prove({ "": toProof(made)[""] ?? "" });
  await assertHeld(place);
  await rename(made, path);
  await removeFiles(made);
}

type JournalMode = "WAL" | "TRUNCATE";

type Preparation = {
  prove(): Promise<void>;
  readonly isSuspect: boolean;
  readonly kind: DatabaseKind;
  readonly journalMode?: JournalMode;
};

/**
 * Nothing in the file is believed before it was compared. The log is proven before anything is written to it: one that is
 * not empty and not proven is somebody else's.
 */
async function prepareDatabase(
  db: Database,
  { prove, isSuspect, kind, journalMode }: Preparation,
): Promise<Database> {
  db.exec("PRAGMA trusted_schema = OFF");
  db.exec("PRAGMA cell_size_check = ON");
  await whenFree(() => assertOwnSchema(db, kind.migrations, isSuspect));
  if (journalMode !== undefined) await whenFree(() => setJournalMode(db, journalMode));
  await prove();
  await whenFree(() => migrate(db, kind.migrations));
  await prove();
  return db;
}

/**
 * With a log, what is committed survives the end of this process at any moment without a wait for the disk; a power cut can
 * take the last moments, but breaks nothing. Without one, each commit waits.
 */
function setJournalMode(db: Database, wanted: JournalMode): void {
  const [[mode] = []] = db.all(`PRAGMA journal_mode = ${wanted}`);
  db.exec(`PRAGMA synchronous = ${mode === "wal" ? "NORMAL" : "FULL"}`);
  // Only when nobody did it in the background for long.
  db.exec("PRAGMA wal_autocheckpoint = 8000");
}

async function assertWritable(folder: HeldFolder, { file }: DatabaseKind): Promise<void> {
  const reason = await whyUnwritable(folder.path);
  if (reason !== undefined) throw toStoreError(reason, join(folder.shown, file));
}

async function whyUnwritable(dir: string): Promise<unknown> {
  const probe = join(dir, `.keyhole-${randomUUID()}.tmp`);
  try {
    const file = await open(probe, "wx", 0o600);
    await file.writeFile("x").finally(() => file.close());
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

function noFolder(path: string): StoreError {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile
    ? new StoreError("other", `"${shown(path)}" is not a folder`, "Delete it, Keyhole makes its own")
    : new StoreError(
        "read_only",
        `The folder "${shown(path)}" can't be made`,
        "Make the project's folder writable for this user",
      );
}
