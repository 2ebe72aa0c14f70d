import { MAX_NAMED } from "./anomaly.ts";

/** Different things that were tried within a time; the same thing tried again counts once. */
export type Attempts = {
  /** Tells how many different ones there are now. */
  add(what: string, at: number, id: string): number;
  count(at: number): number;
  events(): string[];
  firstAt(): number;
};

const MAX_KEPT = 64;

export function createAttempts(withinMs: number): Attempts {
  const kept = new Map<string, { at: number; id: string }>();
  function forget(now: number): void {
    for (const [key, one] of kept) {
      if (now - one.at <= withinMs && kept.size <= MAX_KEPT) break;
      kept.delete(key);
    }
  }

  return {
    add(what, at, id) {
      kept.delete(what);
      kept.set(what, { at, id });
      forget(at);
      return kept.size;
    },
    count(at) {
      forget(at);
      return kept.size;
    },
    events: () => [...kept.values()].slice(-MAX_NAMED).map(({ id }) => id),
    firstAt: () => kept.values().next().value?.at ?? 0,
  };
}
