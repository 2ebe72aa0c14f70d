import { lstatSync } from "node:fs";
import { chmod, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRecord } from "../../text/is-record.ts";
import { assertOwn } from "../own-place.ts";
import { StoreError, shown } from "./store-error.ts";

/** What belongs to a database: its file, and those that SQLite lays beside it. `-shm` is never believed by SQLite itself. */
const PARTS = ["", "-wal", "-journal", "-shm"] as const;
const BELIEVED = ["", "-wal", "-journal"] as const;
/** Whoever moves aside this often has another problem. */
const MAX_ASIDE = 5;

/**
 * Which files are the ones that this user's Keyhole made here: each by its number and birth in the file system, which no
 * repository can bring along. It is kept sealed, and holds before SQLite reads a byte of them.
 */
export type Proof = Readonly<Record<string, string>>;

export function parseProof(value: unknown): Proof | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([part, identity]) => [part, String(identity)]));
}

export function toProof(path: string): Proof {
  const files = BELIEVED.map((part) => [part, identify(path + part)] as const);
  return Object.fromEntries(files.filter(([, identity]) => identity !== ""));
}

export function isSameProof(a: Proof | undefined, b: Proof): boolean {
  return a !== undefined && BELIEVED.every((part) => a[part] === b[part]);
}

/** Refuses links, pipes and what belongs to others. Closing a file that SQLite has open would take its locks: none is opened. */
export async function assertOwnParts(path: string): Promise<void> {
  for (const part of PARTS) {
    const stats = lstatSync(path + part, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    assertOwn(stats, "file", path + part);
    if ((stats.mode & 0o077) !== 0) await chmod(path + part, 0o600).catch(() => {});
  }
}

export function isThere(path: string): boolean {
  return PARTS.some(
    (part) => part !== "-shm" && lstatSync(path + part, { throwIfNoEntry: false }) !== undefined,
  );
}

/** A file without content says nothing; any other is believed by its proof alone: also a log can change every table. */
export function isProven(path: string, proof: Proof | undefined): boolean {
  const filled = BELIEVED.filter((part) => sizeOf(path + part) > 0);
  return filled.every((part) => proof?.[part] === identify(path + part) && proof[""] === identify(path));
}

export function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export async function createFile(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  await file.chmod(0o600).finally(() => file.close());
}

/** Two bytes of SQLite's header say that there is a log. SQLite itself would need a journal to write them, which nobody has proven. */
export async function markLogged(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write(new Uint8Array([LOGGED, LOGGED]), 0, 2, FORMAT_AT);
    // Before it has its name: what is committed to the log later counts on it.
    await file.sync();
  } finally {
    await file.close();
  }
}

const FORMAT_AT = 18;
const LOGGED = 2;

/** Those of a database that nobody has finished. */
export async function removeFiles(path: string): Promise<void> {
  for (const part of PARTS) await rm(path + part, { force: true });
}

/** Nothing is deleted: what is in the way gets another name. Tells which. */
export async function moveAside(path: string): Promise<string> {
  const name = `${basename(path)}.aside-`;
  const taken = (await readdir(dirname(path))).filter(
    (entry) => entry.startsWith(name) && !/-(wal|shm|journal)$/.test(entry),
  );
  if (taken.length >= MAX_ASIDE) {
    throw new StoreError(
      "not_ours",
      `The store "${shown(path)}" was not made by this user's Keyhole in this place, and ${MAX_ASIDE} others like it were moved aside before`,
      `Delete "${shown(join(dirname(path), name))}*"`,
    );
  }
  const target = `${join(dirname(path), name)}${Date.now().toString(36)}`;
  for (const part of PARTS) {
    if (lstatSync(path + part, { throwIfNoEntry: false }) !== undefined)
      await rename(path + part, target + part);
  }
  return target;
}

/** Empty where there is no file. A file system that knows no births says 0. */
function identify(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : `${stats.ino}-${stats.birthtimeNs}`;
}
