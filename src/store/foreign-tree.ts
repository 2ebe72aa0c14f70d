import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, open, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isPlainName } from "./held-folder.ts";

/** What is read of a tree at most. */
export type TreeBounds = { readonly files: number; readonly bytes: number; readonly depth: number };

export type ForeignTree = {
  /** By their paths, with `/` between names. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Links, pipes and devices, by their paths: not read. */
  readonly odd: readonly string[];
  /** It has more than the bounds let in, and was not read to its end. */
  readonly isTooLarge: boolean;
};

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const DESCRIPTORS = "/proc/self/fd";
const CAN_HOLD = process.platform === "linux" && existsSync(DESCRIPTORS);
/** Of one folder no more entries are looked at. */
const MAX_ENTRIES = 5_000;
/** What tools leave behind belongs to nobody's tree. */
const LEFT_BEHIND = new Set(["node_modules", "__pycache__"]);

/**
 * A folder that somebody else's program made, as it is: nothing in it is changed, and no link below `base` is followed. What begins with a
 * dot is not part of it. Nothing where there is no such folder.
 */
export async function readForeignTree(
  base: string,
  steps: readonly string[],
  bounds: TreeBounds,
): Promise<ForeignTree | undefined> {
  const files = new Map<string, Buffer>();
  const odd: string[] = [];
  let bytes = 0;
  let isTooLarge = false;

  async function walk(path: string, inner: string, depth: number): Promise<void> {
    for (const { name, kind } of await listAt(path)) {
      const shown = inner === "" ? name : `${inner}/${name}`;
      if (isTooLarge) return;
      if (kind === "odd") odd.push(shown);
      else if (kind === "folder" && depth >= bounds.depth) isTooLarge = true;
      else if (kind === "folder")
        await inFolder(join(path, name), (folder) => walk(folder, shown, depth + 1));
      else await take(path, name, shown);
    }
  }

  async function take(path: string, name: string, shown: string): Promise<void> {
    const room = bounds.bytes - bytes;
    const content = files.size < bounds.files ? await readAt(path, name, room) : "too large";
    if (content === "too large") isTooLarge = true;
    else if (content === undefined) odd.push(shown);
    else {
      files.set(shown, content);
      bytes += content.length;
    }
  }

  const isThere = await inSteps(base, steps, (path) => walk(path, "", 1).then(() => true));
  return isThere ? { files, odd, isTooLarge } : undefined;
}

/** One file of it, as it is now. Nothing where it is not there, is no plain file, or is larger. */
export async function readForeignFile(
  base: string,
  steps: readonly string[],
  maxBytes: number,
): Promise<Buffer | undefined> {
  const content = await inSteps(base, steps.slice(0, -1), (path) =>
    readAt(path, steps.at(-1) ?? "", maxBytes),
  );
  return content === "too large" ? undefined : content;
}

/** The folders in one, by name. */
export async function listForeignFolder(
  base: string,
  steps: readonly string[],
  maxEntries = MAX_ENTRIES,
): Promise<readonly { readonly name: string; readonly kind: EntryKind }[]> {
  return (await inSteps(base, steps, (path) => listAt(path, maxEntries))) ?? [];
}

/** Does something in a folder of it, by a path that leads there whatever is put in its place; nothing where there is none. */
export function inForeignFolder<T>(
  base: string,
  steps: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  return inSteps(base, steps, work);
}

type EntryKind = "file" | "folder" | "odd";

async function listAt(path: string, maxEntries = MAX_ENTRIES): Promise<{ name: string; kind: EntryKind }[]> {
  const found: { name: string; kind: EntryKind }[] = [];
  for await (const entry of await opendir(path)) {
    if (found.length >= maxEntries) break;
    const { name } = entry;
    if (name.startsWith(".") || LEFT_BEHIND.has(name)) continue;
    const kind = entry.isDirectory() ? "folder" : entry.isFile() && isPlainName(name) ? "file" : "odd";
    found.push({ name, kind });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function inSteps<T>(
  base: string,
  steps: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  // The way to it is the caller's; that it is a folder is not known.
  return inFolder(base, (path) => inInner(path, steps, work), { follow: true });
}

async function inInner<T>(
  base: string,
  steps: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  const [step, ...rest] = steps;
  if (step === undefined) return work(base);
  if (!isPlainName(step)) return undefined;
  return inFolder(join(base, step), (path) => inInner(path, rest, work));
}

/** Held open while it is worked in, so that no link can take its place. Elsewhere than on Linux it is looked at before. */
async function inFolder<T>(
  path: string,
  work: (path: string) => Promise<T>,
  { follow = false } = {},
): Promise<T | undefined> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW)).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    if (CAN_HOLD) return await work(`${DESCRIPTORS}/${handle.fd}`);
    const stats = follow ? await stat(path) : await lstat(path);
    return stats.isDirectory() ? await work(path) : undefined;
  } finally {
    await handle.close();
  }
}

async function readAt(
  path: string,
  name: string,
  maxBytes: number,
): Promise<Buffer | "too large" | undefined> {
  const file = await open(join(path, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return await readOpened(file, maxBytes);
  } finally {
    await file.close();
  }
}

/** It can grow while it is read. */
async function readOpened(file: FileHandle, maxBytes: number): Promise<Buffer | "too large" | undefined> {
  const stats = await file.stat();
  if (!stats.isFile()) return undefined;
  if (stats.size > maxBytes) return "too large";
  const content = Buffer.alloc(stats.size);
  let filled = 0;
  while (filled < content.length) {
    const { bytesRead } = await file.read(content, filled, content.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return content.subarray(0, filled);
}
