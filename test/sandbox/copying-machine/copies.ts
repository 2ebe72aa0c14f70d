import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CopyPart, FolderCopies } from "../../../src/sandbox/machine/folder-copies.ts";

/** Folders below `dir`, filled and emptied in parts. */
export function createCopies(dir: string, ended: Promise<unknown>): FolderCopies {
  /** What each file was when it was put there. */
  const put = new Map<string, string>();

  return {
    async put(folder, parts) {
      const root = join(dir, folder);
      await mkdir(root, { recursive: true });
      let file = root;
      for await (const part of parts) {
        if (part.kind === "folder") await mkdir(join(root, part.path));
        if (part.kind === "file") {
          file = join(root, part.path);
          await writeFile(file, "");
        }
        if (part.kind === "bytes") await appendFile(file, part.bytes);
      }
      for await (const part of walk(root)) {
        if (part.kind === "file") put.set(join(root, part.path), await hash(join(root, part.path)));
      }
    },
    async *take(folder) {
      await ended;
      const root = join(dir, folder);
      for await (const part of walk(root)) {
        const place = join(root, part.path);
        if (part.kind === "file" && put.get(place) === (await hash(place)))
          yield { kind: "same", path: part.path };
        else yield part;
        if (part.kind === "file" && put.get(place) !== (await hash(place)))
          yield { kind: "bytes", bytes: await readFile(place) };
      }
    },
    async drop() {
      await ended;
      await removeTree(dir);
    },
  };
}

/** Node's own finds no way into what programs nest too deep. */
export async function removeTree(dir: string): Promise<void> {
  await promisify(execFile)("rm", ["-rf", dir]);
}

/** What is too deep to be read is told all the same. */
async function* walk(root: string): AsyncGenerator<CopyPart & { path: string }> {
  const folders = [""];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined);
    if (!entries) yield { kind: "unread", path };
    for (const entry of entries ?? []) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) folders.push(inner);
      yield { kind: entry.isDirectory() ? "folder" : "file", path: inner };
    }
  }
}

async function hash(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
