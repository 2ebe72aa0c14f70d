/** What all connections together may hold of large messages at the same time. */
export type ReceiveBudget = {
  /**
   * Room for one message, as a whole: who has it never waits again, so nobody waits for somebody who waits. Who holds on
   * to it while others wait is told to give it back.
   */
  reserve(bytes: number, onOverdue: () => void): Reservation;
};

export type Reservation = {
  /** There when it has to be waited for. */
  readonly granted: Promise<void> | undefined;
  release(): void;
};

type Holder = { readonly bytes: number; readonly sinceMs: number; readonly onOverdue: () => void };
type Waiter = { readonly bytes: number; readonly grant: () => void };

/** A message of some megabytes takes less than a second; one that takes longer may be kept back on purpose. */
const PATIENCE_MS = 5_000;

export function createReceiveBudget(maxBytes: number, patienceMs = PATIENCE_MS): ReceiveBudget {
  const holders = new Set<Holder>();
  const waiting = new Set<Waiter>();
  let held = 0;
  let timer: NodeJS.Timeout | undefined;

  function hasRoom(bytes: number): boolean {
    return held + bytes <= maxBytes;
  }

  function hold(holder: Holder): void {
    holders.add(holder);
    held += holder.bytes;
  }

  function wake(): void {
    for (const waiter of waiting) {
      if (!hasRoom(waiter.bytes)) break;
      waiting.delete(waiter);
      waiter.grant();
    }
    if (waiting.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  }

  /** The one that came first has had the most time. */
  function endOldest(): void {
    timer = undefined;
    const [oldest] = holders;
    if (oldest !== undefined && Date.now() - oldest.sinceMs >= patienceMs) oldest.onOverdue();
    watch();
  }

  function watch(): void {
    if (waiting.size > 0) timer ??= setTimeout(endOldest, patienceMs);
  }

  return {
    reserve(wanted, onOverdue) {
      // A limit above the budget can be configured: then one message at a time.
      const bytes = Math.min(wanted, maxBytes);
      let holder: Holder | undefined;
      let waiter: Waiter | undefined;
      const take = () => {
        holder = { bytes, sinceMs: Date.now(), onOverdue };
        hold(holder);
      };
      let granted: Promise<void> | undefined;
      if (waiting.size === 0 && hasRoom(bytes)) take();
      else {
        granted = new Promise((resolve) => {
          waiter = {
            bytes,
            grant: () => {
              take();
              resolve();
            },
          };
          waiting.add(waiter);
        });
        watch();
      }
      return {
        granted,
        release() {
          if (waiter !== undefined) waiting.delete(waiter);
          if (holder !== undefined && holders.delete(holder)) held -= holder.bytes;
          wake();
        },
      };
    },
  };
}

const MAX_RECEIVED_BYTES = 128 * 1024 * 1024;

/** One for the process: its memory is what is shared. */
export const RECEIVE_BUDGET = createReceiveBudget(MAX_RECEIVED_BYTES);
