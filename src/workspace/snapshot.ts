import { createHash } from "node:crypto";
import { KeyholeError } from "../errors.ts";
import type { Limits } from "../sandbox/limits.ts";
import { type Given, readFolder, writeFolder } from "../sandbox/machine/copy-folder.ts";
import type { CopyPart } from "../sandbox/machine/folder-copies.ts";
import { ENTRY_BYTES } from "../sandbox/machine/survey.ts";

/** What is in a folder: each file's path with the hash of what it holds, each folder's with nothing. */
export type FolderManifest = ReadonlyMap<string, string>;

/** Copies a folder to another, which is new or empty, and says what was in it. Links and what is no file are left out. */
export async function copyFolder(
  from: string,
  to: string,
  limits: Limits,
): Promise<{ readonly manifest: FolderManifest; readonly bytes: number }> {
  const manifest = createFolderManifest();
  const failure = await writeFolder(to, manifest.watch(readFolder(from, new Set())), new Set(), limits);
  if (failure) throw new KeyholeError("too_large", `Cannot keep a copy of the workspace: ${failure.message}`);
  return { manifest: manifest.end(), bytes: manifest.bytes() };
}

/** Makes a folder what a copy of it is. What was left out of the copy stays as it is. */
export async function putBack(copy: string, folder: string, limits: Limits): Promise<void> {
  const there: Given = new Set();
  for await (const _part of readFolder(folder, there)) {
    // Only the names are wanted: those that the copy does not have go.
  }
  const failure = await writeFolder(folder, readFolder(copy, new Set()), there, limits);
  if (failure) throw new KeyholeError("too_large", `Cannot put the workspace back: ${failure.message}`);
}

export async function readFolderManifest(folder: string): Promise<FolderManifest> {
  const manifest = createFolderManifest();
  for await (const _part of manifest.watch(readFolder(folder, new Set()))) {
    // The manifest sees each of them.
  }
  return manifest.end();
}

/** The paths that one of them has and the other has not, or has otherwise. */
export function toChanges(before: FolderManifest, after: FolderManifest): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function createFolderManifest() {
  const found = new Map<string, string>();
  let bytes = 0;
  let file: { path: string; hash: ReturnType<typeof createHash> } | undefined;

  function endFile(): void {
    if (file) found.set(file.path, file.hash.digest("hex"));
    file = undefined;
  }

  return {
    async *watch(parts: AsyncIterable<CopyPart>): AsyncGenerator<CopyPart> {
      for await (const part of parts) {
        bytes += part.kind === "bytes" ? part.bytes.length : ENTRY_BYTES;
        if (part.kind === "bytes") file?.hash.update(part.bytes);
        else endFile();
        if (part.kind === "folder") found.set(part.path, "");
        if (part.kind === "file") file = { path: part.path, hash: createHash("sha256") };
        yield part;
      }
    },
    bytes: () => bytes,
    end(): FolderManifest {
      endFile();
      return found;
    },
  };
}
