import { createHmac, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite } from "./atomic-write.ts";
import { withFileLock } from "./file-lock.ts";
import { removeLeftovers } from "./leftovers.ts";

/** The project's `.keyhole` folder: what Keyhole remembers between runs and can lose without harm. */
export type StateDir = {
  readonly path: string;
  /** A keyed hash: lets the state tell whether a secret changed without telling what it is. */
  fingerprint(text: string): string;
  readJson(relativePath: string): Promise<unknown>;
  writeJson(relativePath: string, data: unknown): Promise<void>;
  /** Gives a file another name, unless there is one of that name. */
  move(from: string, to: string): Promise<void>;
  /**
   * Replaces a file by what `change` makes of it, while no other process does; false when that can't be done now. What
   * `parse` does not accept is set aside as `.broken`, and counts as nothing.
   */
  updateJson<T>(
    relativePath: string,
    parse: Parse<T>,
    change: (current: T | undefined) => T,
  ): Promise<boolean>;
};

type Parse<T> = (value: unknown) => T | undefined;

const IGNORE_EVERYTHING = "# Keyhole's own state: rebuilt when it is missing\n*\n";

/** Opens `.keyhole` in the project. Where it can't be written, nothing is remembered, and nothing fails. */
export async function openStateDir(projectDir: string): Promise<StateDir> {
  const path = join(projectDir, ".keyhole");
  const key = await loadKey(path);
  // What a killed process left behind; where there is nothing to read there is nothing to remove.
  await removeLeftovers(path).catch(() => {});
  return {
    path,
    fingerprint: (text) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32),
    readJson: (relativePath) => readJson(join(path, relativePath)),
    writeJson: (relativePath, data) => writeJson(join(path, relativePath), data),
    move: (from, to) => move(join(path, from), join(path, to)),
    updateJson: (relativePath, parse, change) => updateJson(join(path, relativePath), parse, change),
  };
}

async function loadKey(path: string): Promise<Buffer> {
  const file = join(path, "key");
  const known = await readFile(file).catch(() => undefined);
  if (known?.length === 32) return known;
  const fresh = randomBytes(32);
  try {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, ".gitignore"), IGNORE_EVERYTHING);
    await writeFile(file, fresh, { mode: 0o600, flag: known ? "w" : "wx" });
    return fresh;
  } catch {
    // Another process may have made the key in this moment; then that one counts.
    const theirs = await readFile(file).catch(() => undefined);
    return theirs?.length === 32 ? theirs : fresh;
  }
}

async function readJson(path: string): Promise<unknown> {
  return parseJson(await readFile(path, "utf8").catch(() => ""));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeJson(path: string, data: unknown): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await atomicWrite(path, `${JSON.stringify(data)}\n`, { mode: 0o600 });
  } catch {
    // A cache that can't be written costs time at the next start, no more.
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    // A link fails where something is, which a rename would replace.
    await link(from, to);
    await unlink(from);
  } catch {
    // Nothing to move, or nothing lost by leaving it.
  }
}

async function updateJson<T>(
  path: string,
  parse: Parse<T>,
  change: (current: T | undefined) => T,
): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await withFileLock(`${path}.lock`, async () => {
      const text = await readFile(path, "utf8").catch(() => undefined);
      const current = text === undefined ? undefined : parse(parseJson(text));
      if (text !== undefined && current === undefined) await rename(path, `${path}.broken`);
      await atomicWrite(path, `${JSON.stringify(change(current))}\n`, { mode: 0o600 });
    });
  } catch {
    return false;
  }
}
