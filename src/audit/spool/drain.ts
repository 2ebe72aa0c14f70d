import { join } from "node:path";
import { type OpenLog, openLog } from "../log/open-log.ts";
import { type LogPlace, toLogFolder } from "../log-place.ts";
import { type BlockKeeper, createBlockKeeper } from "../query/blocks/block-keeper.ts";
import { takeSpools } from "./read-spools.ts";

/** Takes what waits in the spools of a log into its tables. */
export type Drain = {
  /** All that was in a spool when this was called is in the tables when it resolves. */
  take(): Promise<void>;
  /** Until `release`, the process stays alive for it. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
};

export type DrainOptions = {
  readonly place: LogPlace;
  readonly onNotice: (text: string) => void;
  /** Whether there is time for more than what must be: in a thread of its own there is. */
  readonly isBackground?: boolean;
};

export function toSpoolFolder(place: LogPlace): string {
  return join(toLogFolder(place), "spool");
}

/** In this thread. The store is opened at the first need, and again after a failure. */
export function createInlineDrain({ place, onNotice, isBackground = false }: DrainOptions): Drain {
  let log: OpenLog | undefined;
  let keeper: BlockKeeper | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function take(): Promise<void> {
    try {
      log ??= await openLog(place, { onNotice });
      await takeSpools(toSpoolFolder(place), log.writer, "left");
      if (isBackground) keeper ??= createBlockKeeper(toLogFolder(place), log.store, inTurn);
      keeper?.note();
    } catch (error) {
      await close().catch(() => {});
      throw error;
    }
  }

  async function close(): Promise<void> {
    const [opened, kept] = [log, keeper];
    log = undefined;
    keeper = undefined;
    await kept?.close();
    await opened?.writer.close();
  }

  /** One after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next;
    return next;
  }

  return { take: () => inTurn(take), hold: () => {}, release: () => {}, close: () => inTurn(close) };
}
