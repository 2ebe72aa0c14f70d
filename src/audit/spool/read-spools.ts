import { existsSync } from "node:fs";
import { lstat, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../store/error-code.ts";
import type { LogWriter, Spool } from "../log/log-writer.ts";
import { isFinished, isOfAnother, parseSpoolFile } from "./spool-name.ts";

/**
 * Takes what waits in a folder of spools into the log, the oldest first, and removes those to which nothing more will come. Any
 * process may do it at any time, also several at once. `left`: those are left out that a living process will take itself; where a hundred
 * write, not each of them reads what all do.
 */
export async function takeSpools(
  folder: string,
  writer: LogWriter,
  which: "all" | "left" = "all",
): Promise<void> {
  for (const file of await listSpools(folder)) {
    const spool = toSpool(folder, file);
    const stats = await lstat(join(folder, file)).catch(() => undefined);
    const owner = parseSpoolFile(file)?.owner;
    if (spool === undefined || owner === undefined || !stats?.isFile()) continue;
    // Asked before it is taken: what comes after that would not be in the log.
    const isLast = isFinished(owner, stats, Date.now());
    if (which === "left" && !isLast && isOfAnother(owner)) continue;
    await writer.take(spool);
    if (isLast) await remove(join(folder, file), spool.name, writer);
  }
}

/** The oldest first. */
export async function listSpools(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => parseSpoolFile(file) !== undefined).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** @internal */
export function toSpool(folder: string, file: string): Spool | undefined {
  const name = parseSpoolFile(file)?.name;
  const path = join(folder, file);
  return name === undefined
    ? undefined
    : { name, read: (from, max) => read(path, from, max), isThere: () => existsSync(path) };
}

/** In this order: a spool that is forgotten while it is there would be taken again. */
async function remove(path: string, name: string, writer: LogWriter): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    // Another process has removed it, and forgets it.
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  await writer.forget(name);
}

async function read(path: string, from: number, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      const length = Math.min(maxBytes, (await file.stat()).size - from);
      if (length <= 0) return new Uint8Array();
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return new Uint8Array();
    throw error;
  }
}
