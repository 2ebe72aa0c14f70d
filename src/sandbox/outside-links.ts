import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { Folder } from "./sandbox.ts";

const MAX_ENTRIES = 20_000;

/**
 * Deno's permissions follow a link that already stands in a granted folder, wherever it leads. Programs can't make links,
 * but a repository can bring some along. Where no namespace stands behind the permissions, none may lead out.
 */
export async function assertNoOutsideLinks(folders: readonly Folder[]): Promise<void> {
  for (const { dir } of folders) {
    const root = await realpath(dir);
    const open = [root];
    let seen = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const entry of await readdir(next, { withFileTypes: true })) {
        if (++seen > MAX_ENTRIES) throw refuse(dir, `holds more than ${MAX_ENTRIES} files to look through`);
        const path = join(next, entry.name);
        if (entry.isDirectory()) open.push(path);
        if (!entry.isSymbolicLink()) continue;
        const target = await realpath(path).catch(() => undefined);
        if (!target?.startsWith(`${root}${sep}`))
          throw refuse(dir, `has a link that leads out of it: "${path}"`);
      }
    }
  }
}

function refuse(dir: string, why: string): KeyholeError {
  return new KeyholeError("file_conflict", `The folder "${dir}" ${why}`, {
    hint: "Remove it, or install bubblewrap, which keeps programs in even so",
  });
}
