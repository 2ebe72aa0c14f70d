import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toHash } from "../../text/hash.ts";
import { VERSION } from "../../version.ts";
import { findDeno } from "../deno/find-deno.ts";
import { findBusybox } from "./busybox.ts";
import { STANDARD_GUESTS } from "./guests.ts";
import type { RootOptions } from "./root-files.ts";

/**
 * Another text when `collectRootFiles` would collect something else, as far as times and sizes tell; in a few milliseconds, where
 * collecting takes a second. `/etc/ld.so.cache` is written anew when libraries are installed.
 */
export async function rootStamp({ guests = STANDARD_GUESTS }: RootOptions = {}): Promise<string> {
  const files = [findDeno(), await findBusybox(), "/usr/bin/python3", "/etc/ld.so.cache"];
  for (const { runner } of guests) {
    const dir = dirname(runner);
    for (const name of (await readdir(dir, { recursive: true })).sort()) files.push(join(dir, name));
  }
  return toHash(JSON.stringify([VERSION, ...(await Promise.all(files.map(toLook)))]));
}

async function toLook(file: string) {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined) return [file];
  const { size, mtimeMs, ino } = await stat(real);
  return [file, real, size, mtimeMs, ino];
}
