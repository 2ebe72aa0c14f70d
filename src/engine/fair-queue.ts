import { KeyholeError } from "../errors.ts";

export type FairQueue = {
  /** Runs a task when its turn has come; sessions take turns, however many tasks one of them has. */
  run<T>(session: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

type Waiting = { start(): void };

export function createFairQueue(max: number): FairQueue {
  let running = 0;
  // In the order of their turns: a session that had one goes to the end.
  const lines = new Map<string, Waiting[]>();

  function next(): void {
    while (running < max) {
      const [turn] = lines;
      if (!turn) return;
      const [session, line] = turn;
      lines.delete(session);
      const first = line.shift();
      if (line.length > 0) lines.set(session, line);
      if (!first) continue;
      running++;
      first.start();
    }
  }

  function wait(session: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        start() {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        const line = lines.get(session) ?? [];
        lines.set(
          session,
          line.filter((other) => other !== entry),
        );
        reject(new KeyholeError("cancelled", "Cancelled while waiting for other programs"));
      };
      if (signal?.aborted) {
        leave();
        return;
      }
      signal?.addEventListener("abort", leave, { once: true });
      lines.set(session, [...(lines.get(session) ?? []), entry]);
      next();
    });
  }

  return {
    async run(session, task, signal) {
      await wait(session, signal);
      try {
        return await task();
      } finally {
        running--;
        next();
      }
    },
  };
}
