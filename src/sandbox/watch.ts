import { diskUsage } from "./disk-usage.ts";
import type { GuestProcess, Usage } from "./guest-process.ts";
import { type Limits, limitError } from "./limits.ts";
import type { Pulse } from "./pulse.ts";
import type { RunClock } from "./run-clock.ts";
import type { Folder, RunError } from "./sandbox.ts";

const SAMPLE_EVERY_MS = 20;
/** Reading a tree of files costs more than reading counters: it is done when this much has been written since. */
const LOOK_AGAIN_BYTES = 4 * 1024 * 1024;
const LOOK_AGAIN_MS = 500;
/** A program that takes more is in nobody's way: others come before it. */
const HEAVY_CPU_MS = 100;

export type Watch = {
  /** What the run has used until now; CPU time counts from the start of the program. */
  used(): { cpuMs?: number; memoryBytes?: number };
  stop(): void;
};

export type Watched = {
  readonly guest: GuestProcess;
  readonly limits: Limits;
  readonly folders: readonly Folder[];
  readonly clock: RunClock;
  readonly pulse: Pulse;
};

/** Looks at a running process again and again, and says when it goes over what the kernel does not hold exactly. */
export function watchUsage(
  { guest, limits, folders, clock, pulse }: Watched,
  onOver: (error: RunError) => void,
): Watch {
  const first = guest.usage();
  const writable = folders.filter((folder) => folder.access === "write").map((folder) => folder.dir);
  let last = first;
  let peakBytes = first?.memoryBytes ?? 0;
  let writtenAtLook = first?.writtenBytes ?? 0;
  let lookedAt = performance.now();
  let isLooking = false;

  function sample(): Usage | undefined {
    const usage = guest.usage();
    if (usage) {
      last = usage;
      peakBytes = Math.max(peakBytes, usage.memoryBytes);
    }
    return usage;
  }

  const cpuMs = () => (last && first ? Math.max(0, last.cpuMs - first.cpuMs) : 0);

  function check(): void {
    const usage = sample();
    if (!first) pulse.beat();
    if (cpuMs() > HEAVY_CPU_MS) guest.yieldCpu();
    const timedOut = clock.check(first ? cpuMs() : pulse.busyMs());
    if (usage && usage.memoryBytes > limits.memoryBytes) {
      onOver(limitError("memory", limits.memoryBytes, usage.memoryBytes));
    } else if (timedOut) {
      onOver(timedOut);
    } else if (usage && cpuMs() > limits.cpuMs) {
      onOver(limitError("cpu", limits.cpuMs, cpuMs()));
    } else if (writable.length > 0 && !isLooking && isTimeToLook(usage)) {
      isLooking = true;
      writtenAtLook = usage?.writtenBytes ?? 0;
      void look();
    }
  }

  function isTimeToLook(usage: Usage | undefined): boolean {
    if (usage?.writtenBytes !== undefined) return usage.writtenBytes - writtenAtLook > LOOK_AGAIN_BYTES;
    return performance.now() - lookedAt > LOOK_AGAIN_MS;
  }

  async function look(): Promise<void> {
    const bytes = await diskUsage(writable);
    lookedAt = performance.now();
    isLooking = false;
    if (bytes > limits.diskBytes) onOver(limitError("disk", limits.diskBytes, bytes));
  }

  const timer = setInterval(check, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    used() {
      sample();
      return last ? { cpuMs: cpuMs(), memoryBytes: peakBytes } : {};
    },
    stop: () => clearInterval(timer),
  };
}
