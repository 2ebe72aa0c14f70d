import { setImmediate as nextTurn } from "node:timers/promises";
import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";

/** Whether work goes on when nothing can be written down. */
export type OnFailure = "stop" | "continue";

/** Writes entries in the order in which they came: all that came in one turn, or in a few milliseconds, in one transaction. */
export type GroupCommit<Entry> = {
  /** Written soon. */
  add(entry: Entry, bytes: number): void;
  /** Returns when all that was added is written; with "continue", also when it can't be. */
  commit(): Promise<void>;
  /** What keeps it from writing. */
  failure(): KeyholeError | undefined;
  /** Writes what is left. */
  close(): Promise<void>;
};

export type GroupCommitOptions<Entry> = {
  open(): Promise<Database>;
  /** In a transaction; all of it is undone, and done again later, when it throws. */
  write(db: Database, entries: readonly Entry[]): void;
  onWritten(db: Database, entries: readonly Entry[]): void;
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
  let isPlanned = false;
  let flushing: Promise<void> | undefined;

  function later(ms: number): void {
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
      const db = await options.open();
      while (queue.length > 0) {
        await writeBatch(db);
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
    await whenFree(() => db.transaction(() => options.write(db, entries)));
    queue.splice(0, batch.length);
    written += batch.length;
    for (const { bytes } of batch) queuedBytes -= bytes;
    options.onWritten(db, entries);
    recover();
    settle();
  }

  function settle(): void {
    while (waiters[0] !== undefined && waiters[0].mark <= written) waiters.shift()?.resolve();
  }

  function fail(error: KeyholeError): void {
    if (failure === undefined && options.onFailure === "continue")
      options.onNotice(
        `Runs are not written down for now: ${error.message}${error.hint ? `. ${error.hint}` : ""}`,
      );
    failure = error;
    for (const waiter of waiters.splice(0)) {
      if (options.onFailure === "stop") waiter.reject(error);
      else waiter.resolve();
    }
    if (queue.length > 0) later(RETRY_MS);
  }

  function recover(): void {
    if (failure === undefined) return;
    failure = undefined;
    const loss = dropped === 0 ? "" : `; ${dropped} entries were lost meanwhile`;
    dropped = 0;
    options.onNotice(`Runs are written down again${loss}`);
  }

  return {
    add(entry, bytes) {
      if (queue.length >= MAX_WAITING || queuedBytes + bytes > MAX_WAITING_BYTES) {
        dropped++;
        return;
      }
      queue.push({ entry, bytes });
      queuedBytes += bytes;
      added++;
      later(SOON_MS);
    },
    commit() {
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
    failure: () => failure,
    async close() {
      clearTimeout(timer);
      await flushing;
      if (queue.length > 0) await flush();
      clearTimeout(timer);
    },
  };
}
