import { broken, createConversation, failed } from "./conversation.ts";
import { isNearMemoryLimit, toEndingError } from "./ending.ts";
import type { Ending, GuestProcess } from "./guest-process.ts";
import type { Verdict } from "./guest-words.ts";
import { type Limits, limitError } from "./limits.ts";
import { createFrameReader, FRAME, type Frame } from "./protocol.ts";
import { createRunClock } from "./run-clock.ts";
import type { Folder, Host, Program, RunError, RunOutcome } from "./sandbox.ts";
import { createWallClock, type WallClock } from "./wall-clock.ts";
import { type Watch, watchUsage } from "./watch.ts";

/** The runner must have said that it is ready by then. */
const READY_WITHIN_MS = 20_000;

export type BridgeOptions = {
  readonly limits: Limits;
  /** The folders where they lie on this machine. */
  readonly folders: readonly Folder[];
  /** The same as the guest finds them. */
  readonly guestFolders: readonly Folder[];
  readonly wallClock?: WallClock;
  readonly signal?: AbortSignal;
};

/**
 * One program in one process, from the start frame to the outcome; the process is ended in any case. `started` tells
 * whether the program can have begun.
 */
export function runInGuest(
  guest: GuestProcess,
  program: Program,
  host: Host,
  { limits, guestFolders, folders, wallClock = createWallClock(), signal }: BridgeOptions,
): Promise<{ outcome: RunOutcome; started: boolean }> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const clock = createRunClock(limits, wallClock);
    const conversation = createConversation(guest, host, limits, clock.setWaiting);
    let watch: Watch | undefined;
    let isSettled = false;

    function settle(verdict: Verdict): void {
      if (isSettled) return;
      isSettled = true;
      const resources = watch?.used() ?? {};
      clearTimeout(readyTimer);
      watch?.stop();
      signal?.removeEventListener("abort", onAbort);
      conversation.end();
      guest.output.off("data", reader.push).destroy();
      guest.kill();
      const used = { wallMs: performance.now() - startedAt, ...resources, ...conversation.counts };
      resolve({
        outcome: { ...withMemoryLimit(verdict, limits, used.memoryBytes), used },
        started: watch !== undefined,
      });
    }

    const fail = (error: RunError) => settle(failed(error));
    const onAbort = () => fail({ kind: "cancelled", message: "The run was cancelled" });

    function onFrame(frame: Frame): void {
      if (isSettled) return;
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

    function onEnded(ending: Ending): void {
      const { cpuMs = 0, memoryBytes = 0 } = watch?.used() ?? {};
      fail(watch ? toEndingError(ending, limits, memoryBytes, cpuMs) : notStarted(ending));
    }

    const reader = createFrameReader({
      maxFrameBytes: limits.frameBytes,
      onFrame,
      onTooLarge: (bytes) => fail(limitError("frame", limits.frameBytes, bytes)),
      onMalformed: () => settle(broken("a frame shorter than its header")),
    });
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
    guest.output.on("data", reader.push);
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
