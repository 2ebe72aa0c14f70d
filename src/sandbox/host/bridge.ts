import { hostTimeError, type Limits, limitError } from "../limits.ts";
import type { Ending, GuestProcess } from "../machine/guest-process.ts";
import { type Watch, watchUsage } from "../machine/watch.ts";
import type { Folder, Host, Program, RunError, RunOutcome } from "../sandbox.ts";
import { createConversation } from "./conversation.ts";
import { isNearMemoryLimit, toEndingError } from "./ending.ts";
import { broken, failed, type Verdict } from "./guest-words.ts";
import { hostLedger, type Ledger } from "./ledger.ts";
import { createFrameReader, FRAME, type Frame, type FrameFault } from "./protocol.ts";
import { createRunClock } from "./run-clock.ts";
import { hostTurns, type Turns } from "./turns.ts";
import { createWallClock, type WallClock } from "./wall-clock.ts";

/** The runner must have said that it is ready by then. */
const READY_WITHIN_MS = 20_000;
const LARGE_BYTES = 64 * 1024;

export type BridgeOptions = {
  readonly limits: Limits;
  /** The folders where they lie on this machine. */
  readonly folders: readonly Folder[];
  /** The same as the guest finds them. */
  readonly guestFolders: readonly Folder[];
  readonly wallClock?: WallClock;
  readonly signal?: AbortSignal;
  /** What all runs of this process share of its memory and of its time. */
  readonly ledger?: Ledger;
  readonly turns?: Turns;
};

/**
 * One program in one process, from the start frame to the outcome; the process is ended in any case. `started` tells
 * whether the program can have begun.
 */
export function runInGuest(
  guest: GuestProcess,
  program: Program,
  host: Host,
  {
    limits,
    guestFolders,
    folders,
    wallClock = createWallClock(),
    signal,
    ledger = hostLedger,
    turns = hostTurns,
  }: BridgeOptions,
): Promise<{ outcome: RunOutcome; started: boolean }> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const clock = createRunClock(limits, wallClock);
    const account = ledger.open(limits.heldBytes);
    const reader = createFrameReader(limits.frameBytes);
    const turn = turns.join(work);
    const conversation = createConversation({
      guest,
      host,
      limits,
      account,
      turn,
      onWaiting: clock.setWaiting,
      onBroken: settle,
    });
    let watch: Watch | undefined;
    let isSettled = false;
    let ending: Ending | undefined;

    function settle(verdict: Verdict): void {
      if (isSettled) return;
      isSettled = true;
      const resources = watch?.used() ?? {};
      clearTimeout(readyTimer);
      watch?.stop();
      signal?.removeEventListener("abort", onAbort);
      turn.leave();
      conversation.end();
      account.close();
      guest.output.off("data", onData).destroy();
      guest.kill();
      const used = { wallMs: performance.now() - startedAt, ...resources, ...conversation.counts };
      resolve({
        outcome: { ...withMemoryLimit(verdict, limits, used.memoryBytes), used },
        started: watch !== undefined,
      });
    }

    const fail = (error: RunError) => settle(failed(error));
    const onAbort = () => fail({ kind: "cancelled", message: "The run was cancelled" });

    function onData(chunk: Buffer): void {
      reader.push(chunk);
      turn.request();
      if (turn.isWaiting) setReading(false);
    }

    /** Calls that wait go first: each of them takes less when it has been made. Whatever is not read yet stays in the pipe. */
    function work(untilMs: number): boolean {
      while (!isSettled && performance.now() < untilMs) {
        if (conversation.startNextCall()) continue;
        const frame = conversation.isFull() && !ending ? "later" : reader.next();
        if (frame === "later" || frame === undefined) {
          setReading(frame === undefined);
          noteWork();
          if (ending) fail(toError(ending));
          return false;
        }
        onFrame(frame);
      }
      noteWork();
      return !isSettled;
    }

    function setReading(isReading: boolean): void {
      if (isSettled) return;
      if (!isReading) guest.output.pause();
      else if (guest.output.isPaused()) guest.output.resume();
    }

    function noteWork(): void {
      if (isSettled) return;
      const verdict = conversation.noteUnread(reader.heldBytes);
      if (verdict) settle(verdict);
      else if (turn.spentMs > limits.hostMs) fail(hostTimeError(limits.hostMs, turn.spentMs));
    }

    function onFrame(frame: Frame | FrameFault): void {
      if ("fault" in frame) {
        if (frame.fault === "malformed") settle(broken("a frame shorter than its header"));
        else fail(limitError("frame", limits.frameBytes, frame.bytes));
        return;
      }
      if (frame.payload.length > LARGE_BYTES) conversation.noteUnread(reader.heldBytes);
      const isReady = frame.type === FRAME.ready;
      if (isReady && watch === undefined) {
        onReady();
        return;
      }
      const verdict =
        isReady || watch === undefined ? broken("a frame out of turn") : conversation.receive(frame);
      if (verdict) settle(verdict);
    }

    function onReady(): void {
      clearTimeout(readyTimer);
      clock.start();
      watch = watchUsage({ guest, limits, folders, clock, pulse: conversation.pulse }, fail);
    }

    /** What it said before is read first: the result may be among it. */
    function onEnded(reason: Ending): void {
      ending = reason;
      turn.request();
    }

    function toError(reason: Ending): RunError {
      const { cpuMs = 0, memoryBytes = 0 } = watch?.used() ?? {};
      return watch ? toEndingError(reason, limits, memoryBytes, cpuMs) : notStarted(reason);
    }

    const readyTimer = setTimeout(
      () =>
        fail({ kind: "sandbox", message: "Cannot start a sandbox: the process did not get ready in time" }),
      READY_WITHIN_MS,
    );
    if (signal?.aborted) {
      onAbort();
      return;
    }
    signal?.addEventListener("abort", onAbort);
    guest.output.on("data", onData);
    void guest.ended.then(onEnded);
    void guest.prepared.then(() => conversation.start(program, guestFolders));
  });
}

function notStarted({ code, signal, stderr }: Ending): RunError {
  return {
    kind: "sandbox",
    message: `Cannot start a sandbox: the process ended with ${signal ?? `code ${code}`}`,
    hint: stderr === "" ? "Run keyhole doctor" : `It wrote: ${stderr.slice(-500)}`,
  };
}

/** An allocation that the engine refused is the program's RangeError, and our limit when memory is nearly used up. */
function withMemoryLimit(verdict: Verdict, limits: Limits, peakBytes = 0): Verdict {
  if (verdict.ok || verdict.error.name !== "RangeError" || !isNearMemoryLimit(limits, peakBytes)) {
    return verdict;
  }
  return failed({ ...verdict.error, ...limitError("memory", limits.memoryBytes, peakBytes) });
}
