import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./store-error.ts";

/** Another process's transactions are as short as ours. */
const RETRY_MS = 2;
const PATIENCE_MS = 2_000;

/** Does it when no other process holds the lock. Waiting for that keeps nobody else of this process waiting. */
export async function whenFree<T>(work: () => T, patienceMs = PATIENCE_MS): Promise<T> {
  for (const start = performance.now(); ; await delay(RETRY_MS)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > patienceMs) throw error;
    }
  }
}
