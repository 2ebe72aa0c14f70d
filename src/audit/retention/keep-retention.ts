import { errorMessage } from "../../errors.ts";
import { isBusy } from "../../store/database/store-error.ts";
import { applyRetention, type RetentionOptions } from "./apply-retention.ts";
import { openRetentionTimes } from "./retention-times.ts";

const HOUR_MS = 3_600_000;
/** Not in the first moments, when people wait for a gateway. */
const FIRST_MS = 60_000;
/** What a command that ends may take for it, once a day: the rest is for the next one. */
const CLOSING_MS = 2_000;

export type RetentionKeeper = {
  /** With a last look, where none was taken today. */
  close(): Promise<void>;
};

export type RetentionKeeperOptions = Omit<RetentionOptions, "signal" | "isDryRun" | "store"> & {
  /** Opened when it is needed, and closed after it. */
  withStore<T>(work: (store: RetentionOptions["store"]) => Promise<T>): Promise<T>;
  readonly onNotice: (text: string) => void;
};

/** Looks for old events each hour, and at the end of what lives shorter. What fails is told, and tried again later. */
export function createRetentionKeeper(options: RetentionKeeperOptions): RetentionKeeper {
  const { onNotice, logFolder, days, withStore } = options;
  const stopping = new AbortController();
  const times = openRetentionTimes(logFolder);
  const hasLimits = Object.keys(days).length > 0;
  let underWay: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function apply(): Promise<void> {
    try {
      await withStore((store) => applyRetention({ ...options, store, signal: stopping.signal }));
      if (!stopping.signal.aborted) await times.noteDone();
    } catch (error) {
      if (!isBusy(error)) onNotice(`Old audit events were not taken out: ${errorMessage(error)}`);
    }
  }

  function schedule(ms: number): void {
    timer = setTimeout(() => {
      underWay = apply().then(() => schedule(HOUR_MS));
    }, ms);
    timer.unref();
  }

  if (hasLimits) schedule(FIRST_MS);
  return {
    async close() {
      if (!hasLimits) return;
      const limit = setTimeout(() => stopping.abort(), CLOSING_MS);
      await underWay;
      clearTimeout(timer);
      if (!stopping.signal.aborted && (await times.isDue())) await apply();
      clearTimeout(limit);
    },
  };
}
