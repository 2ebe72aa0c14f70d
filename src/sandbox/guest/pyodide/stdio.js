import { FRAME } from "../javascript/frames.js";
import { takeStart } from "./take-start.js";

const READ_BYTES = 64 * 1024;

/**
 * What Python has for its two pipes. Bytes that are there, or come within a time; the first frame that says what to run is
 * looked at before Python gets it.
 * @param {Pick<typeof Deno, "stdin" | "stdout">} deno
 * @param {(start: import("./take-start.js").Start) => void} onStart may change it
 */
export function createStdio({ stdin, stdout }, onStart) {
  const toPython = takeStart(FRAME.start, FRAME.chunk, onStart);
  const buffer = new Uint8Array(READ_BYTES);
  const { setTimeout, clearTimeout } = globalThis;
  const OwnBytes = Uint8Array;
  const { wait: atomicsWait } = Atomics;
  const never = new Int32Array(new SharedArrayBuffer(4));
  /** @type {Promise<void> | undefined} */
  let reading;
  /** What was read and nobody has waited for any more. @type {{ bytes: Uint8Array | undefined } | undefined} */
  let read;

  /** @param {number | null} count */
  const toBytes = (count) => (count === null ? undefined : toPython(buffer.subarray(0, count)));

  function startReading() {
    reading ??= stdin.read(buffer).then((count) => {
      reading = undefined;
      read = { bytes: toBytes(count) };
    });
    return reading;
  }

  function takeRead() {
    const bytes = read?.bytes;
    read = undefined;
    return bytes;
  }

  return {
    /** @param {Uint8Array} bytes */
    write(bytes) {
      for (let at = 0; at < bytes.length; ) at += stdout.writeSync(at === 0 ? bytes : bytes.subarray(at));
    },

    /** @param {number} milliseconds */
    standStill(milliseconds) {
      atomicsWait(never, 0, 0, milliseconds);
    },

    /**
     * Bytes, or nothing at the end of the stream; `false` where it takes a turn of the loop to know.
     * @param {number | undefined} milliseconds
     */
    read(milliseconds) {
      if (read !== undefined) return takeRead();
      // Nothing else happens in this process while it waits, so it can as well stand still: that is the fastest way.
      if (milliseconds === undefined && reading === undefined) return toBytes(stdin.readSync(buffer));
      return false;
    },

    /**
     * The same, told when it is there, or an empty array when the time is over. Then what comes stays for whoever asks next.
     * @param {number | undefined} milliseconds
     * @param {(bytes: Uint8Array | undefined) => void} onBytes
     */
    wait(milliseconds, onBytes) {
      let isOver = false;
      const end = () => {
        isOver = true;
        onBytes(new OwnBytes());
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
      void startReading().then(() => {
        clearTimeout(timer);
        if (!isOver) onBytes(takeRead());
      });
    },
  };
}
