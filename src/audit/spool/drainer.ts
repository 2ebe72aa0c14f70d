import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import { StoreError } from "../../store/database/store-error.ts";
import type { Drain } from "./drain.ts";
import type { SpoolTotals } from "./spool-writer.ts";

/** Sees to it that what is in the spool gets into the tables, soon and without anybody waiting. */
export type Drainer = {
  /** Something was written to the spool. */
  soon(): void;
  /** All that is in the spool now is in the tables then; rejects where that can't be. */
  settle(): Promise<void>;
  /** Tries, whether or not anything waits: to find out whether the store works. */
  retry(): Promise<void>;
  failure(): KeyholeError | undefined;
  /** Whether anything ever got into the tables. */
  hasWorked(): boolean;
  isStarted(): boolean;
  /** What is in the spool and not in the tables. */
  waiting(): SpoolTotals;
  /** With a last attempt where `isWanted`. Nothing is lost by what stays in the spool: the next process takes it. */
  close(isWanted: boolean): Promise<void>;
};

export type DrainerOptions = {
  readonly drain: Drain;
  totals(): SpoolTotals;
  /** It fails, for another reason than before, or works again. */
  onChange(failure: KeyholeError | undefined): void;
};

const SOON_MS = 250;
/** The first time: a process that ends before that need not start a thread, nor open the tables. */
const FIRST_MS = 2_000;
/** So much is taken at once. */
const MUCH_BYTES = 256 * 1024;
const RETRY_MS = 1_000;
/** A store that does not answer holds up no end: what it has not taken is in the spool. */
const CLOSE_MS = 3_000;

export function createDrainer({ drain, totals, onChange }: DrainerOptions): Drainer {
  let taken: SpoolTotals = { events: 0, bytes: 0 };
  let failure: KeyholeError | undefined;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasWorked = false;
  let isStarted = false;
  let isClosed = false;

  function later(ms: number): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void run();
    }, ms).unref();
  }

  function run(): Promise<void> {
    isStarted = true;
    running ??= take().finally(() => {
      running = undefined;
      if (failure !== undefined) later(RETRY_MS);
      else if (totals().events > taken.events) soon();
    });
    return running;
  }

  async function take(): Promise<void> {
    const mark = totals();
    try {
      await drain.take();
      taken = mark;
      hasWorked = true;
      tell(undefined);
    } catch (error) {
      tell(toUnusable(error));
    }
  }

  function tell(now: KeyholeError | undefined): void {
    const before = failure;
    failure = now;
    if (before?.message !== now?.message) onChange(now);
  }

  function soon(): void {
    if (running !== undefined || isClosed) return;
    if (failure !== undefined || totals().bytes - taken.bytes < MUCH_BYTES)
      later(isStarted ? SOON_MS : FIRST_MS);
    else {
      clearTimeout(timer);
      timer = undefined;
      void run();
    }
  }

  /** One that is under way may have begun too early. */
  async function retry(): Promise<void> {
    drain.hold();
    try {
      await running;
      await run();
      if (failure !== undefined) throw failure;
    } finally {
      drain.release();
    }
  }

  return {
    soon,
    retry,
    async settle() {
      const { events } = totals();
      while (taken.events < events) await retry();
    },
    failure: () => failure,
    hasWorked: () => hasWorked,
    isStarted: () => isStarted,
    waiting() {
      const { events, bytes } = totals();
      return { events: events - taken.events, bytes: bytes - taken.bytes };
    },
    async close(isWanted) {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      if (isWanted) await atMost(CLOSE_MS, retry());
      if (isStarted) await atMost(CLOSE_MS, drain.close());
    },
  };
}

/** Whatever it is, it keeps events from the tables. */
function toUnusable(error: unknown): KeyholeError {
  const known = toKeyholeError(error);
  if (known.code === "store_unusable") return known;
  return new StoreError("other", known.message, known.hint ?? "See that the disk works", error);
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
