/**
 * How long a process has been at work, where the platform does not tell: a busy one does not answer. A program that
 * breaks into its runner can lie here; it wins the limit of sleep in place of that of own time, and nothing else.
 */
export type Pulse = {
  /** To be called again and again. */
  beat(): void;
  /** Whether an answer was expected. */
  answered(): boolean;
  busyMs(): number;
};

const ASK_EVERY_MS = 50;
/** A process that sleeps needs a moment as well. */
const GRACE_MS = 40;

export function createPulse(ask: () => void): Pulse {
  let busyBeforeMs = 0;
  let askedAt: number | undefined;
  let answeredAt = performance.now();

  function unansweredMs(): number {
    const passedMs = askedAt === undefined ? 0 : performance.now() - askedAt;
    return passedMs > GRACE_MS ? passedMs : 0;
  }

  return {
    beat() {
      if (askedAt !== undefined || performance.now() - answeredAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      ask();
    },
    answered() {
      if (askedAt === undefined) return false;
      busyBeforeMs += unansweredMs();
      askedAt = undefined;
      answeredAt = performance.now();
      return true;
    },
    busyMs: () => busyBeforeMs + unansweredMs(),
  };
}
