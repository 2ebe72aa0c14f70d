import { type Collected, createMessageCollector } from "./collect-message.ts";
import type { JsonScan } from "./json-scan.ts";
import type { Excess, MessageLimits } from "./too-large.ts";

export type LineReader = {
  push(chunk: Buffer): void;
  /** No more comes. */
  close(): void;
};

export type LineReaderOptions = MessageLimits & {
  onLine(line: Collected): void;
  /** The line under way does not end; nothing is read after this. */
  onEndless(excess: Excess, scan: JsonScan): void;
  /** It comes too slowly while others wait for room; nothing is read after this. */
  onOverdue(): void;
  /** No more may be pushed for a while: there is no room for what comes. */
  onWaiting(isWaiting: boolean): void;
};

const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. */
export function createLineReader(options: LineReaderOptions): LineReader {
  let stopped = false;
  /** What came after there was no room. */
  let held: Buffer[] | undefined;
  const collector = createMessageCollector({
    maxBytes: options.maxBytes,
    maxValues: options.maxValues,
    onEndless(excess, scan) {
      close();
      options.onEndless(excess, scan);
    },
    onOverdue() {
      close();
      options.onOverdue();
    },
  });

  function close(): void {
    stopped = true;
    held = undefined;
    collector.drop();
  }

  function wait(room: Promise<void>, rest: Buffer, isLineEnd: boolean): void {
    held = [rest];
    options.onWaiting(true);
    room.then(() => {
      if (stopped) return;
      const chunks = held ?? [];
      held = undefined;
      if (isLineEnd) options.onLine(collector.end());
      for (const chunk of chunks) push(chunk);
      if (held === undefined) options.onWaiting(false);
    });
  }

  function push(chunk: Buffer): void {
    if (held !== undefined) {
      held.push(chunk);
      return;
    }
    let start = 0;
    while (!stopped) {
      const end = chunk.indexOf(NEWLINE, start);
      const room = collector.add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (stopped) return;
      if (room !== undefined) {
        wait(room, end === -1 ? Buffer.alloc(0) : chunk.subarray(end + 1), end !== -1);
        return;
      }
      if (end === -1) return;
      start = end + 1;
      options.onLine(collector.end());
    }
  }

  return { push, close };
}
