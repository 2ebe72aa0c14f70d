import { KeyholeError } from "../../errors.ts";
import type { ServerQueue } from "../../sandbox/server-queue.ts";

/** Does something for which room in a server's queue is needed, and waits for it like everybody else. */
export async function inTurn<T>(queue: ServerQueue, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  let onRoom = () => {};
  const place = queue.join(() => onRoom());
  try {
    while (!place.enter()) {
      await orAborted(signal, (resolve) => {
        onRoom = resolve;
      });
    }
  } catch (error) {
    place.close();
    throw error;
  }
  try {
    return await act();
  } finally {
    place.leave();
  }
}

function orAborted(signal: AbortSignal, begin: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () =>
      reject(new KeyholeError("cancelled", "Cancelled while waiting for other calls to this server"));
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    begin(() => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
  });
}
