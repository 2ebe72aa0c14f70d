import { constants, existsSync } from "node:fs";
import { chmod, lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./error-code.ts";
import { assertOwn } from "./own-place.ts";

/** A folder held open: what is done by its `path` is done in this folder, whatever is put in its place meanwhile. */
export type HeldFolder = {
  /** As people know it. */
  readonly shown: string;
  /** For this process, while it is held. */
  readonly path: string;
  close(): Promise<void>;
};

const DESCRIPTORS = "/proc/self/fd";
/** Elsewhere each folder is looked at before it is used. */
const CAN_HOLD = process.platform === "linux" && existsSync(DESCRIPTORS);
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Opens a folder below one that is trusted, step by step, and follows no link. Nothing where it is not there, can't be
 * made or is no folder; a link or a folder of somebody else's is refused.
 */
export async function openHeldFolder(
  base: string,
  steps: readonly string[],
  options: { readonly make: boolean },
): Promise<HeldFolder | undefined> {
  let held: HeldFolder = { shown: base, path: base, close: async () => {} };
  for (const step of steps) {
    if (!isPlainName(step)) throw new TypeError(`"${step}" is no name of a folder`);
    const [path, shown] = [join(held.path, step), join(held.shown, step)];
    try {
      const next: HeldFolder | undefined = await openStep(path, shown, options.make);
      await held.close();
      if (next === undefined) return undefined;
      held = next;
    } catch (error) {
      await held.close();
      throw error;
    }
  }
  return held;
}

export async function inHeldFolder<T>(
  base: string,
  steps: readonly string[],
  options: { readonly make: boolean },
  work: (folder: HeldFolder) => Promise<T>,
): Promise<T | undefined> {
  const folder = await openHeldFolder(base, steps, options);
  if (folder === undefined) return undefined;
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}

async function openStep(path: string, shown: string, make: boolean): Promise<HeldFolder | undefined> {
  if (make) await mkdir(path, { mode: 0o700 }).catch(() => {});
  return CAN_HOLD ? hold(path, shown) : look(path, shown);
}

async function hold(path: string, shown: string): Promise<HeldFolder | undefined> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (handle === undefined) {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() || stats?.isDirectory()) assertOwn(stats, "folder", shown);
    return undefined;
  }
  try {
    const stats = await handle.stat();
    assertOwn(stats, "folder", shown);
    await closeToOthers(stats.mode, (mode) => handle.chmod(mode));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return { shown, path: `${DESCRIPTORS}/${handle.fd}`, close: () => handle.close() };
}

async function look(path: string, shown: string): Promise<HeldFolder | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink() && !stats.isDirectory()) return undefined;
    assertOwn(stats, "folder", shown);
    await closeToOthers(stats.mode, (mode) => chmod(path, mode));
    return { shown, path, close: async () => {} };
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** A lax umask made it writable for others. Where that can't be mended, the file system has no modes or is read-only. */
async function closeToOthers(mode: number, change: (mode: number) => Promise<void>): Promise<void> {
  if ((mode & WRITABLE_BY_OTHERS) === 0) return;
  await change(mode & 0o7777 & ~WRITABLE_BY_OTHERS).catch(() => {});
}
