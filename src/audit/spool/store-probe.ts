import { accessSync, constants, statfsSync } from "node:fs";
import { join } from "node:path";
import type { KeyholeError } from "../../errors.ts";
import { StoreError, shown, toStoreError } from "../../store/database/store-error.ts";
import { hasCode } from "../../store/error-code.ts";
import { STATE_FOLDER } from "../../store/state-dir.ts";

/** Less than a transaction needs. */
const MIN_FREE_BYTES = 256 * 1024;

/**
 * What stands against writing a database in the project's folder, as far as the system tells at once: a read-only file or disk,
 * and a full one. Whatever else there is, the drain finds out.
 */
export function probeStore(projectDir: string, file: string): KeyholeError | undefined {
  const state = join(projectDir, STATE_FOLDER);
  const path = join(state, file);
  for (const place of [path, state, projectDir]) {
    try {
      accessSync(place, constants.W_OK);
      return isFull(place) ? full(path) : undefined;
    } catch (error) {
      if (hasCode(error, "ENOTDIR")) return inTheWay(state);
      if (!hasCode(error, "ENOENT")) return toStoreError(error, path);
    }
  }
  return undefined;
}

/** Some file systems tell nothing; what they keep for root, root may use. */
function isFull(place: string): boolean {
  const { blocks, bavail, bfree, bsize } = statfsSync(place);
  return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) * bsize < MIN_FREE_BYTES;
}

function inTheWay(folder: string): StoreError {
  return new StoreError("other", `"${shown(folder)}" is not a folder`, "Delete it, Keyhole makes its own");
}

function full(path: string): StoreError {
  const message = `The store "${shown(path)}" can't grow: the disk is full`;
  return new StoreError("full", message, "Make room on the disk");
}
