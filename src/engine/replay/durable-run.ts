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
  recall(call: CallIdentity): ReplayedOutcome | "unknown" | undefined;
  sent(call: CallIdentity): Promise<void>;
  ended(call: CallIdentity, end: CallEnd): Promise<void>;
};

/** What is kept of one run's results together; a run with more can't start over. */
const MAX_KEPT_BYTES = 24 * 1024 * 1024;

export function toProgramHash(code: string, language: string): string {
  return createHash("sha256").update(`${language}\n${code}`).digest("hex");
}

export function newReplay(known: Pick<ReplayStart, "id" | "principal" | "programHash">): ReplayRun {
  return { ...known, seed: randomBytes(32).toString("hex"), time: Date.now(), past: [], calls: [] };
}

export function createDurableRun(kept: ReplayRun, log: ReplayLog): DurableRun {
  const { id, seed, time, past } = kept;
  const isResumed = past.length > 0 || kept.calls.length > 0;
  const waiting = new Map(kept.calls.map((call) => [call.number, call]));
  const lastNumber = Math.max(0, ...waiting.keys());
  const writes = new Map(kept.calls.filter(({ isWrite }) => isWrite).map((call) => [call.number, call]));
  let keptBytes = kept.calls.reduce((sum, { outcome }) => sum + (outcome?.ok ? outcome.bytes.length : 0), 0);

  /** By its number; calls that stand in no order to each other may come in another one. */
  function take(call: CallIdentity): ReplayedCall | undefined {
    const same = waiting.get(call.number);
    const found =
      same && isSame(same, call) ? same : [...waiting.values()].find((other) => isSame(other, call));
    if (found) waiting.delete(found.number);
    return found;
  }

  return {
    id,
    steady: { seed, time, past },
    isResumed,
    get writes() {
      return [...writes.values()];
    },
    onHappened: (news) => log.happened(id, news),
    recall(call) {
      const found = take(call);
      if (found) return found.outcome ?? "unknown";
      const other = waiting.get(call.number);
      if (other !== undefined || call.number <= lastNumber) throw diverged(call, other);
      return undefined;
    },
    async sent(call) {
      writes.set(call.number, { ...call, isWrite: true, effect: "unknown" });
      await log.sent(id, call);
    },
    async ended(call, end) {
      if (end.isWrite) writes.set(call.number, { ...call, ...end });
      const bytes = end.outcome.ok ? end.outcome.bytes.length : 0;
      keptBytes += bytes;
      if (keptBytes <= MAX_KEPT_BYTES) return log.ended(id, call, end);
      await log.obstacle(id, "what its calls returned was too much to be kept");
      // That it was made is known in any case.
      await log.ended(id, call, { ...end, outcome: { ok: true, form: "json", bytes: new Uint8Array() } });
    },
  };
}

function isSame(a: CallIdentity, b: CallIdentity): boolean {
  return a.server === b.server && a.tool === b.tool && a.argumentsHash === b.argumentsHash;
}

function diverged(call: CallIdentity, other: ReplayedCall | undefined): KeyholeError {
  const before = other === undefined ? "another call" : `${other.server}.${other.tool}`;
  const what =
    other?.server === call.server && other.tool === call.tool ? "the same with other arguments" : before;
  return new KeyholeError(
    "diverged",
    `The program goes another way than it did before: its call ${call.number} is ${call.server}.${call.tool}, and was ${what}`,
    { server: call.server, tool: call.tool },
  );
}
