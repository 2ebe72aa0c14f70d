import { existsSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { DATABASE_FILE, openDatabase } from "../../store/database/open-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import type { Recorder } from "../recorder.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { type CallEntry, type Entry, toCallEnd, toCallEntry, writeEntries } from "./entries.ts";
import { createGroupCommit, type OnFailure } from "./group-commit.ts";
import { importOldJournal, OLD_FILE } from "./old-journal.ts";
import { createPopularity, type Popularity } from "./popularity.ts";
import { BEAT_MS, toOwnIdentity } from "./process-identity.ts";
import {
  getRun,
  listRuns,
  markLost,
  type RecordedRun,
  type RunQuery,
  type WholeRun,
} from "./recorded-runs.ts";
import { type Retention, tidy } from "./retention.ts";
import { collectStats, NO_STATS, type Stats } from "./stats.ts";

/** Where runs and calls are written down, and read again: in the project's database, which several processes share. */
export type Journal = Recorder & {
  /** Fails where nothing can be written down and `onFailure` says that nothing is run then. */
  ready(): Promise<void>;
  /** Opens it, so that the first run need not wait. */
  warm(): Promise<void>;
  readonly popularity: Popularity;
  stats(): Promise<Stats>;
  listRuns(query?: RunQuery): Promise<RecordedRun[]>;
  getRun(id: string): Promise<WholeRun | undefined>;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type JournalOptions = {
  /** Without it nothing is written, and nothing is known. */
  readonly enabled?: boolean;
  readonly keepMs?: number;
  readonly maxBytes?: number;
  readonly onFailure?: OnFailure;
  readonly onNotice?: (text: string) => void;
};

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 256_000_000;
const TIDY_EVERY_MS = 60 * 60 * 1000;
/** What an entry takes beside its text, about. */
const ENTRY_BYTES = 400;

/** Nothing is opened before something is written or read, and a project without a journal gets none by being read. */
export function openJournal(state: StateDir, options: JournalOptions = {}): Journal {
  const { enabled = true, onFailure = "continue", onNotice = () => {} } = options;
  const retention: Retention = { keepMs: options.keepMs ?? KEEP_MS, maxBytes: options.maxBytes ?? MAX_BYTES };
  const self = toOwnIdentity();
  const openRuns = new Map<string, { calls: number; readonly isLocal: boolean }>();
  const openCalls = new Map<string, CallEntry>();
  const closing = new AbortController();
  const checkpoints = createCheckpoints();
  let opened: Promise<Database> | undefined;
  /** Written down before this process wrote anything. */
  let earlierCalls: ToolCalls = [];
  let isUsed = false;
  let tidying: Promise<void> = Promise.resolve();
  let tidiedAt = 0;
  let beat: NodeJS.Timeout | undefined;

  /** Tried again when it failed. */
  function open(): Promise<Database> {
    opened ??= openKept().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function openKept(): Promise<Database> {
    const db = await openDatabase(state, onNotice);
    try {
      await importOldJournal(db, state);
      await whenFree(() => db.transaction(() => markLost(db)));
      earlierCalls = readToolCalls(db);
      return db;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  async function read<T>(query: (db: Database) => T, nothing: T): Promise<T> {
    const isThere = [DATABASE_FILE, OLD_FILE].some((name) => existsSync(join(state.path, name)));
    if (!enabled || (opened === undefined && !isUsed && !isThere)) return nothing;
    if (isUsed) await group.commit().catch(() => {});
    const db = await open();
    return whenFree(() => query(db));
  }

  const popularity = createPopularity(() => read(() => earlierCalls, []).catch(() => []));
  const group = createGroupCommit<Entry>({
    open,
    write: writeEntries,
    onWritten(db, entries) {
      for (const entry of entries) if (entry.kind === "call") entry.call.isWritten = true;
      checkpoints.onCommit(db);
      if (Date.now() - tidiedAt < TIDY_EVERY_MS) return;
      tidiedAt = Date.now();
      // What can't be deleted now can be later.
      tidying = tidy(db, retention, closing.signal).catch(() => {});
    },
    onFailure,
    onNotice,
  });

  /** Others know by it whose runs go on. */
  function tellOfSelf(): void {
    group.add({ kind: "process", process: self, at: Date.now() }, ENTRY_BYTES);
  }

  return {
    popularity,
    async ready() {
      if (!enabled || onFailure === "continue") return;
      await open();
      if (group.failure() !== undefined) await group.commit();
    },
    runStarted(run) {
      if (!enabled) return;
      isUsed = true;
      if (openRuns.size === 0) {
        tellOfSelf();
        beat = setInterval(tellOfSelf, BEAT_MS).unref();
      }
      openRuns.set(run.id, { calls: 0, isLocal: run.session.principal === LOCAL_PRINCIPAL });
      group.add({ kind: "run", run, process: self.id }, run.code.length + ENTRY_BYTES);
    },
    callStarted(call) {
      const run = openRuns.get(call.runId);
      if (run === undefined) return;
      const entry = toCallEntry(call, run.calls++, run.isLocal);
      openCalls.set(call.id, entry);
      group.add({ kind: "call", call: entry }, ENTRY_BYTES);
    },
    callEnded(ended) {
      const call = openCalls.get(ended.id);
      if (call === undefined) return;
      openCalls.delete(ended.id);
      call.end = toCallEnd(ended);
      // A call that failed is no reason to suggest the tool again.
      if (ended.ok && call.isLocal) popularity.add(call.server, call.tool);
      if (call.isWritten) group.add({ kind: "callEnd", call }, ENTRY_BYTES);
    },
    async runEnded(run) {
      if (!openRuns.delete(run.id)) return;
      if (openRuns.size === 0) clearInterval(beat);
      group.add({ kind: "runEnd", run }, ENTRY_BYTES);
      await group.commit();
    },
    async warm() {
      // What keeps it from opening is told when something is to be written.
      if (enabled) await open().catch(() => {});
    },
    stats: async () => read(collectStats, Promise.resolve(NO_STATS)),
    listRuns: (query = {}) => read((db) => listRuns(db, query), []),
    getRun: (id) => read((db) => getRun(db, id), undefined),
    async close() {
      closing.abort();
      clearInterval(beat);
      await group.close();
      await tidying;
      const db = await opened?.catch(() => undefined);
      opened = undefined;
      if (db === undefined) return;
      await checkpoints.onClose(db);
      await db.close();
    },
  };
}

type ToolCalls = readonly (readonly [server: string, tool: string, calls: number])[];

function readToolCalls(db: Database): ToolCalls {
  const rows = db.all("SELECT server, tool, ok FROM tool_calls WHERE ok > 0");
  return rows.map(([server, tool, calls]) => [String(server), String(tool), Number(calls)] as const);
}
