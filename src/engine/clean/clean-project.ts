import { dirname } from "node:path";
import type { LoadedConfig } from "../../config/load.ts";
import { SANDBOX_LIMITS } from "../../sandbox/limits.ts";
import type { Tiers } from "../../sandbox/tiers/tiers.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import {
  CACHE_DATABASE,
  type DatabaseKind,
  MEMORY_DATABASE,
  PROJECT_DATABASE,
  VAULT_DATABASE,
} from "../../store/database/open-database.ts";
import { openToRead } from "../../store/database/read-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { createKeptFolders } from "../../workspace/kept-folders.ts";
import { removeCacheFiles } from "../../workspace/result-cache/cache-files.ts";
import { createResultCache } from "../../workspace/result-cache/result-cache.ts";
import { openJournal } from "../journal/journal.ts";
import { toJournalOptions } from "../journal/journal-options.ts";
import { getRun } from "../journal/recorded-runs.ts";
import { type Memory, openMemory } from "../memory/open-memory.ts";
import { openVault } from "../privacy/open-vault.ts";
import type { KeptForRuns } from "../replay/run-folder.ts";
import { type OpenedWorkspaces, openWorkspaces } from "../workspaces/open-workspaces.ts";
import { type Cleaned, cleanUp } from "./clean.ts";
import { type CleanActs, toKinds } from "./kinds.ts";
import { measureFolder } from "./used-bytes.ts";

export type CleanPlace = {
  readonly state: StateDir;
  readonly config: LoadedConfig;
  readonly tiers: Tiers;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  /** Whether the folder outlives the process. */
  readonly isKept: boolean;
  readonly onNotice: (text: string) => void;
};

const MAX_STATE_BYTES = 5 * 1024 ** 3;

export type CleanedProject = Cleaned & {
  /** What `.keyhole` takes afterwards; in a dry run, what it would take. */
  readonly usedBytes: number;
  readonly maxBytes: number;
};

/**
 * Cleans up what Keyhole has kept in a project and left behind on the machine. No server is started. A dry run changes nothing: all that
 * is looked at is opened to be read.
 */
export async function cleanProject(
  place: CleanPlace,
  { isDry = false, signal }: { readonly isDry?: boolean; readonly signal?: AbortSignal } = {},
): Promise<CleanedProject> {
  const { state, config } = place;
  const maxBytes = config.config.clean?.maxSize ?? MAX_STATE_BYTES;
  const opened = await Promise.all(
    [PROJECT_DATABASE, CACHE_DATABASE, VAULT_DATABASE, MEMORY_DATABASE].map((kind) =>
      openIfOurs(state, kind),
    ),
  );
  const [journal, cache, vault, memory] = opened;
  try {
    const kinds = toKinds({
      state,
      config,
      tiers: place.tiers,
      databases: { journal, cache, vault },
      keptForRuns: toKeptForRuns(place, journal),
      memory: toReadable(place, memory),
      acts: toActs(place, journal),
    });
    const used = async () => (await measureFolder(state, [], signal)).bytes;
    const cleaned = await cleanUp(kinds, { isDry, maxBytes, usedBytes: used, ...(signal && { signal }) });
    const after = await used();
    return { ...cleaned, usedBytes: isDry ? Math.max(0, after - cleaned.stateBytes) : after, maxBytes };
  } finally {
    await Promise.all(opened.map((db) => db?.close()));
  }
}

/** What is not ours, or locked for long, is left to whoever opens it to write. */
async function openIfOurs(state: StateDir, kind: DatabaseKind): Promise<Database | undefined> {
  return openToRead(state, kind).catch(() => undefined);
}

function toKeptForRuns({ state, config }: CleanPlace, journal: Database | undefined): KeptForRuns {
  const { diskBytes } = config.config.resourceLimits;
  const ask = async <T>(query: (db: Database) => T, nothing: T) =>
    journal === undefined ? nothing : whenFree(() => query(journal));
  return {
    kept: createKeptFolders(state, { ...SANDBOX_LIMITS, diskBytes }),
    journal: { getRun: (id) => ask((db) => getRun(db, id), undefined) },
    replays: {
      has: (run) => ask((db) => db.all("SELECT 1 FROM replay_runs WHERE run = ?", [run]).length > 0, false),
    },
  };
}

/** The workspaces and their state, over a connection that can't write. */
function toReadable(place: CleanPlace, readable: Database | undefined) {
  const database = async () => readable ?? Promise.reject(new TypeError("There is nothing to read"));
  const { state, care } = openWorkspaces({ ...toWorkspacePlace(place), memory: { ...UNWRITTEN, database } });
  return { state: readable && state, care };
}

const UNWRITTEN: Omit<Memory, "database"> = { wrote: () => {}, close: async () => {} };

function toWorkspacePlace({ state, config: { config } }: CleanPlace) {
  return { dir: dirname(state.path), state, config };
}

/** Opened for one act: what waits for a program to end must not hold up the others for long. */
async function withWritable(
  place: CleanPlace,
  act: (opened: OpenedWorkspaces) => Promise<boolean>,
): Promise<boolean> {
  const memory = openMemory(place.state, place.onNotice);
  return act(openWorkspaces({ ...toWorkspacePlace(place), memory })).finally(memory.close);
}

/** Over connections of their own: what is written down meanwhile does not wait for them. */
function toActs(place: CleanPlace, readable: Database | undefined): CleanActs {
  const { state, config, onNotice } = place;
  return {
    async tidyJournal() {
      const journal = openJournal(state, { ...toJournalOptions(config.config), onNotice });
      await journal.tidyNow().finally(() => journal.close());
    },
    async removeExpiredResults() {
      // Nothing is sealed or opened for that.
      const results = createResultCache({ state, key: async () => Buffer.alloc(32), onNotice });
      await results.removeExpired().finally(() => results.close());
    },
    withState: (act) => withWritable(place, ({ state: store }) => act(store)),
    withCare: (act) => withWritable(place, ({ care }) => act(care)),
    async forgetValues(notSeenSince) {
      const { vault } = openVault(place);
      try {
        for (const principal of principalsOf(config, readable))
          await (await vault.open(principal)).forget({ notSeenSince });
      } finally {
        await vault.close();
      }
      // What is kept of results may have the same values in it.
      await removeCacheFiles(state);
    },
  };
}

/** The vault does not tell whose its values are: those who ran something, and those who may. */
function principalsOf({ config }: LoadedConfig, journal: Database | undefined): ReadonlySet<string> {
  const ran = journal?.all("SELECT DISTINCT principal FROM runs").map(([principal]) => String(principal));
  return new Set([LOCAL_PRINCIPAL, ...Object.keys(config.http?.tokens ?? {}), ...(ran ?? [])]);
}
