import { KeyholeError } from "../../errors.ts";

/** Which runs wait for which just now. */
export type Waits = {
  /** Throws when the awaited run waits for the asking one, by whatever way: neither would ever go on. */
  during<T>(asker: string, awaited: string, work: () => Promise<T>): Promise<T>;
};

export function createWaits(): Waits {
  /** A program can wait for several, and for one several times. */
  const awaitedBy = new Map<string, string[]>();

  function reaches(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (awaitedBy.get(from) ?? []).some((next) => reaches(next, to, seen));
  }

  function drop(asker: string, awaited: string): void {
    const left = awaitedBy.get(asker) ?? [];
    left.splice(left.indexOf(awaited), 1);
    if (left.length === 0) awaitedBy.delete(asker);
  }

  return {
    async during(asker, awaited, work) {
      if (reaches(awaited, asker)) throw waitsForAsker(awaited);
      awaitedBy.set(asker, [...(awaitedBy.get(asker) ?? []), awaited]);
      try {
        return await work();
      } finally {
        drop(asker, awaited);
      }
    },
  };
}

function waitsForAsker(runId: string): KeyholeError {
  return new KeyholeError("usage", `The run "${runId}" waits for this one: neither would go on`, {
    hint: "Let this program end, and ask for both in a later one",
  });
}
