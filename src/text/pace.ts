const MAX_STRETCH_MS = 10;

/** Lets others have their turn: to be awaited between the steps of a long work. It waits only when some time has passed. */
export function createPace(): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < MAX_STRETCH_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        sinceMs = performance.now();
        resolve();
      });
    });
  };
}
