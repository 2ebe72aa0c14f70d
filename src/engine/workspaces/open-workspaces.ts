import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KeyholeConfig } from "../../config/schema.ts";
import { MEMORY_DATABASE } from "../../store/database/open-database.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { createSharedWorkspaces, type SharedWorkspaces } from "../../workspace/shared-workspaces.ts";
import { createSnapshots } from "../../workspace/snapshots.ts";
import { createStateStore, type StateStore } from "../../workspace/state/state-store.ts";
import { createUnfinished } from "../../workspace/unfinished.ts";
import { createWorkspaces, type Workspaces } from "../../workspace/workspace.ts";
import { createWorkspaceCare, type WorkspaceCare } from "../../workspace/workspace-care.ts";
import { createWorkspaceLocks } from "../../workspace/workspace-locks.ts";
import { toWorkspaceSettings } from "../../workspace/workspace-settings.ts";
import { createWorkspaceUses } from "../../workspace/workspace-uses.ts";
import type { Memory } from "../memory/open-memory.ts";

export type OpenedWorkspaces = {
  readonly workspaces: Workspaces;
  readonly shared: SharedWorkspaces;
  readonly state: StateStore;
  readonly care: WorkspaceCare;
};

export type WorkspacePlace = {
  /** Where `workspace/` is. */
  readonly dir: string;
  readonly state: StateDir;
  readonly config: Pick<KeyholeConfig, "workspace" | "resourceLimits">;
  readonly memory: Memory;
};

/** What programs keep in a project, and what looks after it. Nothing is opened or made before it is used. */
export function openWorkspaces({ dir, state: stateDir, config, memory }: WorkspacePlace): OpenedWorkspaces {
  const settings = toWorkspaceSettings(config);
  const uses = createWorkspaceUses(stateDir);
  const locks = createWorkspaceLocks(stateDir);
  const unfinished = createUnfinished(stateDir);
  const shared = createSharedWorkspaces(settings.shared);
  const state = createStateStore({
    database: memory.database,
    key: Buffer.from(stateDir.prove("key", "state of programs"), "hex"),
    onWritten: memory.wrote,
  });
  const wanted = async () =>
    (await unfinished.all()).flatMap((change) => (change.kind === "restore" ? [change.snapshot] : []));
  const isThere = () => existsSync(join(stateDir.path, MEMORY_DATABASE.file));
  const care = createWorkspaceCare({
    projectDir: dir,
    dir: stateDir,
    settings,
    uses,
    locks,
    unfinished,
    snapshots: createSnapshots(stateDir, { ...settings.snapshots, wanted }),
    state: () => (isThere() ? state : undefined),
  });
  const workspaces = createWorkspaces(dir, stateDir, {
    uses,
    locks,
    shared,
    quotaOf: settings.quotaOf,
    finish: care.finish,
  });
  return { workspaces, shared, state, care };
}
