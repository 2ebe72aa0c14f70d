import { setImmediate as nextTurn } from "node:timers/promises";
import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { StoreError } from "../../store/database/store-error.ts";
import { whenFree } from "../../store/database/when-free.ts";

/** Whether work goes on when nothing can be written down. */
export type OnFailure = "stop" | "continue";

/** Writes entries in the order in which they came: all that came in one turn, or in a few milliseconds, in one transaction. */
export type GroupCommit<Entry> = {
  /** Written soon; false where too much waits already, which is told. How something ended comes in after that, too. */
  add(entry: Entry, bytes: number, isEnd?: boolean): boolean;
  /** Returns when all that was added is written; with "continue", also when it can't be. */
  commit(): Promise<void>;
  /** What keeps it from writing. */
  failure(): KeyholeError | undefined;
  /** Writes what is left; nothing more is taken. */
  close(): Promise<void>;
};

export type GroupCommitOptions<Entry> = {
  open(): Promise<Database>;
  /** In a transaction; all of it is undone, and done again later, when it throws. */
  write(db: Database, entries: readonly Entry[]): void;
  /** In the moment in which they are written. */
  onWritten(db: Database, entries: readonly Entry[], bytes: number): void;
  onFailure: OnFailure;
  onNotice(text: string): void;
};

const SOON_MS = 20;
/** One transaction holds this thread for a few milliseconds at most. */
const MAX_BATCH = 500;
const RETRY_MS = 500;
/** What waits while nothing can be written. */
const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Ends that wait beside these, where work goes on. Where it stops, there are only so many that can come. */
const MAX_WAITING_ENDS = 50_000;

type Waiter = { readonly mark: number; resolve(): void; reject(error: KeyholeError): void };

export function createGroupCommit<Entry>(options: GroupCommitOptions<Entry>): GroupCommit<Entry> {
  const queue: { readonly entry: Entry; readonly bytes: number }[] = [];
  const waiters: Waiter[] = [];
  let queuedBytes = 0;
  let added = 0;
  let written = 0;
  let dropped = 0;
  let failure: KeyholeError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  let isPlanned = false;
  let isClosed = false;
  let flushing: Promise<void> | undefined;

  function later(ms: number): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms).unref();
  }

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
      if (queue.length > 0 && waiters.length > 0 && failure === undefined) void flush();
    });
    return flushing;
  }

  async function writeAll(): Promise<void> {
    try {
      while (queue.length > 0) {
        await writeBatch(await options.open());
        if (queue.length > 0) await nextTurn();
      }
      settle();
    } catch (error) {
      fail(toKeyholeError(error));
    }
  }

  async function writeBatch(db: Database): Promise<void> {
    const batch = queue.slice(0, MAX_BATCH);
    const entries = batch.map(({ entry }) => entry);
    const batchBytes = batch.reduce((total, { bytes }) => total + bytes, 0);
    await whenFree(() => {
      db.transaction(() => options.write(db, entries));
      // With no turn between: what is told of an entry from now on is not in the database.
      options.onWritten(db, entries, batchBytes);
    });
    queue.splice(0, batch.length);
    written += batch.length;
    queuedBytes -= batchBytes;
    recover();
    settle();
  }

  function settle(): void {
    while (waiters[0] !== undefined && waiters[0].mark <= written) waiters.shift()?.resolve();
  }

  function fail(error: KeyholeError): void {
    if (!isTold)
      options.onNotice(
        `Runs are not written down for now: ${error.message}${error.hint ? `. ${error.hint}` : ""}`,
      );
    isTold = true;
    failure = error;
    for (const waiter of waiters.splice(0)) {
      if (options.onFailure === "stop") waiter.reject(error);
      else waiter.resolve();
    }
    if (queue.length > 0) later(RETRY_MS);
  }

  /** Told at the first one; how many it were, when it is over. Where work stops, nothing is lost: it is not done. */
  function refuse(): false {
    const what = `${queue.length} entries wait to be written down`;
    if (options.onFailure === "stop") {
      if (failure === undefined) options.onNotice(`${what}: nothing is run until they are`);
      failure ??= new StoreError("other", `Too much at once: ${what}`, "Try again");
    } else if (++dropped === 1) options.onNotice(`${what}: what comes now is lost`);
    return false;
  }

  function recover(): void {
    if (failure === undefined && dropped === 0) return;
    const loss = dropped === 0 ? "" : `; ${dropped} entries were lost meanwhile`;
    failure = undefined;
    isTold = false;
    dropped = 0;
    options.onNotice(`Runs are written down again${loss}`);
  }

  function hasRoom(bytes: number, isEnd: boolean): boolean {
    if (!isEnd) return queue.length < MAX_WAITING && queuedBytes + bytes <= MAX_WAITING_BYTES;
    return options.onFailure === "stop" || queue.length < MAX_WAITING + MAX_WAITING_ENDS;
  }

  return {
    add(entry, bytes, isEnd = false) {
      if (isClosed) return false;
      if (!hasRoom(bytes, isEnd)) return refuse();
      queue.push({ entry, bytes });
      queuedBytes += bytes;
      added++;
      later(SOON_MS);
      return true;
    },
    commit() {
      if (isClosed) return options.onFailure === "stop" ? Promise.reject(closed()) : Promise.resolve();
      if (failure !== undefined && options.onFailure === "continue") return Promise.resolve();
      return new Promise((resolve, reject) => {
        waiters.push({ mark: added, resolve, reject });
        if (isPlanned) return;
        // Others that end at the same moment go with it. Not after a turn of the event loop: what follows a run, ending its
        // process and starting the next, takes longer than all of this.
        isPlanned = true;
        queueMicrotask(() => {
          isPlanned = false;
          clearTimeout(timer);
          timer = undefined;
          void flush();
        });
      });
    },
    failure: () => failure ?? (isClosed ? closed() : undefined),
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      await flushing;
      if (queue.length > 0) await flush();
      const lost = queue.length + dropped;
      if (lost > 0)
        options.onNotice(`${lost} entries were not written down: ${failure?.message ?? "closed"}`);
    },
  };
}

export function closed(): StoreError {
  return new StoreError("other", "The journal is closed", "Open it again");
}
