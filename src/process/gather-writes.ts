import type { Writable } from "node:stream";

const gathering = new WeakSet<Writable>();

/**
 * Hands what is written in this turn to the system in one go: each write wakes the process at the other end, and a
 * thousand answers at once need not wake it a thousand times. A single write is not delayed by it.
 */
export function gatherWrites(stream: Writable): void {
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
