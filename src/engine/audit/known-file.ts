import { join } from "node:path";
import { type LogPlace, toLogFolder } from "../../audit/log-place.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { readWhole } from "../../store/held-file.ts";
import { makeFolders } from "../../store/make-folders.ts";

const FILE = "known.json";
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * In the log's folder of the user's, beside its end: a project can't put an older one in its place, by which a change would
 * be none.
 */
export type KnownFile = {
  /** Nothing where there is none, or none that can be read. */
  read(): Promise<unknown>;
  /** While no other process does; fails where that can't be. */
  update(change: (current: unknown) => unknown): Promise<void>;
};

export function openKnownFile(place: LogPlace): KnownFile {
  const folder = toLogFolder(place);
  const path = join(folder, FILE);

  async function read(): Promise<unknown> {
    const bytes = await readWhole({ path: folder, shown: folder, close: async () => {} }, FILE, MAX_BYTES);
    try {
      return bytes === undefined ? undefined : JSON.parse(bytes.toString("utf8"));
    } catch {
      return undefined;
    }
  }

  return {
    read,
    async update(change) {
      await makeFolders(folder);
      const isDone = await withFileLock(`${path}.lock`, async () =>
        atomicWrite(path, `${JSON.stringify(change(await read()))}\n`, { mode: 0o600 }),
      );
      if (!isDone) throw new Error(`"${path}" can't be written now`);
    },
  };
}
