import { KeyholeError } from "../../errors.ts";
import type { ServerQueue } from "../../sandbox/server-queue.ts";

/** Does something for which room in a server's queue is needed, and waits for it like everybody else. */
export async function inTurn<T>(queue: ServerQueue, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  let onRoom = () => {};
  const place = queue.join(() => onRoom());
  try {
    while (!place.enter()) {
      await new Promise<void>((resolve, reject) => {
        onRoom = resolve;
        const leave = () => reject(cancelled());
        if (signal.aborted) leave();
        else signal.addEventListener("abort", leave, { once: true });
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

function cancelled(): KeyholeError {
  return new KeyholeError("cancelled", "Cancelled while waiting for other calls to this server");
}
