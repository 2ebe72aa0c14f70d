/** How long to wait in total, given how long the slowest answer so far took. */
export type Patience = (slowestMs: number) => number;

/** Waits for all tasks. With a patience, no longer for the last ones than it allows, once there is anything to compare. */
export async function settleAll(tasks: readonly Promise<void>[], patience?: Patience): Promise<void> {
  const all = Promise.allSettled(tasks);
  if (!patience) {
    await all;
    return;
  }
  const start = Date.now();
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const compare = () => {
      const elapsed = Date.now() - start;
      clearTimeout(timer);
      timer = setTimeout(resolve, Math.max(0, patience(elapsed) - elapsed));
    };
    for (const task of tasks) task.then(compare, compare);
    all.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
