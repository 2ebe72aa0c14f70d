import { KeyholeError } from "../errors.ts";

/** Lets at most `max` tasks run at a time; the others wait in line, and leave it when their signal is aborted. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createLimiter(max: number): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw cancelled();
    if (running < max) {
      running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(admit);
        reject(cancelled());
      };
      waiting.add(admit);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Hands the place on, so that nobody who comes later gets in between. */
  function exit(): void {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (task, signal) => {
    await enter(signal);
    try {
      return await task();
    } finally {
      exit();
    }
  };
}

function cancelled(): KeyholeError {
  return new KeyholeError("cancelled", "Cancelled while waiting for other calls to this server");
}
