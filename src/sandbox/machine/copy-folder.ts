import { constants, type Dirent } from "node:fs";
import { lstat, open, opendir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { LEFTOVER, toTemporaryName } from "../../store/atomic-write.ts";
import { inHeldFolder, isPlainName, openHeldFolder } from "../../store/held-folder.ts";
import { removeLeftover } from "../../store/leftovers.ts";
import type { Limits } from "../limits.ts";
import type { RunError } from "../sandbox.ts";
import { toDiskError } from "./disk-error.ts";
import type { CopyPart } from "./folder-copies.ts";
import { ENTRY_BYTES, MAX_ENTRIES } from "./survey.ts";

const PIECE_BYTES = 128 * 1024;
const MAX_PATH = 4096;
/** Each is opened for each file below it. */
const MAX_STEPS = 200;
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** What was handed out of a folder: the paths of its files and folders. */
export type Given = Set<string>;

/**
 * A folder as parts. No link is followed, and nothing is given that is no file or folder of its own: a file with a second name
 * may be another's.
 */
export async function* readFolder(dir: string, given: Given): AsyncGenerator<CopyPart> {
  const folders = [""];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    for (const entry of await list(join(dir, path))) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (given.size >= MAX_ENTRIES) return;
      if (inner.length > MAX_PATH || inner.split("/").length > MAX_STEPS) continue;
      if (LEFTOVER.test(entry.name)) {
        await removeLeftover(join(dir, inner));
        continue;
      }
      if (entry.isFile()) yield* readFile(dir, inner, given);
      if (!entry.isDirectory() || (await isUnreachable(join(dir, inner)))) continue;
      given.add(inner);
      folders.push(inner);
      yield { kind: "folder", path: inner };
    }
  }
}

/** A name that is no text leads nowhere: like a link, it is left out. */
async function isUnreachable(path: string): Promise<boolean> {
  return path.includes("\ufffd") && (await lstat(path).catch(() => undefined)) === undefined;
}

/** Closed again before its folders are opened: those can be nested deeper than files can be open. */
async function list(dir: string): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(dir)) {
    if (entries.push(entry) > MAX_ENTRIES) break;
  }
  return entries;
}

async function* readFile(dir: string, path: string, given: Given): AsyncGenerator<CopyPart> {
  const file = await open(join(dir, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!file) return;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.nlink > 1) return;
    given.add(path);
    yield { kind: "file", path };
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      yield { kind: "bytes", bytes: buffer.subarray(0, bytesRead) };
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes parts back into the folder they came from, and removes what was given and is not among them. Parts are hostile:
 * names are checked, no link is followed, and it ends where it is more than the disk limit. Says what was wrong. A file is
 * replaced as a whole: until all of its bytes are there, it is as it was.
 */
export async function writeFolder(
  dir: string,
  parts: AsyncIterable<CopyPart>,
  given: Given,
  limits: Limits,
  signal?: AbortSignal,
): Promise<RunError | undefined> {
  const left = new Set(given);
  const seen = new Set<string>();
  let file: NewFile | undefined;
  let bytes = 0;
  const toOver = (unmeasured?: string) =>
    toDiskError({ bytes, entries: seen.size, ...(unmeasured === undefined ? {} : { unmeasured }) }, limits);
  try {
    for await (const part of parts) {
      // Nobody waits for it any more: what is there stays as it is.
      signal?.throwIfAborted();
      bytes += part.kind === "bytes" ? part.bytes.length : ENTRY_BYTES;
      const over = toOver();
      if (over) return over;
      if (part.kind === "bytes") {
        if (!file) return refused("bytes of no file");
        await file.write(part.bytes);
        continue;
      }
      await file?.keep();
      file = undefined;
      const { path, kind } = part;
      if (kind === "unread" || path.length > MAX_PATH || seen.size > MAX_ENTRIES) return toOver(path);
      const steps = path.split("/");
      if (steps.length > MAX_STEPS) return toOver(path);
      if (!steps.every(isPlainName) || seen.has(path)) return refused("a name that is none");
      seen.add(path);
      const wasGiven = left.delete(path);
      if (kind === "same" && !wasGiven) return refused("a file that was not there before");
      if (kind === "folder") await makeFolder(dir, steps);
      if (kind === "file") file = await beginFile(dir, steps);
    }
    signal?.throwIfAborted();
    await file?.keep();
    file = undefined;
  } finally {
    await file?.drop();
  }
  // The deepest first.
  for (const path of [...left].sort().reverse()) await remove(dir, path.split("/"));
  return undefined;
}

async function makeFolder(dir: string, steps: readonly string[]): Promise<void> {
  const isThere = await inHeldFolder(dir, steps, { make: true }, async () => true);
  if (isThere) return;
  await remove(dir, steps);
  await inHeldFolder(dir, steps, { make: true }, async () => true);
}

type NewFile = {
  write(bytes: Uint8Array): Promise<void>;
  /** Puts it in its place. */
  keep(): Promise<void>;
  drop(): Promise<void>;
};

/** Beside its place, and not in it: what is there may be a link, or have another name elsewhere. */
async function beginFile(dir: string, steps: readonly string[]): Promise<NewFile> {
  const folder = await openHeldFolder(dir, steps.slice(0, -1), { make: true });
  if (!folder) throw new Error("Cannot give a file back to its folder: something else is in its place");
  const place = join(folder.path, steps.at(-1) ?? "");
  const temporary = join(folder.path, toTemporaryName());
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600).catch(async (error) => {
    await folder.close();
    throw error;
  });
  return {
    write: (bytes) => file.writeFile(bytes),
    async keep() {
      await file.close();
      const inPlace = await lstat(place).catch(() => undefined);
      if (inPlace?.isDirectory()) await rm(place, { recursive: true });
      await rename(temporary, place);
      await folder.close();
    },
    async drop() {
      await file.close();
      await rm(temporary, { force: true });
      await folder.close();
    },
  };
}

/** A file, or a folder with nothing in it any more: another run may have put something there. */
async function remove(dir: string, steps: readonly string[]): Promise<void> {
  await inHeldFolder(dir, steps.slice(0, -1), { make: false }, async ({ path }) => {
    const place = join(path, steps.at(-1) ?? "");
    await unlink(place).catch(() => rmdir(place).catch(() => {}));
  });
}

function refused(what: string): RunError {
  return {
    kind: "sandbox",
    message: `Cannot give the program's files back to its folder: the sandbox handed over ${what}`,
  };
}
