import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../../errors.ts";

export type PathGuard = {
  /** Why a path must not be touched, or nothing when it may be. */
  findObstacle(path: string): Promise<string | undefined>;
};

/** Watches over one output folder: nothing outside it, behind a link or of another kind may be written or removed. */
export function createPathGuard(outDir: string): PathGuard {
  const folders = new Map<string, Promise<FolderState>>();

  async function findObstacle(path: string): Promise<string | undefined> {
    const steps = path.split("/");
    if (steps.some((step) => step === "" || step === "." || step === ".." || /[\\\0:]/.test(step))) {
      return "outside the output folder";
    }
    for (let length = 1; length < steps.length; length++) {
      const folder = join(outDir, ...steps.slice(0, length));
      const state = folders.get(folder) ?? folderState(folder);
      folders.set(folder, state);
      const found = await state;
      if (found === "missing") return undefined;
      if (found === "link") return "behind a symbolic link";
      if (found === "file") {
        throw new KeyholeError("file_conflict", `Cannot write "${path}": "${folder}" is not a folder`, {
          hint: "Move that file away, or choose another output folder",
        });
      }
    }
    const stats = await ifThere(() => lstat(join(outDir, ...steps)));
    if (stats === undefined || stats.isFile()) return undefined;
    return stats.isSymbolicLink() ? "behind a symbolic link" : "something other than a file has this name";
  }

  return { findObstacle };
}

type FolderState = "folder" | "missing" | "link" | "file";

async function folderState(folder: string): Promise<FolderState> {
  const stats = await ifThere(() => lstat(folder));
  if (stats === undefined) return "missing";
  if (stats.isSymbolicLink()) return "link";
  return stats.isDirectory() ? "folder" : "file";
}

/** Nothing where there is no such file. */
export async function ifThere<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
