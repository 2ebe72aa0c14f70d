import { existsSync } from "node:fs";
import { KeyholeError } from "../errors.ts";
import { surveyFolders } from "../sandbox/machine/survey.ts";
import { emptyTree } from "../store/remove-tree.ts";
import type { StateDir } from "../store/state-dir.ts";
import type { MadeSnapshot, Snapshot, Snapshots } from "./snapshots.ts";
import type { StateSpace } from "./state/state-space.ts";
import type { StateStore } from "./state/state-store.ts";
import type { Unfinished, WholeChange } from "./unfinished.ts";
import { ignoreInGit, inWorkspace, openWorkspace, toWorkspaceDir } from "./workspace.ts";
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
    const usedAt = Math.max(use?.usedAt ?? 0, own?.usedAt ?? 0);
    const after = settings.expiresAfterMs(id);
    return {
      id,
      ...(use && { bytes: use.bytes, entries: use.entries }),
      ...(usedAt > 0 && { usedAt }),
      ...(usedAt > 0 && after !== undefined && { expiresAt: usedAt + after }),
      state: { keys: own?.entries ?? 0, bytes: own?.bytes ?? 0 },
      snapshots: (await snapshots.list(id)).length,
    };
  }

  /** What is done is done to the end, by whoever comes next if need be. */
  async function change(id: WorkspaceId, what: WholeChange): Promise<void> {
    await unfinished.begin(id, what);
    await carryOut(id, what);
  }

  async function carryOut(id: WorkspaceId, what: WholeChange): Promise<void> {
    if (what.kind === "restore") await snapshots.putBack(id, what.snapshot, whereIs(id));
    else await removeAll(id);
    await uses.forget(id);
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
        return snapshots.make(id, path, { note });
      });
    },
    async restore(id, snapshot) {
      const path = await opened(id);
      await snapshots.get(id, snapshot);
      return locks.alone(id, async () => {
        const saved = await snapshots.make(id, path, { note: `before ${snapshot}`, spare: snapshot });
        await change(id, { kind: "restore", snapshot });
        return { saved };
      });
    },
    async remove(id, unusedSince) {
      if (unusedSince === undefined) await opened(id);
      return locks.alone(id, async () => {
        const { usedAt = 0 } = await summarise(id);
        if (unusedSince !== undefined && usedAt > unusedSince) return false;
        await change(id, { kind: "remove" });
        return true;
      });
    },
    removeSnapshot: (id, snapshot) => locks.alone(id, () => snapshots.remove(id, snapshot)),
    async expired(now = Date.now()) {
      const found = await Promise.all((await knownIds()).map(summarise));
      return found.flatMap(({ id, bytes = 0, usedAt, expiresAt, state }) =>
        usedAt === undefined || expiresAt === undefined || expiresAt > now
          ? []
          : [{ id, usedAt, expiredAt: expiresAt, bytes: bytes + state.bytes }],
      );
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
