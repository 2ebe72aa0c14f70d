/** What is read of a body that nobody asks for yet: most are smaller, and their connections are free at once. */
const AHEAD_BYTES = 1024 * 1024;

/**
 * The rest of an answer, as a stream. It is read ahead, but only what the program waits for is something to do.
 * @param {import("./http-client.js").Read} read
 * @param {<T>(work: Promise<T>) => Promise<T>} waitFor
 * @param {() => void} onEnd called once, when nothing more is read
 */
export function createBody(read, waitFor, onEnd) {
  /** @type {Uint8Array[]} */
  let held = [];
  let heldBytes = 0;
  let mostBytes = AHEAD_BYTES;
  let hasEnded = false;
  /** @type {{ error: unknown } | undefined} */
  let failure;
  let wakeReader = () => {};
  let wakePump = () => {};

  async function pump() {
    try {
      for (;;) {
        while (heldBytes >= mostBytes && !hasEnded)
          await new Promise((resolve) => {
            wakePump = () => resolve(undefined);
          });
        const piece = hasEnded ? null : await read();
        if (piece === null) break;
        held.push(piece);
        heldBytes += piece.length;
        wakeReader();
      }
    } catch (error) {
      failure ??= { error };
    }
    end();
  }

  function end() {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
    wakeReader();
    wakePump();
  }

  async function next() {
    for (;;) {
      const piece = held.shift();
      if (piece) {
        heldBytes -= piece.length;
        wakePump();
        return piece;
      }
      if (failure) throw failure.error;
      if (hasEnded) return null;
      await new Promise((resolve) => {
        wakeReader = () => resolve(undefined);
      });
    }
  }

  void pump();
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const piece = await waitFor(next());
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel() {
        held = [];
        end();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    /** Somebody waits for the connection: all of it is read, however much it is. */
    hurry() {
      mostBytes = Number.POSITIVE_INFINITY;
      wakePump();
    },
    /** @param {unknown} error */
    fail(error) {
      if (hasEnded) return;
      held = [];
      failure = { error };
      end();
    },
  };
}
