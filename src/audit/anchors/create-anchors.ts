import { errorMessage } from "../../errors.ts";
import type { AuditLog } from "../audit-log.ts";
import type { Checkpoint, LogStore } from "../log/log-store.ts";
import { type AnchorTarget, tellAnchor, toAnchorName } from "./anchor-targets.ts";

/** What came of telling a checkpoint to one place. */
export type AnchorOutcome = {
  readonly target: string;
  readonly sequence: number;
  readonly problem?: string;
};

/** Tells checkpoints to places outside of the log, so that whoever changes the log and has its keys can't change what was told. */
export type Anchors = {
  /** The log has more to tell: it is told within a minute, and not more often. */
  note(): void;
  /** The newest checkpoint, now, whatever was told before. */
  anchor(): Promise<readonly AnchorOutcome[]>;
  /** Tells what was noted and not told yet, if that takes no more than some seconds. */
  close(): Promise<void>;
};

export type AnchorOptions = {
  readonly targets: readonly AnchorTarget[];
  readonly logId: string;
  /** Opened when it is needed, and closed after it. */
  withStore<T>(work: (store: LogStore) => Promise<T>): Promise<T>;
  /** That something was anchored is an event, too. */
  readonly log?: Pick<AuditLog, "add" | "commit" | "settled"> | undefined;
  readonly onNotice: (text: string) => void;
  readonly now?: () => number;
};

const EVERY_MS = 60_000;
const CLOSING_MS = 5_000;

export function createAnchors(options: AnchorOptions): Anchors {
  const { targets, onNotice, now = Date.now } = options;
  const closing = new AbortController();
  // A short process tells once, at its end.
  let [told, toldAt] = [0, now()];
  let isNoted = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  /** One at a time, so that lines of a file stand in their order. */
  function inTurn(isForced: boolean): Promise<readonly AnchorOutcome[]> {
    const done = underWay.then(() => tell(isForced));
    underWay = done.catch((error: unknown) =>
      onNotice(`Checkpoints were not anchored: ${errorMessage(error)}`),
    );
    return done;
  }

  async function tell(isForced: boolean): Promise<readonly AnchorOutcome[]> {
    toldAt = now();
    isNoted = false;
    await options.log?.settled();
    const { loose, sequence } = await readNewest(options);
    if (loose === undefined || (!isForced && sequence <= told)) return [];
    const outcomes = await Promise.all(
      targets.map(async (target): Promise<AnchorOutcome> => {
        const problem = await tellAnchor(target, loose, closing.signal);
        const outcome = { target: toAnchorName(target), sequence };
        return problem === undefined ? outcome : { ...outcome, problem };
      }),
    );
    for (const { target, problem } of outcomes)
      if (problem !== undefined) onNotice(`Checkpoint ${sequence} was not anchored at ${target}: ${problem}`);
    const done = outcomes.filter(({ problem }) => problem === undefined);
    // What was not told is told with the next one.
    if (done.length === outcomes.length) told = sequence;
    for (const { target } of done)
      options.log?.add({ action: "audit.anchored", outcome: "ok", details: { target, sequence } });
    if (done.length > 0) await options.log?.commit();
    return outcomes;
  }

  return {
    note() {
      isNoted = true;
      if (targets.length === 0 || timer !== undefined || closing.signal.aborted) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          void inTurn(false).catch(() => {});
        },
        Math.max(0, toldAt + EVERY_MS - now()),
      );
      timer.unref();
    },
    anchor: () => inTurn(true),
    async close() {
      clearTimeout(timer);
      await underWay;
      if (targets.length === 0 || !isNoted) return;
      const limit = setTimeout(() => closing.abort(), CLOSING_MS);
      await inTurn(false).catch(() => {});
      clearTimeout(limit);
      closing.abort();
    },
  };
}

async function readNewest({ withStore, logId }: AnchorOptions) {
  return withStore(async (store) => {
    const head = await store.head();
    const checkpoints: readonly Checkpoint[] =
      head === undefined ? [] : await store.checkpoints(head.sequence);
    const checkpoint = checkpoints.at(-1);
    const key = (await store.keys()).find((row) => row.key === checkpoint?.key);
    if (checkpoint === undefined || key === undefined) return { loose: undefined, sequence: 0 };
    const { publicKey } = key;
    return { loose: { log: logId, checkpoint, publicKey }, sequence: checkpoint.sequence };
  });
}
