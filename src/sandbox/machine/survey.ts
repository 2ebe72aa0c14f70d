import { lstatSync, opendirSync, type Stats } from "node:fs";
import { setImmediate as nextTurn, setTimeout as rest } from "node:timers/promises";

import { isOutOfFiles, outOfFiles } from "../../process/open-files.ts";

/** Each entry takes at least an inode and a block, whatever is in it. */
export const ENTRY_BYTES = 4096;
/** More than this is not looked through: a host with many of them would do nothing else. */
export const MAX_ENTRIES = 200_000;
/** The host does nothing else for this long, and then as long something else. */
const SLICE_MS = 2;
const ENTRIES_A_READ = 128;

export type Survey = {
  readonly bytes: number;
  readonly entries: number;
  /** When the youngest of them was changed, in milliseconds since 1970. */
  readonly changedAt: number;
  /** The first link found. */
  readonly link?: string;
  /** The first one that is no file or folder of its own: a link, a second name of a file, a pipe, a device. */
  readonly wayOut?: { readonly path: string; readonly what: string };
  /** What could not be looked at, or where it stopped because there was too much. */
  readonly unmeasured?: string;
  /** Whether something was gone when it was its turn, so that more may be there than was seen. */
  readonly hasMissed: boolean;
};

/**
 * Looks through folders, without following links. It stops when there is more than `maxBytes`, since then nothing else
 * matters. It works by short, blocking calls, which cost a fifth of those that come back by a promise; what takes longer
 * than a moment is done in turns, so that a host with much to look through still has half its time.
 */
export async function surveyFolders(
  dirs: readonly string[],
  maxBytes: number,
  isUrgent: () => boolean = () => false,
): Promise<Survey> {
  const seen: Seen = { bytes: 0, entries: 0, changedAt: 0, hasMissed: false };
  const walk = walkFolders(dirs, seen);
  let sliceEnd = performance.now() + SLICE_MS;
  try {
    for (let step = walk.next(); step.done !== true; step = walk.next()) {
      if (seen.unmeasured !== undefined || seen.bytes > maxBytes) break;
      if (seen.entries % 16 !== 0 || performance.now() < sliceEnd) continue;
      await nextTurn();
      if (!isUrgent()) await rest(SLICE_MS);
      sliceEnd = performance.now() + SLICE_MS;
    }
  } finally {
    walk.return();
  }
  return seen;
}

type Seen = { -readonly [Key in keyof Survey]: Survey[Key] };

/**
 * A step an entry. Of folders still to be read only the names are kept: paths can be long, and folders many. A name is bytes, of
 * which not all are text: in here each character of a path is one of them.
 */
function* walkFolders(dirs: readonly string[], seen: Seen): Generator<void, void> {
  for (const dir of dirs.map((text) => Buffer.from(text).toString("latin1"))) {
    const levels: Level[] = [{ path: dir, left: yield* readFolder(dir, seen) }];
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const name = level.left.pop();
      const path = `${level.path}/${name}`;
      if (name === undefined) levels.pop();
      else levels.push({ path, left: yield* readFolder(path, seen) });
    }
  }
}

type Level = { readonly path: string; readonly left: string[] };

/** The names of the folders in it. */
function* readFolder(path: string, seen: Seen): Generator<void, string[]> {
  const folders: string[] = [];
  const dir = attempt(path, seen, () =>
    opendirSync(toDisk(path), { bufferSize: ENTRIES_A_READ, encoding: "latin1" }),
  );
  if (!dir) return folders;
  try {
    const next = () => attempt(path, seen, () => dir.readSync());
    for (let entry = next(); entry; entry = next()) {
      if (note(`${path}/${entry.name}`, seen)) folders.push(entry.name);
      yield;
    }
  } finally {
    dir.closeSync();
  }
  return folders;
}

/** Whether it is a folder. */
function note(path: string, seen: Seen): boolean {
  const stats = attempt(path, seen, () => lstatSync(toDisk(path), { throwIfNoEntry: false }));
  seen.entries++;
  seen.bytes += Math.max(ENTRY_BYTES, stats?.size ?? 0, (stats?.blocks ?? 0) * 512);
  if (seen.entries > MAX_ENTRIES) seen.unmeasured ??= toText(path);
  if (!stats) {
    seen.hasMissed = true;
    return false;
  }
  seen.changedAt = Math.max(seen.changedAt, stats.mtimeMs);
  if (stats.isDirectory()) return true;
  const what = wayOutOf(stats);
  if (what !== undefined) seen.wayOut ??= { path: toText(path), what };
  if (stats.isSymbolicLink()) seen.link ??= toText(path);
  return false;
}

const isAscii = (path: string) => !/[\x80-\xff]/.test(path);
const toDisk = (path: string) => (isAscii(path) ? path : Buffer.from(path, "latin1"));
const toText = (path: string) => Buffer.from(path, "latin1").toString();

function wayOutOf(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "a link";
  if (!stats.isFile()) return "a pipe, a socket or a device";
  return stats.nlink > 1 ? "a hard link, a file with another name somewhere else" : undefined;
}

function attempt<Value>(path: string, seen: Seen, look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    // The host's own fault, of which nothing follows for the folder.
    if (isOutOfFiles(error)) throw outOfFiles("look through a program's folder", error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") seen.hasMissed = true;
    else seen.unmeasured ??= toText(path);
    return undefined;
  }
}
