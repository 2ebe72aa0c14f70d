import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";

/** Half of a frame's header: what stays of a mark that came in two pieces, and can't be called back, is no frame. */
const LEAST_BYTES = 8;
const DIGITS = 3;

export type RunnerOutput = {
  readonly stream: Readable;
  /** What the container's first process prints when the runner is gone, before its exit code in three digits. */
  readonly mark: string;
  push(piece: Buffer): void;
  end(): void;
};

/**
 * What the runner prints, up to the mark behind it. The container's own output goes on after the runner's, since its files are
 * still to be fetched, and so may what else the program has started. No program knows the mark.
 */
export function createRunnerOutput(options: {
  onExit(code: number): void;
  setPaused(isPaused: boolean): void;
}): RunnerOutput {
  const mark = randomBytes(16).toString("hex");
  let held: Buffer = Buffer.alloc(0);
  /** The last bytes that were handed on: as many as can be a mark's beginning. */
  let tail = "";
  let isOver = false;
  const stream = new Readable({ read: () => options.setPaused(false), emitClose: true });
  stream.on("error", () => {});
  // What nobody reads any more is still looked at, for the mark.
  stream.on("close", () => options.setPaused(false));

  function hand(piece: Buffer): void {
    if (piece.length === 0) return;
    tail = (tail + piece.toString("latin1", Math.max(0, piece.length - LEAST_BYTES))).slice(1 - LEAST_BYTES);
    if (!stream.destroyed && !stream.push(piece)) options.setPaused(true);
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    hand(held);
    if (!stream.destroyed) stream.push(null);
  }

  /** Where the mark begins, or what may become one; before 0 where some of it was handed on. */
  function findMark(whole: Buffer): number {
    const seam = (tail + whole.toString("latin1", 0, mark.length)).indexOf(mark);
    if (seam !== -1 && seam < tail.length) return seam - tail.length;
    const at = whole.indexOf(mark);
    if (at !== -1) return at;
    const last =
      (whole.length < mark.length ? tail : "") +
      whole.toString("latin1", Math.max(0, whole.length - mark.length));
    const begun = last.lastIndexOf(mark.slice(0, LEAST_BYTES));
    const isBegun = begun !== -1 && mark.startsWith(last.slice(begun));
    return isBegun ? whole.length - (last.length - begun) : whole.length;
  }

  return {
    stream,
    mark,
    push(piece) {
      if (isOver) return;
      const whole = held.length > 0 ? Buffer.concat([held, piece]) : piece;
      const at = findMark(whole);
      const digits = whole.toString("latin1", at + mark.length, at + mark.length + DIGITS);
      held = Buffer.from(whole.subarray(Math.max(0, at)));
      hand(whole.subarray(0, Math.max(0, at)));
      if (digits.length < DIGITS) return;
      held = Buffer.alloc(0);
      end();
      options.onExit(Number(digits));
    },
    end,
  };
}
