/** Bytes as they come, read in the lengths that are needed. Holds no more than the source has handed over. */
export type ByteReader = {
  /** Exactly so many. Rejects where the source ends before. */
  read(bytes: number): Promise<Buffer>;
  /** Up to a line's end, which is left out. */
  readLine(maxBytes: number): Promise<string>;
  push(piece: Buffer): void;
  end(): void;
};

const FULL_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** @param setPaused told when more is held than need be, and when no longer */
export function createByteReader(setPaused: (isPaused: boolean) => void): ByteReader {
  const held: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  let wake: () => void = () => {};

  async function until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) {
      if (isOver) throw new Error("The container has ended, or has closed the connection");
      setPaused(false);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  /** Without copying where a piece is long enough. */
  function take(length: number): Buffer {
    const [first] = held;
    if (first !== undefined && first.length > length) {
      held[0] = first.subarray(length);
      bytes -= length;
      return first.subarray(0, length);
    }
    const whole = Buffer.concat(held);
    held.length = 0;
    if (whole.length > length) held.push(whole.subarray(length));
    bytes -= length;
    return whole.subarray(0, length);
  }

  return {
    async read(length) {
      await until(() => bytes >= length);
      return take(length);
    },
    async readLine(maxBytes) {
      let line = "";
      for (;;) {
        await until(() => bytes >= 1);
        const [byte = NEWLINE] = take(1);
        if (byte === NEWLINE) return line;
        line += String.fromCharCode(byte);
        if (line.length > maxBytes) throw new Error("A line is too long");
      }
    },
    push(piece) {
      if (piece.length === 0 || isOver) return;
      held.push(piece);
      bytes += piece.length;
      if (bytes > FULL_BYTES) setPaused(true);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
  };
}
