/** The longest that programs keep the host from everything else; a single large message can take longer. */
const TURN_MS = 8;
/** After so long without work for a program the event loop has been round. */
const IDLE_MS = 1;

export type Turns = {
  /** @param work does what there is to do until then, and says whether there is more */
  join(work: (untilMs: number) => boolean): Turn;
};

/** One run's part in the host's time. */
export type Turn = {
  /** There is something to do. It is done at once, or when the others have had their turn. */
  request(): void;
  /** Time that the host has spent for the run elsewhere. */
  charge(ms: number): void;
  readonly isWaiting: boolean;
  readonly spentMs: number;
  leave(): void;
};

type Member = { readonly work: (untilMs: number) => boolean; spentMs: number; isWaiting: boolean };

/**
 * Divides the host's time among the runs. Between two turns the event loop goes round, so that time-outs fire and others are
 * served; who has had the least is next, so that a program which floods the host waits for those that do not.
 */
export function createHostTurns(turnMs = TURN_MS): Turns {
  const waiting = new Set<Member>();
  let isScheduled = false;
  let isWorking = false;
  let turnEndsAt = 0;
  let lastAt = 0;

  function take(member: Member, startedAt: number): void {
    isWorking = true;
    member.isWaiting = false;
    const hasMore = member.work(turnEndsAt);
    isWorking = false;
    lastAt = performance.now();
    member.spentMs += lastAt - startedAt;
    if (hasMore) wait(member);
  }

  function wait(member: Member): void {
    member.isWaiting = true;
    waiting.add(member);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(next);
  }

  function next(): void {
    isScheduled = false;
    let first: Member | undefined;
    for (const member of waiting) if (!first || member.spentMs < first.spentMs) first = member;
    if (!first) return;
    waiting.delete(first);
    const now = performance.now();
    turnEndsAt = now + turnMs;
    take(first, now);
    schedule();
  }

  /** Whether something can be done at once: what follows closely on what was done before belongs to the same turn. */
  function isFree(now: number): boolean {
    if (isWorking || waiting.size > 0) return false;
    if (now - lastAt > IDLE_MS) turnEndsAt = now + turnMs;
    return now < turnEndsAt;
  }

  return {
    join(work) {
      const member: Member = { work, spentMs: 0, isWaiting: false };
      return {
        request() {
          if (member.isWaiting) return;
          const now = performance.now();
          if (isFree(now)) take(member, now);
          else wait(member);
        },
        charge(ms) {
          member.spentMs += ms;
          lastAt = performance.now();
        },
        get isWaiting() {
          return member.isWaiting;
        },
        get spentMs() {
          return member.spentMs;
        },
        leave() {
          member.isWaiting = false;
          waiting.delete(member);
        },
      };
    },
  };
}

/** Of this process, which has one event loop. */
export const hostTurns = createHostTurns();
