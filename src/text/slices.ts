import { setImmediate } from "node:timers/promises";

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
    await setImmediate();
  }
}
