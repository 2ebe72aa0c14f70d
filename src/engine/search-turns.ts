export type SearchTurns = {
  /** Resolves when the next search may begin. */
  next(): Promise<void>;
};

/** Lets one search begin each time the event loop goes round. Whoever asks for one at a time gets its share beside all others. */
export function createSearchTurns(): SearchTurns {
  const waiting: (() => void)[] = [];

  function begin(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(begin);
  }

  return {
    next() {
      return new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(begin);
      });
    },
  };
}
