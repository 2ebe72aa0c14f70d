import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { KeyholeError } from "../errors.ts";
import { surveyFolders } from "../sandbox/machine/survey.ts";
import { emptyTree } from "../store/remove-tree.ts";
import type { StateDir } from "../store/state-dir.ts";
import type { MadeSnapshot, Snapshot, Snapshots } from "./snapshots.ts";
import type { StateSpace } from "./state/state-space.ts";
import type { StateStore } from "./state/state-store.ts";
import type { Unfinished, WholeChange } from "./unfinished.ts";
import { IGNORE_FILE, ignoreInGit, inWorkspace, openWorkspace, toWorkspaceDir } from "./workspace.ts";
import { listWorkspaceFiles, readWorkspaceFile, type WorkspaceListing } from "./workspace-files.ts";
import { LOCAL_WORKSPACE, toWorkspaceText, type WorkspaceId } from "./workspace-id.ts";
import type { WorkspaceLocks } from "./workspace-locks.ts";
import type { WorkspaceSettings } from "./workspace-settings.ts";
import type { WorkspaceUses } from "./workspace-uses.ts";

/** What a person does with workspaces, and what looks after them: programs have no way to it. */
export type WorkspaceCare = {
  /** All that are known, with what is in them as far as that is known. */
  list(): Promise<readonly KnownWorkspace[]>;
  show(id: WorkspaceId): Promise<MeasuredWorkspace>;
  files(id: WorkspaceId, limit: number): Promise<WorkspaceListing>;
  read(id: WorkspaceId, path: string): Promise<Buffer>;
  snapshot(id: WorkspaceId, note?: string): Promise<MadeSnapshot>;
  /** Makes the files what they were; what they are now is a snapshot before. */
  restore(id: WorkspaceId, snapshot: string): Promise<{ readonly saved: MadeSnapshot }>;
  /** Its files, its state and its snapshots. With `unusedSince`, unless it was used after that: then false. */
  remove(id: WorkspaceId, unusedSince?: number): Promise<boolean>;
  removeSnapshot(id: WorkspaceId, snapshot: string): Promise<void>;
  /** Those that nobody has used for as long as the config says. */
  expired(now?: number): Promise<readonly ExpiredWorkspace[]>;
  /** Finishes what a process was killed in the midst of. */
  finish(id: WorkspaceId): Promise<void>;
};

export type KnownWorkspace = {
  readonly id: WorkspaceId;
  /** Absent where nobody has looked. */
  readonly bytes?: number;
  readonly entries?: number;
  /** In milliseconds since 1970. */
  readonly usedAt?: number;
  readonly expiresAt?: number;
  readonly state: { readonly keys: number; readonly bytes: number };
  readonly snapshots: number;
};

export type MeasuredWorkspace = Omit<KnownWorkspace, "snapshots"> & {
  readonly dir: string;
  readonly quota: { readonly bytes: number; readonly files: number };
  readonly snapshots: readonly Snapshot[];
};

export type ExpiredWorkspace = {
  readonly id: WorkspaceId;
  readonly bytes: number;
  readonly usedAt: number;
  readonly expiredAt: number;
};

export type WorkspaceCareContext = {
  readonly projectDir: string;
  readonly dir: Pick<StateDir, "path" | "inFolder">;
  readonly settings: WorkspaceSettings;
  readonly uses: WorkspaceUses;
  readonly locks: WorkspaceLocks;
  readonly snapshots: Snapshots;
  readonly unfinished: Unfinished;
  /** Nothing where no program has ever kept anything. */
  state(): StateStore | undefined;
};

export function createWorkspaceCare(context: WorkspaceCareContext): WorkspaceCare {
  const { projectDir, dir, settings, uses, locks, snapshots, unfinished } = context;
  const whereIs = (id: WorkspaceId) => toWorkspaceDir(projectDir, dir, id);

  async function opened(id: WorkspaceId): Promise<string> {
    await finish(id);
    const found = await openWorkspace(projectDir, dir, id, { make: false });
    if (found !== undefined) return found;
    throw new KeyholeError("usage", `There is no workspace "${toWorkspaceText(id)}" here`, {
      hint: "keyhole workspace list shows those that are there",
    });
  }

  async function knownIds(): Promise<WorkspaceId[]> {
    const used = (await uses.list()).map(({ id }) => id);
    const kept = ((await context.state()?.spaces()) ?? []).flatMap(({ space }) => toId(space) ?? []);
    const granted = Object.keys(settings.shared).map((name): WorkspaceId => ({ kind: "shared", name }));
    const all = new Map(
      [LOCAL_WORKSPACE, ...used, ...kept, ...granted].map((id) => [toWorkspaceText(id), id]),
    );
    return [...all.values()].sort((a, b) => a.kind.localeCompare(b.kind) || (a.name < b.name ? -1 : 1));
  }

  async function summarise(id: WorkspaceId): Promise<KnownWorkspace> {
    const use = await uses.read(id);
    const spaces = (await context.state()?.spaces()) ?? [];
    const own = spaces.find(({ space }) => isOf(space, id));
    const kept = await snapshots.list(id);
    // Of files without a record nobody knows when they were used: that is not long ago.
    const isKnown = use !== undefined || (kept.length === 0 && !(await hasFiles(id)));
    const usedAt = isKnown ? Math.max(use?.usedAt ?? 0, own?.usedAt ?? 0, ...kept.map(({ at }) => at)) : 0;
    const after = settings.expiresAfterMs(id);
    return {
      id,
      ...(use?.measured && { bytes: use.measured.bytes, entries: use.measured.entries }),
      ...(usedAt > 0 && { usedAt }),
      ...(usedAt > 0 && after !== undefined && { expiresAt: usedAt + after }),
      state: { keys: own?.entries ?? 0, bytes: own?.bytes ?? 0 },
      snapshots: kept.length,
    };
  }

  async function hasFiles(id: WorkspaceId): Promise<boolean> {
    const names = inWorkspace(projectDir, dir, id, { make: false }, ({ path }) => readdir(path));
    // What can't be looked at may be anything.
    const found = await names.catch(() => ["?"]);
    return (found ?? []).some((name) => name !== IGNORE_FILE);
  }

  /** What nobody has used, by the record and by all that lies there; nothing where that can't be told. */
  async function lookWhetherExpired(id: WorkspaceId, now: number): Promise<ExpiredWorkspace | undefined> {
    const after = settings.expiresAfterMs(id);
    const { usedAt: noted, state } = await summarise(id);
    if (noted === undefined || after === undefined || noted + after > now) return undefined;
    // Somebody is having it restored, or was killed in the midst of that.
    if ((await unfinished.read(id))?.kind === "restore") return undefined;
    const files = await lookAtFiles(id);
    if (files === undefined) return undefined;
    const usedAt = Math.max(noted, files.changedAt);
    if (usedAt + after > now) return undefined;
    const copies = (await snapshots.list(id)).reduce((sum, { bytes }) => sum + bytes, 0);
    return { id, usedAt, expiredAt: usedAt + after, bytes: files.bytes + state.bytes + copies };
  }

  async function lookAtFiles(id: WorkspaceId) {
    const path = whereIs(id);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) return { bytes: 0, changedAt: 0 };
    const { bytes, changedAt, unmeasured } = await surveyFolders([path], Number.POSITIVE_INFINITY);
    return unmeasured === undefined ? { bytes, changedAt: Math.max(changedAt, stats.mtimeMs) } : undefined;
  }

  /** What is done is done to the end, by whoever comes next if need be. */
  async function change(id: WorkspaceId, what: WholeChange): Promise<void> {
    await unfinished.begin(id, what);
    await carryOut(id, what);
  }

  async function carryOut(id: WorkspaceId, what: WholeChange): Promise<void> {
    if (what.kind === "restore") await snapshots.putBack(id, what.snapshot, whereIs(id));
    else await removeAll(id);
    // Before it is over: whoever finishes it after a kill notes it once more.
    if (what.kind === "restore") await uses.touch(id, { isChanged: true });
    else await uses.forget(id);
    await unfinished.end(id);
  }

  async function removeAll(id: WorkspaceId): Promise<void> {
    const state = context.state();
    if (state) await state.remove({ kind: id.kind === "own" ? "workspace" : "shared", name: id.name });
    for (const { id: snapshot } of await snapshots.list(id)) await snapshots.remove(id, snapshot);
    await snapshots.removeLeftovers(id);
    // The folder stays: processes that wait for programs have it mounted.
    await inWorkspace(projectDir, dir, id, { make: false }, async (folder) => {
      await emptyTree(folder.path);
      await ignoreInGit(folder);
    });
  }

  async function finish(id: WorkspaceId): Promise<void> {
    if ((await unfinished.read(id)) === undefined) return;
    await locks.alone(id, async () => {
      const what = await unfinished.read(id);
      if (what !== undefined) await carryOut(id, what);
    });
  }

  return {
    finish,
    async list() {
      const found = await Promise.all((await knownIds()).map(summarise));
      return found.filter(({ id, usedAt, state, snapshots: made }) => {
        return existsSync(whereIs(id)) || usedAt !== undefined || state.keys > 0 || made > 0;
      });
    },
    async show(id) {
      const path = await opened(id);
      const { bytes, entries } = await surveyFolders([path], Number.POSITIVE_INFINITY);
      const { snapshots: _, ...rest } = await summarise(id);
      const { bytes: maxBytes, entries: files } = settings.quotaOf(id);
      const quota = { bytes: maxBytes, files };
      return { ...rest, bytes, entries, dir: path, quota, snapshots: await snapshots.list(id) };
    },
    files: async (id, limit) => listWorkspaceFiles(await opened(id), limit),
    read: async (id, path) => readWorkspaceFile(await opened(id), path),
    async snapshot(id, note) {
      const path = await opened(id);
      return locks.alone(id, async () => {
        await snapshots.removeLeftovers(id);
        await uses.touch(id);
        return snapshots.make(id, path, { note });
      });
    },
    async restore(id, snapshot) {
      const path = await opened(id);
      await snapshots.get(id, snapshot);
      return locks.alone(id, async () => {
        await uses.touch(id);
        const saved = await snapshots.make(id, path, { note: `before ${snapshot}`, spare: snapshot });
        await change(id, { kind: "restore", snapshot });
        return { saved };
      });
    },
    async remove(id, unusedSince) {
      if (unusedSince === undefined) await opened(id);
      return locks.alone(id, async () => {
        if (unusedSince !== undefined) {
          const found = await lookWhetherExpired(id, Number.POSITIVE_INFINITY);
          if (found === undefined || found.usedAt > unusedSince) return false;
        }
        await change(id, { kind: "remove" });
        return true;
      });
    },
    removeSnapshot: (id, snapshot) =>
      locks.alone(id, async () => {
        await snapshots.remove(id, snapshot);
        await uses.touch(id);
      }),
    async expired(now = Date.now()) {
      const found: ExpiredWorkspace[] = [];
      for (const id of await knownIds()) {
        const expired = await lookWhetherExpired(id, now);
        if (expired !== undefined) found.push(expired);
      }
      return found;
    },
  };
}

function isOf(space: StateSpace, { kind, name }: WorkspaceId): boolean {
  return space.kind === (kind === "own" ? "workspace" : "shared") && space.name === name;
}

function toId({ kind, name }: StateSpace): WorkspaceId | undefined {
  if (kind === "session") return undefined;
  return { kind: kind === "workspace" ? "own" : "shared", name };
}
