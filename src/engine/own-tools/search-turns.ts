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

/** Of everybody: programs and clients. */
export const turnsOfAll = createSearchTurns();

/** Each asker's searches one after the other, in turn with those of all others. */
export function createSearchQueue(
  turns: SearchTurns = turnsOfAll,
): <Answer>(asker: string, search: () => Promise<Answer>) => Promise<Answer> {
  const last = new Map<string, Promise<void>>();
  return (asker, search) => {
    const answer = (last.get(asker) ?? Promise.resolve()).then(() => turns.next()).then(search);
    const settled = answer.then(
      () => forget(),
      () => forget(),
    );
    function forget(): void {
      if (last.get(asker) === settled) last.delete(asker);
    }
    last.set(asker, settled);
    return answer;
  };
}
