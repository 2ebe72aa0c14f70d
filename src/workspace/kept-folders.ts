import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import type { Limits } from "../sandbox/limits.ts";
import { PLANS_FOLDER } from "../store/own-tree.ts";
import { removeTree } from "../store/remove-tree.ts";
import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import { isRunId } from "../text/random-id.ts";
import { copyFolder, type FolderManifest, putBack, readFolderManifest, toChanges } from "./snapshot.ts";

/** The workspace as it was before a run, for runs that may have to start over. */
export type KeptFolders = {
  /** Copies it, and tells what that takes. Fails where it is more than may be kept. */
  keep(run: string, folder: string, maxBytes?: number): Promise<number>;
  /** Notes how the run left it, and tells what is not as it was before; nothing where nothing was kept. */
  leave(run: string, folder: string): Promise<Pick<KeptState, "since" | "changes"> | undefined>;
  /** How it stands with what was kept; nothing where nothing was. */
  compare(run: string, folder: string): Promise<KeptState | undefined>;
  /** Makes it as it was before the run. */
  restore(run: string, folder: string): Promise<void>;
  /** Does something in a copy of it, of which nothing is left afterwards. */
  inCopy<T>(run: string, folder: string, work: (copy: string) => Promise<T>): Promise<T>;
  drop(run: string): Promise<void>;
  /** The runs of which something is kept, and since when, in milliseconds since 1970. */
  list(): Promise<{ readonly run: string; readonly since: number }[]>;
};

export type KeptState = {
  /** When it was last as it was before the run, in milliseconds since 1970. */
  readonly since: number;
  /** The run told how it left it: then these are the changes since. Otherwise it was killed, and they are all there are. */
  readonly isLeft: boolean;
  readonly changes: readonly string[];
};

type Kept = {
  readonly since: number;
  readonly before: FolderManifest;
  readonly left?: FolderManifest;
};

const FOLDER = "kept";

export function createKeptFolders(
  state: Pick<StateDir, "path" | "inFolder" | "readJson" | "writeJson">,
  limits: Limits,
): KeptFolders {
  const toFile = (run: string) => `${FOLDER}/${run}.json`;

  async function read(run: string): Promise<Kept | undefined> {
    return parseKept(await state.readJson(toFile(run)));
  }

  async function write(run: string, { since, before, left }: Kept): Promise<void> {
    const lists = { before: [...before], ...(left === undefined ? {} : { left: [...left] }) };
    await state.writeJson(toFile(run), { since, ...lists });
    if ((await read(run)) === undefined) throw notKept();
  }

  async function drop(run: string): Promise<void> {
    assertRun(run);
    await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
      await rm(join(path, run), { recursive: true, force: true });
      // Last: by it a copy is known of which somebody was killed who removed it.
      await rm(join(path, `${run}.json`), { force: true });
    });
    await dropCopy(run);
  }

  async function dropCopy(run: string): Promise<void> {
    assertRun(run);
    await state.inFolder([PLANS_FOLDER], { make: false }, ({ path }) => removeTree(join(path, run)));
  }

  return {
    async keep(run, folder, maxBytes = limits.diskBytes) {
      try {
        const within = { ...limits, diskBytes: Math.min(limits.diskBytes, maxBytes) };
        const copy = await state.inFolder([FOLDER], { make: true }, async ({ path }) => {
          await mkdir(join(path, run), { mode: 0o700 });
          return copyFolder(folder, join(path, run), within);
        });
        if (copy === undefined) throw notKept();
        await write(run, { since: Date.now(), before: copy.manifest });
        return copy.bytes;
      } catch (error) {
        await drop(run).catch(() => {});
        throw error;
      }
    },
    async leave(run, folder) {
      const kept = await read(run);
      if (kept === undefined) return undefined;
      const left = await readFolderManifest(folder);
      await write(run, { ...kept, left });
      return { since: kept.since, changes: toChanges(kept.before, left) };
    },
    async compare(run, folder) {
      const kept = await read(run);
      if (kept === undefined) return undefined;
      const { since, before, left } = kept;
      const changes = toChanges(left ?? before, await readFolderManifest(folder));
      return { since, isLeft: left !== undefined, changes };
    },
    async restore(run, folder) {
      const kept = await read(run);
      if (kept === undefined) return;
      // From here on it is the run's again, whatever happens to us.
      await write(run, { since: Date.now(), before: kept.before });
      await state.inFolder([FOLDER, run], { make: false }, ({ path }) => putBack(path, folder, limits));
      const changes = toChanges(kept.before, await readFolderManifest(folder));
      if (changes.length > 0) throw notKept();
    },
    async inCopy(run, folder, work) {
      // One that a killed host has left.
      await dropCopy(run);
      try {
        const copied = await state.inFolder([PLANS_FOLDER], { make: true }, async ({ path }) => {
          await mkdir(join(path, run), { mode: 0o700 });
          return copyFolder(folder, join(path, run), limits);
        });
        if (copied === undefined) throw notKept();
        return await work(join(state.path, PLANS_FOLDER, run));
      } finally {
        await dropCopy(run).catch(() => {});
      }
    },
    drop,
    async list() {
      const found = new Map<string, number>();
      for (const folder of [FOLDER, PLANS_FOLDER])
        await state.inFolder([folder], { make: false }, async ({ path }) => {
          // A list tells when: the folder itself is a new one as soon as something in it is removed.
          for (const name of (await readdir(path)).sort(listsLast)) {
            const run = name.replace(/\.json$/, "");
            // Whatever else lies there was not kept by us: "...json" is no list of a run "..".
            const stats = isRunId(run) ? await lstat(join(path, name)).catch(() => undefined) : undefined;
            if (stats) found.set(run, stats.mtimeMs);
          }
        });
      return [...found].map(([run, since]) => ({ run, since }));
    },
  };
}

/** What is removed with all that is in it lies where its name says, and nowhere else. */
function assertRun(run: string): void {
  if (!isRunId(run)) throw new TypeError(`${JSON.stringify(run)} is no id of a run`);
}

function notKept(): KeyholeError {
  return new KeyholeError("file_conflict", "Cannot keep the workspace as it was before the program", {
    hint: "Look whether .keyhole can be written to, and has room",
  });
}

function parseKept(value: unknown): Kept | undefined {
  if (!isRecord(value)) return undefined;
  const { since, before, left } = value;
  const listed = parseManifest(before);
  if (typeof since !== "number" || listed === undefined) return undefined;
  const leftAs = parseManifest(left);
  return { since, before: listed, ...(leftAs === undefined ? {} : { left: leftAs }) };
}

function parseManifest(value: unknown): FolderManifest | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.filter(
    (entry): entry is [string, string] =>
      Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string",
  );
  return entries.length === value.length ? new Map(entries) : undefined;
}

function listsLast(a: string, b: string): number {
  return Number(a.endsWith(".json")) - Number(b.endsWith(".json"));
}
