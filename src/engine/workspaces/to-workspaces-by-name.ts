import type { MadeSnapshot, Snapshot } from "../../workspace/snapshots.ts";
import type { KnownWorkspace, WorkspaceCare } from "../../workspace/workspace-care.ts";
import { parseWorkspaceText, toWorkspaceText } from "../../workspace/workspace-id.ts";
import type {
  TakenSnapshot,
  WorkspaceSnapshot,
  WorkspaceSummary,
  WorkspacesByName,
} from "./workspaces-by-name.ts";

const SHOWN_FILES = 1_000;

export function toWorkspacesByName(care: WorkspaceCare): WorkspacesByName {
  return {
    list: async () => (await care.list()).map(toSummary),
    async show(name, { limit = SHOWN_FILES } = {}) {
      const id = parseWorkspaceText(name);
      const { dir, quota, snapshots, ...rest } = await care.show(id);
      const { files, isCut } = await care.files(id, limit);
      const { snapshots: _, ...summary } = toSummary({ ...rest, snapshots: 0 });
      return {
        ...summary,
        dir,
        quota: { bytes: quota.bytes, entries: quota.files },
        files: files.map((file) => ({ ...file, modifiedAt: toTime(file.modifiedAt) })),
        isCut,
        snapshots: snapshots.map(toShownSnapshot),
      };
    },
    read: (name, path) => care.read(parseWorkspaceText(name), path),
    snapshot: async (name, { note } = {}) => toTaken(await care.snapshot(parseWorkspaceText(name), note)),
    async restore(name, snapshot) {
      const { saved } = await care.restore(parseWorkspaceText(name), snapshot);
      return { saved: toTaken(saved) };
    },
    async remove(name, snapshot) {
      const id = parseWorkspaceText(name);
      if (snapshot === undefined) await care.remove(id);
      else await care.removeSnapshot(id, snapshot);
    },
  };
}

function toSummary({ id, usedAt, expiresAt, ...rest }: KnownWorkspace): WorkspaceSummary {
  return {
    name: toWorkspaceText(id),
    ...rest,
    ...(usedAt !== undefined && { usedAt: toTime(usedAt) }),
    ...(expiresAt !== undefined && { expiresAt: toTime(expiresAt) }),
  };
}

function toShownSnapshot({ at, ...rest }: Snapshot): WorkspaceSnapshot {
  return { ...rest, at: toTime(at) };
}

function toTaken({ removed, ...snapshot }: MadeSnapshot): TakenSnapshot {
  return { ...toShownSnapshot(snapshot), removed };
}

const toTime = (at: number) => new Date(at).toISOString();
