/** A time by which something must have happened. */
export type Deadline = {
  /** Since when it counts, and for how long. */
  fromMs: number;
  readonly timeoutMs: number;
  expire(): void;
};

export type Deadlines = {
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
};

/** What timers take at most. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** One timer for all of them: one each would cost as much as writing the request. It keeps no process alive. */
export function createDeadlines(): Deadlines {
  const open = new Set<Deadline>();
  let timer: NodeJS.Timeout | undefined;
  let firesAtMs = Number.POSITIVE_INFINITY;

  function arm(atMs: number): void {
    if (atMs >= firesAtMs) return;
    clearTimeout(timer);
    firesAtMs = atMs;
    timer = setTimeout(check, Math.min(MAX_DELAY_MS, Math.max(1, atMs - performance.now())));
    timer.unref();
  }

  function check(): void {
    firesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    for (const deadline of open) {
      const atMs = endOf(deadline);
      if (atMs > nowMs) arm(atMs);
      else {
        open.delete(deadline);
        deadline.expire();
      }
    }
  }

  return {
    add(deadline) {
      open.add(deadline);
      arm(endOf(deadline));
    },
    remove: (deadline) => {
      open.delete(deadline);
    },
  };
}

function endOf({ fromMs, timeoutMs }: Deadline): number {
  return fromMs + timeoutMs;
}
