import { realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { atomicWrite } from "./atomic-write.ts";
import { withFileLock } from "./file-lock.ts";
import { appendTo, readPiece, readWhole } from "./held-file.ts";
import { type HeldFolder, inHeldFolder } from "./held-folder.ts";
import { removeLeftovers } from "./leftovers.ts";
import { assertOwnTree } from "./own-tree.ts";
import { createSeal } from "./seal.ts";
import { isKeptKey, loadUserKey } from "./user-key.ts";

/**
 * The project's `.keyhole` folder: what Keyhole remembers between runs and can lose without harm. A repository can bring
 * one along, so no link is followed in it, and JSON is believed only with a proof that this user's Keyhole wrote it here.
 * What can't be read is nothing; what can't be written is not remembered.
 */
export type StateDir = {
  readonly path: string;
  /** Whether a later process will believe what this one writes. */
  readonly isLasting: boolean;
  /** A keyed hash: lets the state tell whether a secret changed without telling what it is. */
  fingerprint(text: string): string;
  /** That a text was written by this user's Keyhole in this project, for this purpose. */
  prove(purpose: string, text: string): string;
  readJson(relativePath: string): Promise<unknown>;
  writeJson(relativePath: string, data: unknown): Promise<void>;
  /** Gives a file another name, unless there is one of that name. */
  move(from: string, to: string): Promise<void>;
  /** Replaces a file by what `change` makes of it, while no other process does; false when that can't be done now. */
  updateJson<T>(
    relativePath: string,
    parse: Parse<T>,
    change: (current: T | undefined) => T | Promise<T>,
  ): Promise<boolean>;
  /** The end of a text that nobody vouches for, at most so many bytes of it. */
  readTail(relativePath: string, maxBytes: number): Promise<string>;
  writeText(relativePath: string, text: string): Promise<void>;
  /** In one write; tells how large the file was before, and nothing where it can't be written. */
  append(relativePath: string, text: string): Promise<number | undefined>;
  /** Does something in a folder of it; nothing where that can't be opened. What fails in there fails. */
  inFolder<T>(
    steps: readonly string[],
    options: { readonly make: boolean },
    work: (folder: HeldFolder) => Promise<T>,
  ): Promise<T | undefined>;
};

export type StateDirOptions = {
  /** Whoever only looks changes nothing by opening it. */
  readonly leavesAsIs?: boolean;
};

type Parse<T> = (value: unknown) => T | undefined;

export const STATE_FOLDER = ".keyhole";
const IGNORE_FILE = ".gitignore";
const IGNORE_EVERYTHING = "# Keyhole's own state: rebuilt when it is missing\n*\n";
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/**
 * Opens `.keyhole` in the project, which is made when something is written. Refuses one with links or with files of
 * somebody else's. `keyDir` is the user's own folder; without one, nothing is believed but what this process wrote.
 */
export async function openStateDir(
  projectDir: string,
  keyDir?: string,
  { leavesAsIs = false }: StateDirOptions = {},
): Promise<StateDir> {
  const base = await realpath(projectDir).catch(() => resolve(projectDir));
  const key = await loadUserKey(keyDir);
  const seal = createSeal(key, base);
  const inFolder: StateDir["inFolder"] = (steps, options, work) =>
    inHeldFolder(base, [STATE_FOLDER, ...steps], options, work);

  await inFolder([], { make: false }, async (root) => {
    await assertOwnTree(root);
    if (leavesAsIs) return;
    await keepOutOfGit(root);
    // What a killed process left behind; where nothing can be removed, nothing is.
    await removeLeftovers(root.path).catch(() => {});
  });

  /** Whatever stands in the way: a state that can't be written costs time at the next start, no more. */
  async function at<T>(
    relativePath: string,
    make: boolean,
    work: (folder: HeldFolder, name: string) => Promise<T>,
  ): Promise<T | undefined> {
    const steps = relativePath.split("/");
    const name = steps.pop() ?? "";
    try {
      if (make) await inFolder([], { make }, keepOutOfGit);
      return await inFolder(steps, { make }, (folder) => work(folder, name));
    } catch {
      return undefined;
    }
  }

  const readSealed = async (folder: HeldFolder, name: string, path: string) => {
    const content = await readWhole(folder, name, MAX_JSON_BYTES);
    return content && seal.open(path, content);
  };
  const write = (folder: HeldFolder, name: string, text: string) =>
    atomicWrite(join(folder.path, name), text, { mode: 0o600 });
  const readJson = (path: string) => at(path, false, (folder, name) => readSealed(folder, name, path));
  const writeJson = async (path: string, data: unknown) => {
    await at(path, true, (folder, name) => write(folder, name, seal.close(path, data)));
  };

  return {
    path: join(base, STATE_FOLDER),
    isLasting: isKeptKey(key),
    fingerprint: seal.fingerprint,
    prove: seal.prove,
    readJson,
    writeJson,
    async move(from, to) {
      const data = await readJson(from);
      if (data === undefined || (await readJson(to)) !== undefined) return;
      await writeJson(to, data);
      await at(from, false, (folder, name) => rm(join(folder.path, name), { force: true }));
    },
    async updateJson(path, parse, change) {
      const isDone = await at(path, true, (folder, name) =>
        withFileLock(join(folder.path, `${name}.lock`), async () => {
          const stored = await readSealed(folder, name, path);
          const current = stored === undefined ? undefined : parse(stored);
          await write(folder, name, seal.close(path, await change(current)));
        }),
      );
      return isDone ?? false;
    },
    async readTail(path, maxBytes) {
      const piece = await at(path, false, (folder, name) =>
        readPiece(folder, name, (size) => ({ from: Math.max(0, size - maxBytes), length: maxBytes })),
      );
      return piece?.bytes.toString("utf8") ?? "";
    },
    async writeText(path, text) {
      await at(path, true, (folder, name) => write(folder, name, text));
    },
    append: (path, text) => at(path, true, (folder, name) => appendTo(folder, name, text)),
    async inFolder(steps, options, work) {
      if (options.make) await inFolder([], options, keepOutOfGit);
      return inFolder(steps, options, work);
    },
  };
}

/** Also where somebody has put another one there. */
async function keepOutOfGit(root: HeldFolder): Promise<void> {
  const known = await readWhole(root, IGNORE_FILE, IGNORE_EVERYTHING.length).catch(() => undefined);
  if (known?.toString("utf8") === IGNORE_EVERYTHING) return;
  // A folder that can't be written to has nothing new in it either.
  await atomicWrite(join(root.path, IGNORE_FILE), IGNORE_EVERYTHING, { mode: 0o600 }).catch(() => {});
}
