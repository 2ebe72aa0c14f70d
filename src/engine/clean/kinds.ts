import { toServerNames } from "../../catalog/names.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { Tiers } from "../../sandbox/tiers/tiers.ts";
import type { Database } from "../../store/database/sqlite.ts";
import type { StateStore } from "../../workspace/state/state-store.ts";
import type { WorkspaceCare } from "../../workspace/workspace-care.ts";
import { KEEP_MS } from "../journal/journal.ts";
import { toJournalOptions } from "../journal/journal-options.ts";
import type { KeptForRuns } from "../replay/run-folder.ts";
import type { CleanState } from "./folder-entries.ts";
import type { CleanKind } from "./kind.ts";
import { asideDatabases } from "./kinds/aside-databases.ts";
import { cachedResults } from "./kinds/cached-results.ts";
import { cancelMarks } from "./kinds/cancel-marks.ts";
import { journalRuns } from "./kinds/journal-runs.ts";
import { keptFolders } from "./kinds/kept-folders.ts";
import { leftoverFiles } from "./kinds/leftover-files.ts";
import { savedResults } from "./kinds/saved-results.ts";
import { learnedTypes, serverCaches } from "./kinds/server-caches.ts";
import { tierLeftovers } from "./kinds/tier-leftovers.ts";
import { vaultValues } from "./kinds/vault-values.ts";
import { workspaceLeftovers } from "./kinds/workspace-leftovers.ts";
import { expiredWorkspaces, sessionStates, type WithOwner } from "./kinds/workspaces.ts";

export type KindsContext = {
  readonly state: CleanState;
  readonly config: LoadedConfig;
  readonly tiers: Tiers;
  /** To read; nothing where there are none, or they are not ours. */
  readonly databases: {
    readonly journal: Database | undefined;
    readonly cache: Database | undefined;
    readonly vault: Database | undefined;
  };
  readonly keptForRuns: KeptForRuns;
  /** What agents remember, to be read. */
  readonly memory: {
    readonly state: Pick<StateStore, "spaces"> | undefined;
    readonly care: Pick<WorkspaceCare, "expired">;
  };
  readonly acts: CleanActs;
};

/** What only the owner of something can do. */
export type CleanActs = {
  tidyJournal(): Promise<void>;
  removeExpiredResults(): Promise<void>;
  forgetValues(notSeenSince: number): Promise<void>;
  readonly withState: WithOwner<Pick<StateStore, "remove">>;
  readonly withCare: WithOwner<Pick<WorkspaceCare, "remove">>;
};

/** Every kind, in the order in which they go when room is needed: what is made again by itself first. A new one is a line here. */
export function toKinds({
  state,
  config,
  tiers,
  databases,
  keptForRuns,
  memory,
  acts,
}: KindsContext): CleanKind[] {
  const folders = foldersOf(config);
  const { keepMs = KEEP_MS } = toJournalOptions(config.config);
  return [
    leftoverFiles(state),
    tierLeftovers(tiers),
    cachedResults(state, databases.cache, acts.removeExpiredResults),
    serverCaches(state, folders),
    asideDatabases(state),
    savedResults(state),
    learnedTypes(state, folders),
    workspaceLeftovers(state),
    sessionStates(memory.state, acts.withState),
    expiredWorkspaces(memory.care, acts.withCare),
    keptFolders(state, keptForRuns),
    cancelMarks(state),
    journalRuns(databases.journal, { keepMs, tidy: acts.tidyJournal }),
    vaultValues(databases.vault, config.config.clean?.vaultDays, acts.forgetValues),
  ];
}

/** As the servers that are configured are called in `.keyhole`. */
function foldersOf({ servers, invalidServers }: LoadedConfig): ReadonlySet<string> {
  const names = toServerNames([...servers, ...invalidServers].map(({ name }) => name));
  return new Set([...names.values()].map(({ folder }) => folder));
}
