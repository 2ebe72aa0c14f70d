import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { type Limits, SANDBOX_LIMITS } from "../sandbox/limits.ts";
import { SNAPSHOTS_FOLDER } from "../store/own-tree.ts";
import { removeTree } from "../store/remove-tree.ts";
import type { StateDir } from "../store/state-dir.ts";
import { isRecord } from "../text/is-record.ts";
import { randomId } from "../text/random-id.ts";
import { copyFolder, putBack } from "./snapshot.ts";
import { toFileName, toWorkspaceText, type WorkspaceId } from "./workspace-id.ts";

/** Whole copies of workspaces. One is there when its note is: what a killed process has left of a copy counts for nothing. */
export type Snapshots = {
  /** The oldest ones give way, but for the one that is spared; which, is told. */
  make(id: WorkspaceId, dir: string, options?: SnapshotOptions): Promise<MadeSnapshot>;
  /** The latest first. */
  list(id: WorkspaceId): Promise<readonly Snapshot[]>;
  get(id: WorkspaceId, snapshot: string): Promise<Snapshot>;
  /** Makes the folder what it was. Done again, it comes to the same. */
  putBack(id: WorkspaceId, snapshot: string, dir: string): Promise<void>;
  remove(id: WorkspaceId, snapshot: string): Promise<void>;
  /** Copies that nobody has finished. */
  removeLeftovers(id: WorkspaceId): Promise<void>;
};

export type Snapshot = {
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
  readonly entries: number;
  readonly note?: string;
};

export type SnapshotOptions = { readonly note?: string | undefined; readonly spare?: string | undefined };

export type MadeSnapshot = Snapshot & { readonly removed: readonly string[] };

export type SnapshotsOptions = {
  readonly keep: number;
  readonly bytes: number;
  /** The snapshots by which workspaces are being restored: they stay. */
  readonly wanted?: () => Promise<readonly string[]>;
  readonly now?: () => number;
};

const ID = /^w_[0-9a-f]{16}$/;
const MAX_NOTE = 200;

export function createSnapshots(
  state: Pick<StateDir, "path" | "inFolder" | "readJson" | "writeJson">,
  { keep, bytes: maxBytes, wanted = async () => [], now = Date.now }: SnapshotsOptions,
): Snapshots {
  const limits: Limits = { ...SANDBOX_LIMITS, diskBytes: maxBytes };
  const toSteps = (id: WorkspaceId) => [SNAPSHOTS_FOLDER, toFileName(id)];
  const toNote = (id: WorkspaceId, snapshot: string) => [...toSteps(id), `${snapshot}.json`].join("/");

  async function names(steps: readonly string[]): Promise<string[]> {
    return (await state.inFolder(steps, { make: false }, ({ path }) => readdir(path))) ?? [];
  }

  async function listIn(folder: string): Promise<Snapshot[]> {
    const notes = (await names([SNAPSHOTS_FOLDER, folder])).filter((name) => name.endsWith(".json"));
    const found = await Promise.all(
      notes.map(async (name) =>
        parseNote(
          await state.readJson(`${SNAPSHOTS_FOLDER}/${folder}/${name}`),
          name.slice(0, -".json".length),
        ),
      ),
    );
    return found.flatMap((one) => one ?? []).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  }

  const list = (id: WorkspaceId) => listIn(toFileName(id));

  async function get(id: WorkspaceId, snapshot: string): Promise<Snapshot> {
    const found = (await list(id)).find((one) => one.id === snapshot);
    if (found !== undefined) return found;
    const shown = JSON.stringify(snapshot.slice(0, 60));
    throw new KeyholeError("usage", `The workspace "${toWorkspaceText(id)}" has no snapshot ${shown}`, {
      hint: `keyhole workspace show ${toWorkspaceText(id)} lists them`,
    });
  }

  async function removeIn(folder: string, snapshot: string): Promise<void> {
    await state.inFolder([SNAPSHOTS_FOLDER, folder], { make: false }, async ({ path }) => {
      // First: without it there is none, whatever is left of its files.
      await rm(join(path, `${snapshot}.json`), { force: true });
      await removeTree(join(path, snapshot));
    });
  }

  /** Of this workspace by number; of all, the oldest first, by what they take. */
  async function makeRoom(id: WorkspaceId, spared: readonly (string | undefined)[], madeBytes: number) {
    const own = toFileName(id);
    const folders = await names([SNAPSHOTS_FOLDER]);
    const all = (
      await Promise.all(
        folders.map(async (folder) => (await listIn(folder)).map((one) => ({ folder, ...one }))),
      )
    ).flat();
    const isSpared = (one: Snapshot) => spared.includes(one.id);
    const surplus = all
      .filter(({ folder }) => folder === own)
      .slice(keep)
      .filter((one) => !isSpared(one));
    const left = all.filter((one) => !surplus.includes(one) && !isSpared(one)).sort((a, b) => a.at - b.at);
    let bytes = left.reduce((sum, one) => sum + one.bytes, madeBytes);
    while (bytes > maxBytes) {
      const oldest = left.shift();
      if (oldest === undefined) break;
      surplus.push(oldest);
      bytes -= oldest.bytes;
    }
    for (const { folder, id: gone } of surplus) await removeIn(folder, gone);
    return surplus.map(({ id: gone }) => gone);
  }

  return {
    async make(id, dir, { note, spare } = {}) {
      const snapshot = randomId("w");
      const copied = await state.inFolder(toSteps(id), { make: true }, async ({ path }) => {
        await mkdir(join(path, snapshot), { mode: 0o700 });
        return copyFolder(dir, join(path, snapshot), limits).catch(async (error: unknown) => {
          await removeTree(join(path, snapshot)).catch(() => {});
          throw error;
        });
      });
      if (copied === undefined) throw notMade();
      const made: Snapshot = {
        id: snapshot,
        at: now(),
        bytes: copied.bytes,
        entries: copied.manifest.size,
        ...(note === undefined ? {} : { note: note.slice(0, MAX_NOTE) }),
      };
      await state.writeJson(toNote(id, snapshot), made);
      if (parseNote(await state.readJson(toNote(id, snapshot)), snapshot) === undefined) throw notMade();
      const spared = [snapshot, spare, ...(await wanted())];
      return { ...made, removed: await makeRoom(id, spared, made.bytes) };
    },
    list,
    get,
    async putBack(id, snapshot, dir) {
      const { bytes } = await get(id, snapshot);
      // As large as it was made, whatever the limit is today.
      const own = { ...limits, diskBytes: Math.max(limits.diskBytes, bytes) };
      await state.inFolder([...toSteps(id), snapshot], { make: false }, ({ path }) =>
        putBack(path, dir, own),
      );
    },
    async remove(id, snapshot) {
      await get(id, snapshot);
      await removeIn(toFileName(id), snapshot);
    },
    async removeLeftovers(id) {
      const known = new Set((await list(id)).map((one) => one.id));
      await state.inFolder(toSteps(id), { make: false }, async ({ path }) => {
        for (const name of (await readdir(path)).filter((one) => ID.test(one) && !known.has(one))) {
          const stats = await lstat(join(path, name)).catch(() => undefined);
          if (stats?.isDirectory()) await removeTree(join(path, name));
        }
      });
    },
  };
}

function parseNote(value: unknown, name: string): Snapshot | undefined {
  if (!isRecord(value)) return undefined;
  const { id, at, bytes, entries, note } = value;
  if (id !== name || !ID.test(name)) return undefined;
  if (typeof at !== "number" || typeof bytes !== "number" || typeof entries !== "number") return undefined;
  return { id: name, at, bytes, entries, ...(typeof note === "string" && { note }) };
}

function notMade(): KeyholeError {
  return new KeyholeError("file_conflict", "Cannot keep a snapshot", {
    hint: "Look whether .keyhole can be written to, and has room",
  });
}
