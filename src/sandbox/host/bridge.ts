import { errorMessage, KeyholeError } from "../../errors.ts";
import { hostTimeError, type Limits, limitError } from "../limits.ts";
import type { MachineEnd, MachineProcess } from "../machine/machine.ts";
import type { Folder, Host, Program, RunError, RunOutcome } from "../sandbox.ts";
import { createWallClock, type WallClock } from "../wall-clock.ts";
import { type ChunkFault, createChunkReader } from "./chunks.ts";
import { createConversation } from "./conversation.ts";
import { isNearMemoryLimit, toEndingError } from "./ending.ts";
import { broken, failed, type Verdict } from "./guest-words.ts";
import { hostLedger, type Ledger } from "./ledger.ts";
import { createFrameReader, FRAME, type Frame } from "./protocol.ts";
import { createRunClock } from "./run-clock.ts";
import { hostTurns, type Turns } from "./turns.ts";
import { type CountedDisk, type Watch, watchLimits } from "./watch.ts";

/** The runner must have said that it is ready by then. */
const READY_WITHIN_MS = 20_000;
const LARGE_BYTES = 64 * 1024;

export type BridgeOptions = {
  readonly limits: Limits;
  /** As the program's process finds them. */
  readonly folders: readonly Folder[];
  /** Absent: nothing is measured, since nothing can be written. */
  readonly disk?: CountedDisk;
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
  guest: MachineProcess,
  program: Program,
  host: Host,
  {
    limits,
    folders,
    disk,
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
    const chunks = createChunkReader(limits.frameBytes);
    const unreadBytes = () => reader.heldBytes + chunks.heldBytes;
    const turn = turns.join(work);
    const conversation = createConversation({
      guest,
      host,
      limits,
      account,
      turn,
      facts: program.facts,
      onWaiting: clock.setWaiting,
      onBroken: settle,
    });
    let watch: Watch | undefined;
    let isSettled = false;
    let ending: MachineEnd | undefined;

    function settle(verdict: Verdict): void {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(readyTimer);
      watch?.stop();
      signal?.removeEventListener("abort", onAbort);
      turn.leave();
      conversation.end();
      account.close();
      guest.output.off("data", onData).destroy();
      // It tells what it has used a last time.
      guest.kill();
      const used = { wallMs: performance.now() - startedAt, ...watch?.used(), ...conversation.counts };
      resolve({
        outcome: { ...withMemoryLimit(verdict, limits, used.memoryBytes), used },
        started: watch !== undefined,
      });
    }

    const fail = (error: RunError) => settle(failed(error));
    /** Something of ours broke, and not what the program did: it costs this run, not the host. */
    const onFault = (error: unknown) =>
      fail({ kind: "sandbox", message: errorMessage(error), ...hintOf(error) });
    const onAbort = () => fail({ kind: "cancelled", message: "The run was cancelled" });

    function onData(chunk: Buffer): void {
      reader.push(chunk);
      turn.request();
      if (turn.isWaiting) setReading(false);
    }

    function work(untilMs: number): boolean {
      try {
        return readAndCall(untilMs);
      } catch (error) {
        onFault(error);
        return false;
      }
    }

    /** Calls that wait go first: each of them takes less when it has been made. Whatever is not read yet stays in the pipe. */
    function readAndCall(untilMs: number): boolean {
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
      const verdict = conversation.noteUnread(unreadBytes());
      if (verdict) settle(verdict);
      else if (turn.spentMs > limits.hostMs) fail(hostTimeError(limits.hostMs, turn.spentMs));
    }

    function onFrame(frame: Frame | ChunkFault): void {
      if ("fault" in frame) {
        settle(toVerdict(frame, limits));
        return;
      }
      if (frame.type === FRAME.chunk) {
        const whole = chunks.receive(frame);
        const verdict = conversation.noteUnread(unreadBytes());
        if (verdict) settle(verdict);
        else if (whole) onFrame(whole);
        return;
      }
      if (frame.payload.length > LARGE_BYTES) conversation.noteUnread(unreadBytes());
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
      watch = watchLimits({ process: guest, limits, disk, clock, pulse: conversation.pulse }, fail);
      if (isSettled) watch.stop();
    }

    /** What it said before is read first: the result may be among it. */
    function onEnded(reason: MachineEnd): void {
      ending = reason;
      turn.request();
    }

    function toError(reason: MachineEnd): RunError {
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
    guest.ended.then(onEnded).catch(onFault);
    guest.prepared.then(() => conversation.start(program, folders)).catch(onFault);
  });
}

function hintOf(error: unknown): { hint?: string } {
  return error instanceof KeyholeError && error.hint !== undefined ? { hint: error.hint } : {};
}

function toVerdict(fault: ChunkFault, { frameBytes }: Limits): Verdict {
  if (fault.fault === "too_large") return failed(limitError("frame", frameBytes, fault.bytes));
  return broken(fault.fault === "broken" ? fault.what : "a frame shorter than its header");
}

function notStarted({ code, signal, stderr }: MachineEnd): RunError {
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
