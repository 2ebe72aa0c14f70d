import { existsSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { DATABASE_FILE, openDatabase } from "../../store/database/open-database.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { StoreError } from "../../store/database/store-error.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import type { Recorder } from "../recorder.ts";
import { createCheckpoints } from "./checkpoints.ts";
import {
  type CallEntry,
  type Entry,
  markWritten,
  type RunEntry,
  toCallEnd,
  toCallEntry,
  toRunEnd,
  toRunEntry,
  writeEntries,
} from "./entries.ts";
import { closed, createGroupCommit, type OnFailure } from "./group-commit.ts";
import { importOldJournal, OLD_FILE } from "./old-journal.ts";
import { createPopularity, type Popularity, readToolCalls, type ToolCalls } from "./popularity.ts";
import { BEAT_MS, toOwnIdentity } from "./process-identity.ts";
import {
  claimRun,
  getRun,
  isTakenUp,
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
  /** The project's database, for what else must not be lost. */
  database(): Promise<Database>;
  /** Others wrote so much to it: it may be time to look after it. */
  wrote(db: Database, bytes: number): void;
  /** Whether there is anything written down, as far as is known without opening it. */
  isUsed(): boolean;
  /** Whether it could be taken over now. */
  isClaimable(id: string): Promise<boolean>;
  /** Whether another has taken it over, and goes on with it. */
  isTakenUp(id: string): Promise<boolean>;
  /** Takes over a run that waits for a person, or whose process is gone; false where it is none such, or another was faster. */
  claimRun(id: string): Promise<boolean>;
  readonly popularity: Popularity;
  /** Looks after it now, and not within the hour. */
  tidyNow(): Promise<void>;
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
  /** Of what is kept for runs that may go on, copies of their workspaces included. */
  readonly maxKeptBytes?: number;
  /** Runs may be gone of which something is elsewhere. */
  readonly onTidied?: () => Promise<void>;
  readonly onFailure?: OnFailure;
  readonly onNotice?: (text: string) => void;
};

export const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_BYTES = 256_000_000;
export const MAX_KEPT_BYTES = 2_000_000_000;
const TIDY_EVERY_MS = 60 * 60 * 1000;
/** How often it is looked at while as much is written as may be kept. */
const LOOKS_A_FILLING = 8;
/** What an entry takes beside its text, about. */
const ENTRY_BYTES = 400;

/** Nothing is opened before something is written or read, and a project without a journal gets none by being read. */
export function openJournal(state: StateDir, options: JournalOptions = {}): Journal {
  const { enabled = true, onFailure = "continue", onNotice = () => {}, onTidied } = options;
  const { keepMs = KEEP_MS, maxBytes = MAX_BYTES, maxKeptBytes = MAX_KEPT_BYTES } = options;
  const retention: Retention = { keepMs, maxBytes, maxKeptBytes };
  const self = toOwnIdentity();
  const openRuns = new Map<string, RunEntry>();
  const openCalls = new Map<string, CallEntry>();
  /** Runs that were taken over, and how many calls are written down of them. */
  const claimed = new Map<string, number>();
  const closing = new AbortController();
  const checkpoints = createCheckpoints();
  let opened: Promise<Database> | undefined;
  /** Written down before this process wrote anything. */
  let earlierCalls: ToolCalls = [];
  let isUsed = false;
  let isClosed = false;
  let tidying: Promise<void> = Promise.resolve();
  let tidiedAt = 0;
  let untidyBytes = 0;
  let isTidying = false;
  /** Damage was met in it. */
  let isSuspect = false;
  let toldOfSelfAt = 0;
  let beat: NodeJS.Timeout | undefined;

  /** Tried again when it failed. */
  function open(): Promise<Database> {
    if (isClosed) return Promise.reject(closed());
    opened ??= openKept().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function openKept(): Promise<Database> {
    const db = await openDatabase(state, onNotice, { isSuspect });
    try {
      await importOldJournal(db, state);
      await whenFree(() => db.transaction(() => markLost(db)));
      earlierCalls = readToolCalls(db);
      isSuspect = false;
      return db;
    } catch (error) {
      await db.close();
      // Once more: opened as a suspect, what is damaged is moved aside.
      if (!isDamage(error) || isSuspect) throw error;
      isSuspect = true;
      return openKept();
    }
  }

  /** What is damaged is let go of: to be moved aside when it is opened again. */
  function orSuspect<T>(db: Database, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) {
        isSuspect = true;
        letGo(db);
      }
      throw error;
    }
  }

  function letGo(db: Database): void {
    opened = undefined;
    toldOfSelfAt = 0;
    void db.close().catch(() => {});
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
    write: (db, entries) => orSuspect(db, () => writeEntries(db, entries)),
    onWritten(db, entries, bytes) {
      assertInPlace(db);
      markWritten(db, entries);
      checkpoints.onCommit(db);
      tidyLater(db, bytes);
    },
    onFailure,
    onNotice,
  });

  /** Once an hour, and whenever so much was written that there may be too much. */
  function tidyLater(db: Database, bytes: number): void {
    untidyBytes += bytes;
    const isDue =
      Date.now() - tidiedAt >= TIDY_EVERY_MS || untidyBytes > retention.maxBytes / LOOKS_A_FILLING;
    if (!isDue || isTidying) return;
    tidiedAt = Date.now();
    untidyBytes = 0;
    isTidying = true;
    // What can't be deleted now can be later.
    tidying = tidy(db, retention, closing.signal)
      .then(onTidied)
      .catch(() => {})
      .finally(() => {
        isTidying = false;
      });
  }

  /** What was written to files that are gone is written again to those that are opened next. */
  function assertInPlace(db: Database): void {
    try {
      db.assertInPlace();
    } catch (error) {
      letGo(db);
      throw error;
    }
  }

  /** Others know by it whose runs go on. */
  function tellOfSelf(): void {
    const at = Date.now();
    if (group.add({ kind: "process", process: self, at }, ENTRY_BYTES)) toldOfSelfAt = at;
  }

  /** What waits already takes with it what is new. */
  function add(entry: RunEntry | CallEntry, bytes = 0, isEnd = false): boolean {
    if (!entry.isQueued) entry.isQueued = group.add(entry, bytes + ENTRY_BYTES, isEnd);
    return entry.isQueued;
  }

  function forget({ run }: RunEntry): void {
    openRuns.delete(run.id);
    if (openRuns.size === 0) clearInterval(beat);
  }

  /** Nothing is done that can't be written down, where it was told so. */
  function assertWorking(): void {
    const failure = onFailure === "stop" ? group.failure() : undefined;
    if (failure !== undefined) throw failure;
  }

  return {
    popularity,
    database: open,
    wrote: tidyLater,
    isUsed: () => isUsed || opened !== undefined || existsSync(join(state.path, DATABASE_FILE)),
    isClaimable: (id) =>
      read((db) => {
        const run = getRun(db, id);
        return run?.status === "lost" || (run?.status === "waiting" && run.endedAt !== undefined);
      }, false),
    isTakenUp: (id) => read((db) => isTakenUp(db, id), false),
    async claimRun(id) {
      // A run of a process that nobody has heard of would be nobody's for ever.
      tellOfSelf();
      await group.commit();
      const db = await open();
      const calls = await whenFree(() => db.transaction(() => claimRun(db, id, self.id)));
      if (calls !== undefined) claimed.set(id, calls);
      return calls !== undefined;
    },
    async ready() {
      if (!enabled || onFailure === "continue") return;
      await open();
      if (group.failure() !== undefined) await group.commit();
    },
    runTaken(run) {
      if (!enabled || openRuns.has(run.id)) return;
      assertWorking();
      isUsed = true;
      const entry = toRunEntry(run, self.id, claimed.get(run.id));
      claimed.delete(run.id);
      if (openRuns.size === 0) {
        if (Date.now() - toldOfSelfAt >= BEAT_MS) tellOfSelf();
        beat = setInterval(tellOfSelf, BEAT_MS).unref();
      }
      openRuns.set(run.id, entry);
      if (add(entry, entry.code.length)) return;
      // Too much waits: that it was run is told at its end.
      entry.code = "";
      if (onFailure === "continue") return;
      forget(entry);
      assertWorking();
    },
    runStatus(id, status) {
      const run = openRuns.get(id);
      if (run === undefined || ORDER.indexOf(run.status) >= ORDER.indexOf(status)) return;
      run.status = status;
      if (run.writtenIn !== undefined) add(run, 0, true);
    },
    callStarted(call) {
      const run = openRuns.get(call.runId);
      if (run === undefined) return;
      assertWorking();
      if (!run.isQueued && run.writtenIn === undefined) return;
      const entry = toCallEntry(call, run.calls, run.run.session.principal === LOCAL_PRINCIPAL);
      if (add(entry)) {
        run.calls++;
        openCalls.set(call.id, entry);
      } else assertWorking();
    },
    callEnded(ended) {
      const call = openCalls.get(ended.id);
      if (call === undefined) return;
      openCalls.delete(ended.id);
      call.end = toCallEnd(ended);
      // A call that failed is no reason to suggest the tool again.
      if (ended.ok && call.isLocal) popularity.add(call.server, call.tool);
      add(call, 0, true);
    },
    async runEnded(ended) {
      const run = openRuns.get(ended.id);
      if (run === undefined) return;
      forget(run);
      run.status = ended.status;
      run.end = toRunEnd(ended);
      add(run, run.end.receipt.length, true);
      await group.commit();
    },
    committed: async () => {
      if (isUsed) await group.commit();
    },
    async warm() {
      // What keeps it from opening is told when something is to be written.
      if (enabled) await open().catch(() => {});
    },
    async tidyNow() {
      await tidy(await open(), retention, closing.signal);
    },
    stats: async () => read(collectStats, Promise.resolve(NO_STATS)),
    listRuns: (query = {}) => read((db) => listRuns(db, query), []),
    getRun: (id) => read((db) => getRun(db, id), undefined),
    async close() {
      if (isClosed) return;
      closing.abort();
      clearInterval(beat);
      await group.close();
      isClosed = true;
      await tidying;
      const db = await opened?.catch(() => undefined);
      opened = undefined;
      if (db === undefined) return;
      await checkpoints.onClose(db);
      await db.close();
    },
  };
}

function isDamage(error: unknown): boolean {
  return error instanceof StoreError && error.fault === "damaged";
}

/** A run goes only forward. */
const ORDER: readonly RunEntry["status"][] = ["queued", "running", "waiting", "done", "failed"];
