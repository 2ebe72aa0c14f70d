import { createHash, randomBytes } from "node:crypto";
import { KeyholeError } from "../../errors.ts";
import type { Happening, Steady } from "../../sandbox/sandbox.ts";
import type { CallEnd, ReplayLog } from "./replay-log.ts";
import type { CallIdentity, ReplayedCall, ReplayedOutcome, ReplayRun, ReplayStart } from "./replay-run.ts";

/** A run whose way is kept: each call of it is made once, however often its program has to start over. */
export type DurableRun = {
  readonly id: string;
  /** What its program is started with. */
  readonly steady: Steady;
  readonly isResumed: boolean;
  /** Its writes, those of its earlier beginnings included. */
  readonly writes: readonly ReplayedCall[];
  onHappened(news: readonly Happening[]): void;
  /**
   * What is known of a call: its outcome, that it was sent and nobody knows more, or nothing. Fails where the program goes
   * another way than it did.
   */
  recall(call: CallIdentity): Recalled | SentBefore | undefined;
  /** How many calls like this one were made already: what was approved for them is used up. */
  timesMade(call: CallIdentity): number;
  /** What it was asked so far is on the disk: whoever is asked next is asked the same when it starts over. */
  committed(): Promise<void>;
  /** Why it can't go on from its record: something was done that it can't do again in the same way. The first holds. */
  readonly obstacleReason: string | undefined;
  obstacle(reason: string): Promise<void>;
  sent(call: CallIdentity): Promise<void>;
  ended(call: CallIdentity, end: CallEnd): Promise<void>;
  /** Returns when what became of each write that was sent is written down. */
  settled(): Promise<void>;
};

/** What a program was told of a call, and what that call did. */
export type Recalled = ReplayedOutcome & Pick<ReplayedCall, "effect" | "sent" | "isWrite" | "arguments">;

/** A write that was sent so many times, and of which nobody knows whether it was done. */
export type SentBefore = { readonly ok?: undefined; readonly sent: number };

/** No program makes so many calls. */
const SPARE_ROWS = 2 ** 40;

/** What is kept of one run's results together; a run with more can't start over. */
const MAX_KEPT_BYTES = 24 * 1024 * 1024;

export function toProgramHash(code: string, language: string): string {
  return createHash("sha256").update(`${language}\n${code}`).digest("hex");
}

export function newReplay(known: Omit<ReplayStart, "seed" | "time">): ReplayRun {
  return { ...known, seed: randomBytes(32).toString("hex"), time: Date.now(), past: [], calls: [] };
}

export function createDurableRun(kept: ReplayRun, log: ReplayLog): DurableRun {
  const { id, seed, time, past } = kept;
  const isResumed = past.length > 0 || kept.calls.length > 0;
  const waiting = new Map(kept.calls.map((call) => [call.number, call]));
  const writes = new Map(kept.calls.filter(({ isWrite }) => isWrite).map((call) => [call.number, call]));
  let keptBytes = kept.calls.reduce((sum, { outcome }) => sum + (outcome?.ok ? outcome.bytes.length : 0), 0);

  let obstacleReason = kept.obstacle;
  const taken = new Set(kept.calls.map(({ number }) => number));
  /** Where calls stand in the record, by their numbers in this beginning of the program. */
  const rows = new Map<number, number>();
  const made = new Map<string, number>();
  for (const call of kept.calls) if (isMade(call)) countMade(call);
  const underWay = new Set<number>();
  const onSettled: (() => void)[] = [];

  function countMade(call: CallIdentity): void {
    const key = toKey(call);
    made.set(key, (made.get(key) ?? 0) + 1);
  }

  /** No call is written over another: a number can be another call's when the program starts over. */
  function inRow(call: CallIdentity): CallIdentity {
    const known = rows.get(call.number);
    if (known !== undefined) return { ...call, number: known };
    const number = taken.has(call.number) ? SPARE_ROWS + taken.size : call.number;
    rows.set(call.number, number);
    taken.add(number);
    return { ...call, number };
  }

  function settle(number: number): void {
    underWay.delete(number);
    if (underWay.size > 0) return;
    for (const tell of onSettled.splice(0)) tell();
  }

  async function obstacle(reason: string): Promise<void> {
    obstacleReason ??= reason;
    await log.obstacle(id, reason);
  }

  /** By its number; calls that stand in no order to each other may come in another one. */
  function take(call: CallIdentity): ReplayedCall | undefined {
    const same = waiting.get(call.number);
    const found =
      same && isSame(same, call) ? same : [...waiting.values()].find((other) => isSame(other, call));
    if (found) {
      waiting.delete(found.number);
      rows.set(call.number, found.number);
    }
    return found;
  }

  return {
    id,
    steady: { seed, time, past },
    isResumed,
    get writes() {
      return [...writes.values()];
    },
    get obstacleReason() {
      return obstacleReason;
    },
    obstacle,
    onHappened: (news) => log.happened(id, news),
    committed: () => log.committed(),
    recall(call) {
      const found = take(call);
      if (found) return found.outcome === undefined ? { sent: found.sent } : toRecalled(found, found.outcome);
      const other = waiting.get(call.number);
      if (other !== undefined) throw diverged(call, other);
      // Later ones may be known: it was under way beside them, or waited for a person.
      return undefined;
    },
    timesMade: (call) => made.get(toKey(call)) ?? 0,
    async sent(asked) {
      const call = inRow(asked);
      const sent = (writes.get(call.number)?.sent ?? 0) + 1;
      if (sent === 1) countMade(call);
      underWay.add(call.number);
      await log.sent(id, call);
      writes.set(call.number, { ...call, isWrite: true, sent, effect: "unknown" });
    },
    async ended(asked, end) {
      const call = inRow(asked);
      const sent = writes.get(call.number)?.sent ?? 0;
      if (!end.isWrite && end.outcome.ok) countMade(call);
      if (end.isWrite) writes.set(call.number, { ...call, sent, ...end });
      const bytes = end.outcome.ok ? end.outcome.bytes.length : 0;
      keptBytes += bytes;
      try {
        if (keptBytes <= MAX_KEPT_BYTES) return await log.ended(id, call, end);
        await obstacle("what its calls returned was too much to be kept");
        // That it was made is known in any case.
        await log.ended(id, call, { ...end, outcome: { ok: true, form: "json", bytes: new Uint8Array() } });
      } finally {
        settle(call.number);
      }
    },
    settled: () =>
      underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => void onSettled.push(resolve)),
  };
}

function toRecalled(
  { effect, sent, isWrite, arguments: args }: ReplayedCall,
  outcome: ReplayedOutcome,
): Recalled {
  return { ...outcome, effect, sent, isWrite, ...(args !== undefined && { arguments: args }) };
}

function isMade({ isWrite, sent, outcome }: ReplayedCall): boolean {
  return isWrite ? sent > 0 : outcome?.ok === true;
}

function toKey({ server, tool, argumentsHash }: CallIdentity): string {
  return JSON.stringify([server, tool, argumentsHash]);
}

function isSame(a: CallIdentity, b: CallIdentity): boolean {
  return a.server === b.server && a.tool === b.tool && a.argumentsHash === b.argumentsHash;
}

function diverged(call: CallIdentity, other: ReplayedCall): KeyholeError {
  const isSameTool = other.server === call.server && other.tool === call.tool;
  const what = isSameTool ? "the same with other arguments" : `${other.server}.${other.tool}`;
  return new KeyholeError(
    "diverged",
    `The program goes another way than it did before: its call ${call.number} is ${call.server}.${call.tool}, and was ${what}`,
    { server: call.server, tool: call.tool },
  );
}
