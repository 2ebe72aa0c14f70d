import type { Writable } from "node:stream";

export type GatheredWrites = {
  write(text: string): void;
  /** What was written here and has not left yet. */
  readonly unsentLength: number;
};

/**
 * Hands what is written in this turn to the system as one text: each write wakes the process at the other end, and a
 * thousand requests at once need not wake it a thousand times. A single write is not delayed by it.
 */
export function gatherWrites(stream: Writable): GatheredWrites {
  let texts: string[] = [];
  let length = 0;

  function flush(): void {
    const [only = ""] = texts;
    const text = texts.length === 1 ? only : texts.join("");
    texts = [];
    length = 0;
    if (stream.writable) stream.write(text);
  }

  return {
    write(text) {
      length += text.length;
      if (texts.push(text) === 1) process.nextTick(flush);
    },
    get unsentLength() {
      return length + stream.writableLength;
    },
  };
}
