/** Lines that are not written yet, as bytes. One buffer is used over and over: nothing is made for each line but its text. */
export type LineBuffer = {
  add(line: string): void;
  readonly bytes: () => number;
  readonly lines: () => number;
  content(): Uint8Array;
  /** Takes bytes off the front: whole lines. */
  drop(bytes: number): void;
};

const START_BYTES = 64 * 1024;
/** No more is kept for later. */
const KEPT_BYTES = 1024 * 1024;
/** A letter is at most three bytes of UTF-8 for each of its units. */
const MAX_BYTES_A_UNIT = 3;
const NEWLINE = 0x0a;

export function createLineBuffer(): LineBuffer {
  let buffer = Buffer.allocUnsafeSlow(START_BYTES);
  let used = 0;
  let lines = 0;

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2));
    buffer.copy(larger, 0, 0, used);
    buffer = larger;
  }

  return {
    add(line) {
      const needed = used + line.length * MAX_BYTES_A_UNIT + 1;
      if (needed > buffer.length) grow(needed);
      used += buffer.write(line, used);
      buffer[used++] = NEWLINE;
      lines++;
    },
    bytes: () => used,
    lines: () => lines,
    content: () => buffer,
    drop(bytes) {
      if (bytes < used) {
        lines -= countLines(buffer, bytes);
        buffer.copyWithin(0, bytes, used);
        used -= bytes;
        return;
      }
      used = 0;
      lines = 0;
      if (buffer.length > KEPT_BYTES) buffer = Buffer.allocUnsafeSlow(START_BYTES);
    },
  };
}

function countLines(buffer: Buffer, bytes: number): number {
  let count = 0;
  for (let at = 0; at < bytes; at++) if (buffer[at] === NEWLINE) count++;
  return count;
}
