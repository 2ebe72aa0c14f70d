import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeProject } from "./gateway.ts";

/** What is the user's own, beside the project. */
export const OUTSIDE_WORD = "the user's own words";

export async function makeOutside(): Promise<string> {
  return makeProject({
    precious: OUTSIDE_WORD,
    bashrc: "# the user's own shell\n",
    "folder/file": "the user's own file",
  });
}

/** Everything about these files that a write would change, a line each. */
export async function readOutside(dir: string): Promise<string[]> {
  const names = ["", ...(await readdir(dir, { recursive: true }))].sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const about = await lstat(path);
      const content = about.isFile() ? await readFile(path) : Buffer.alloc(0);
      const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
      return [name, (about.mode & 0o777).toString(8), about.uid, about.mtimeMs, hash].join(" ");
    }),
  );
}
