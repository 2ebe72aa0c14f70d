import type { UnreadAnswer } from "./unread.ts";

/** Small enough that it shows how fast they are read. */
const PIECE_BYTES = 64 * 1024;
/** What an event costs in memory beside its text. */
const CHUNK_COST_BYTES = 256;

/**
 * The same body, in pieces that are handed on as they are read. All of it is taken from its source at once, so that
 * whatever waits is counted here, and is let go when the reader has gone.
 */
export function toPieces(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  answer: UnreadAnswer,
): ReadableStream<Uint8Array> {
  const source = body.getReader();
  const queue = createQueue<Uint8Array>();
  let current: Uint8Array = new Uint8Array();
  let handedBytes = 0;
  let isOver = false;
  let wake = () => {};

  async function gather(): Promise<void> {
    for (;;) {
      const { done, value } = await source.read();
      if (isOver) return;
      if (done) break;
      queue.push(value);
      answer.add(value.byteLength + CHUNK_COST_BYTES);
      wake();
    }
    isOver = true;
    wake();
  }

  function letGo(): void {
    isOver = true;
    current = new Uint8Array();
    queue.clear();
    answer.end();
    source.cancel().catch(() => {});
    wake();
  }

  if (signal.aborted) letGo();
  signal.addEventListener("abort", letGo, { once: true });
  let problem: { readonly error: unknown } | undefined;
  gather().catch((error: unknown) => {
    problem = { error };
    letGo();
  });

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Asked for the next one, the reader has taken the last.
        answer.take(handedBytes);
        handedBytes = 0;
        while (current.byteLength === 0) {
          const next = queue.shift();
          if (next !== undefined) {
            current = next;
            handedBytes += CHUNK_COST_BYTES;
          } else if (problem !== undefined) {
            controller.error(problem.error);
            return;
          } else if (isOver) {
            controller.close();
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
        const piece = current.subarray(0, PIECE_BYTES);
        current = current.subarray(PIECE_BYTES);
        handedBytes += piece.byteLength;
        controller.enqueue(piece);
      },
      cancel: letGo,
    },
    { highWaterMark: 0 },
  );
}

type Queue<Value> = { push(value: Value): void; shift(): Value | undefined; clear(): void };

/** First in, first out, in constant time however long it is. */
function createQueue<Value>(): Queue<Value> {
  let arriving: Value[] = [];
  let leaving: Value[] = [];
  return {
    push: (value) => void arriving.push(value),
    shift() {
      if (leaving.length === 0) [leaving, arriving] = [arriving.reverse(), leaving];
      return leaving.pop();
    },
    clear() {
      arriving = [];
      leaving = [];
    },
  };
}
