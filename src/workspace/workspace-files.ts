import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { readUsersFile } from "../store/held-file.ts";
import { inHeldFolder, isPlainName } from "../store/held-folder.ts";
import { toExcerpt } from "../text/plain-text.ts";

export type WorkspaceFile = { readonly path: string; readonly bytes: number; readonly modifiedAt: number };

export type WorkspaceListing = {
  readonly files: readonly WorkspaceFile[];
  /** There are more. */
  readonly isCut: boolean;
};

const MAX_STEPS = 200;
/** The kernel's own. */
const MAX_NAME_BYTES = 255;
const MAX_READ_BYTES = 512 * 1024 * 1024;

/** The files in a workspace, by their names, as many as are wanted. No link is followed, and what is no file is left out. */
export async function listWorkspaceFiles(dir: string, limit: number): Promise<WorkspaceListing> {
  const files: WorkspaceFile[] = [];
  let isCut = false;
  const folders: (readonly string[])[] = [[]];
  for (let steps = folders.shift(); steps !== undefined && !isCut; steps = folders.shift()) {
    const at = steps;
    // One that is closed, or gone by now, has nothing to show.
    await inHeldFolder(dir, at, { make: false }, async ({ path }) => {
      for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
        if (!isPlainName(entry.name) || at.length >= MAX_STEPS) continue;
        if (entry.isDirectory()) folders.push([...at, entry.name]);
        if (!entry.isFile()) continue;
        if (files.length >= limit) {
          isCut = true;
          return;
        }
        const stats = await lstat(join(path, entry.name)).catch(() => undefined);
        if (stats === undefined) continue;
        files.push({
          path: [...at, entry.name].join("/"),
          bytes: stats.size,
          modifiedAt: Math.round(stats.mtimeMs),
        });
      }
    }).catch(() => {});
  }
  return { files, isCut };
}

/** A file of a workspace, by its path in it. */
export async function readWorkspaceFile(dir: string, path: string): Promise<Buffer> {
  const steps = path.split("/");
  const shown = toExcerpt(path, 100);
  const isName = (step: string) => isPlainName(step) && Buffer.byteLength(step) <= MAX_NAME_BYTES;
  if (steps.length > MAX_STEPS || !steps.every(isName))
    throw new KeyholeError("usage", `"${shown}" is no path in a workspace`, {
      hint: "Write it as it is listed, such as reports/march.csv",
    });
  const name = steps.pop() ?? "";
  const found = await inHeldFolder(dir, steps, { make: false }, async (folder) => {
    const stats = await lstat(join(folder.path, name)).catch(() => undefined);
    if (stats !== undefined) assertReadable(stats, shown);
    return readUsersFile(folder, name, MAX_READ_BYTES);
  });
  if (found === undefined) throw new KeyholeError("usage", `There is no file "${shown}" in the workspace`);
  if (found === "too large")
    throw new KeyholeError("too_large", `The file "${shown}" is too large to be read as a whole`);
  return found;
}

/** It is the user's or a program's: what is not read here is nothing to be deleted. */
function assertReadable(stats: Stats, shown: string): void {
  if (stats.isFile() && stats.nlink === 1) return;
  const what = stats.isDirectory()
    ? "is a folder"
    : stats.isSymbolicLink()
      ? "is a link, and none is followed"
      : stats.isFile()
        ? "has a second name elsewhere (a hard link), and is not read"
        : "is no file but a pipe, a socket or a device";
  throw new KeyholeError("usage", `"${shown}" ${what}`, {
    hint: "keyhole workspace show NAME --limit 1000 lists the files, those in folders too",
  });
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
