import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that can be interrupted at each `yield`. */
export type Work<Result> = Generator<void, Result, void>;

/** After so much of it, others get their turn. */
const SLICE_MS = 10;

/** Does all of it at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export type SliceOptions = {
  readonly now?: () => number;
  /** What each slice took: the work alone, not the waits between. */
  readonly onSlice?: (sliceMs: number) => void;
};

/** Does it in slices; between two of them the event loop goes round. */
export async function finishInSlices<Result>(
  work: Work<Result>,
  { now = () => performance.now(), onSlice }: SliceOptions = {},
): Promise<Result> {
  for (;;) {
    const startedAt = now();
    let step = work.next();
    while (!step.done && now() - startedAt < SLICE_MS) step = work.next();
    onSlice?.(now() - startedAt);
    if (step.done) return step.value;
    await nextTurn();
  }
}

/** For work that has promises of its own: awaited between its steps, it waits only when a slice is over. */
export function createPace(): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      sinceMs = performance.now();
    });
  };
}
