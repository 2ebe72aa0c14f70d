import { accessSync, constants, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAllWhenGone } from "../../../../process/watchdog.ts";
import { removeTree } from "../../../../store/remove-tree.ts";

/** Where files lie on a disk, and not in memory as they may in `/tmp`. */
const ON_DISK = "/var/tmp";

/** What commands have as `/tmp`: folders on disk. In memory, empty files and attributes of files would be the kernel's, uncounted. */
export type Scratch = {
  create(): string;
  remove(dir: string): Promise<void>;
  close(): Promise<void>;
};

export function createScratch(): Scratch {
  let parent: string | undefined;
  let count = 0;
  return {
    create() {
      if (parent === undefined) {
        parent = mkdtempSync(join(isWritable(ON_DISK) ? ON_DISK : tmpdir(), "keyhole-commands-"));
        removeAllWhenGone(parent);
      }
      const dir = join(parent, String(++count));
      mkdirSync(dir, { mode: 0o700 });
      return dir;
    },
    remove: removeTree,
    async close() {
      if (parent !== undefined) await removeTree(parent);
    },
  };
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
