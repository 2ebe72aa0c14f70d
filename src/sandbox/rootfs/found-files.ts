import { execFile } from "node:child_process";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isRecord } from "../../text/is-record.ts";

/** A file of this host, and its place in the guest's. */
export type FoundFile = { readonly path: string; readonly from: string };

const run = promisify(execFile);
const OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * What the loader needs to start these. What this host's loader found by its list, or by a path of the binary's own, stands
 * beside the C library in the guest: there is no such list, and any loader looks there.
 */
export async function collectLibraries(binaries: readonly string[]): Promise<FoundFile[]> {
  const { stdout } = await run("ldd", [...binaries], {
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    maxBuffer: OUTPUT_BYTES,
  }).catch(toOutput);
  const said = stdout.matchAll(/^\s+(?:\S+ => )?(\/\S+) \(0x/gm);
  const places = new Set([...said].flatMap(([, place]) => place ?? []));
  const libc = [...places].find((place) => /^libc\.so\./.test(basename(place)));
  return Promise.all(
    [...places].map(async (place) => ({
      path:
        libc === undefined || SEARCHED.test(dirname(place)) ? place : join(dirname(libc), basename(place)),
      from: await realpath(place),
    })),
  );
}

const SEARCHED = /^(\/usr)?\/lib(32|64)?(\/[^/]+-linux-gnu[^/]*)?$/;

/** It fails for a static binary, and has told of the others all the same. */
function toOutput(error: unknown): { stdout: string } {
  if (isRecord(error) && typeof error["stdout"] === "string") return { stdout: error["stdout"] };
  throw error;
}

/** All files below a folder, links resolved; what can't be read is left out. */
export async function collectFolder(
  dir: string,
  path: string,
  takes: (name: string, isFolder: boolean) => boolean,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const { name } of await readdir(dir, { withFileTypes: true })) {
    const from = await realpath(join(dir, name)).catch(() => undefined);
    const stats = from === undefined ? undefined : await stat(from);
    if (from === undefined || stats === undefined || !takes(name, stats.isDirectory())) continue;
    if (stats.isDirectory()) found.push(...(await collectFolder(from, `${path}/${name}`, takes)));
    if (stats.isFile()) found.push({ path: `${path}/${name}`, from });
  }
  return found;
}
