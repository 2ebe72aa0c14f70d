import type { Pulse } from "../host/pulse.ts";
import type { RunClock } from "../host/run-clock.ts";
import { type Limits, limitError } from "../limits.ts";
import type { Folder, RunError } from "../sandbox.ts";
import { toDiskError } from "./folder-state.ts";
import type { GuestProcess, Usage } from "./guest-process.ts";
import { type Survey, surveyFolders } from "./survey.ts";

const SAMPLE_EVERY_MS = 20;
/** Looking through folders costs more than reading counters: it is done when this much has been written since. */
const LOOK_AGAIN_BYTES = 4 * 1024 * 1024;
/** And after this time: a small file is written with few bytes, an empty one with none. */
const LOOK_AGAIN_MS = 500;
/** What takes long is done seldom: the host has other things to do. */
const PAUSE_BY_BYTES = 1;
const PAUSE_BY_TIME = 20;
/** So often something may be gone when it is its turn before that is taken for a trick. */
const MAX_MISSED_LOOKS = 3;
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
  /** Those that are writable count against the disk limit. */
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
  const dirs = folders.filter((folder) => folder.access === "write").map((folder) => folder.dir);
  let last = first;
  let peakBytes = first?.memoryBytes ?? 0;
  let writtenAtLook = first?.writtenBytes ?? 0;
  let lookedAt = performance.now();
  let lookMs = 0;
  let missedLooks = 0;
  /** By the last look; nothing before the first. */
  let seenBytes = 0;
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
    const timedOut = clock.check(first ? cpuMs() : pulse.busyMs(), guest.cpuWaitMs);
    if (usage && usage.memoryBytes > limits.memoryBytes) {
      onOver(limitError("memory", limits.memoryBytes, usage.memoryBytes));
    } else if (timedOut) {
      onOver(timedOut);
    } else if (usage && cpuMs() > limits.cpuMs) {
      onOver(limitError("cpu", limits.cpuMs, cpuMs()));
    } else if (dirs.length > 0 && !isLooking && isTimeToLook(usage)) {
      isLooking = true;
      writtenAtLook = usage?.writtenBytes ?? 0;
      void look();
    }
  }

  function isTimeToLook(usage: Usage | undefined): boolean {
    const since = performance.now() - lookedAt;
    if (since > Math.max(LOOK_AGAIN_MS, lookMs * PAUSE_BY_TIME)) return true;
    const written = (usage?.writtenBytes ?? 0) - writtenAtLook;
    return written > LOOK_AGAIN_BYTES && since > lookMs * PAUSE_BY_BYTES;
  }

  async function look(): Promise<void> {
    const startedAt = performance.now();
    const survey = await surveyWhileStill();
    seenBytes = survey.bytes;
    lookedAt = performance.now();
    lookMs = lookedAt - startedAt;
    isLooking = false;
    missedLooks = survey.hasMissed ? missedLooks + 1 : 0;
    const writtenBytes = (last?.writtenBytes ?? 0) - (first?.writtenBytes ?? 0);
    // Who renames folders all the time hides what is in them.
    const hides = missedLooks >= MAX_MISSED_LOOKS && writtenBytes > limits.diskBytes;
    const over =
      toDiskError(survey, limits) ?? (hides ? limitError("disk", limits.diskBytes, writtenBytes) : undefined);
    if (over) onOver(over);
  }

  /**
   * Who may be over the limit by what it has written is stopped while it is looked at: it could move what it wrote from where
   * nobody has looked yet to where somebody has.
   */
  async function surveyWhileStill(): Promise<Survey> {
    const written = (last?.writtenBytes ?? 0) - (first?.writtenBytes ?? 0);
    const mayBeOver = seenBytes + written > limits.diskBytes;
    if (mayBeOver) guest.setStopped(true);
    try {
      return await surveyFolders(dirs, limits.diskBytes);
    } finally {
      if (mayBeOver) guest.setStopped(false);
    }
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
