import { type Limits, limitError } from "../limits.ts";
import { toDiskError } from "../machine/disk-error.ts";
import type { DiskUse, MachineProcess, Usage } from "../machine/machine.ts";
import type { RunError } from "../sandbox.ts";
import type { Pulse } from "./pulse.ts";
import type { RunClock } from "./run-clock.ts";

/** The clocks alone: what is used is told by the machine, at its own pace. */
const CHECK_EVERY_MS = 20;
/** A program that takes more is in nobody's way: others come before it. */
const HEAVY_CPU_MS = 100;

export type Watch = {
  /** What the run has used until now; CPU time counts from the start of the program. */
  used(): { cpuMs?: number; memoryBytes?: number };
  stop(): void;
};

/** What counts against the disk limit: folders by name, and what the host keeps beside them. */
export type CountedDisk = {
  readonly folders: readonly string[];
  readonly keptBytes: number;
  /** It was over the limit before: then what is there at the first look is the limit. */
  readonly mayOnlyShrink?: boolean;
};

/** A folder that is over its limit by more can't be measured, and nothing can be done in it. */
const MOST_OVER = 4;

export type Watched = {
  readonly process: MachineProcess;
  readonly limits: Limits;
  readonly disk: CountedDisk | undefined;
  readonly clock: RunClock;
  readonly pulse: Pulse;
};

/** Holds what the machine tells of a process against the limits that no kernel holds exactly, and says which was passed. */
export function watchLimits(
  { process, limits, disk, clock, pulse }: Watched,
  onOver: (error: RunError) => void,
): Watch {
  let firstCpuMs: number | undefined;
  let cpuMs = 0;
  let cpuWaitMs = 0;
  let peakBytes: number | undefined;
  let first: { readonly bytes: number; readonly entries: number } | undefined;

  function onUsage(usage: Usage): void {
    if (usage.cpuMs !== undefined) {
      firstCpuMs ??= usage.cpuMs;
      cpuMs = Math.max(0, usage.cpuMs - firstCpuMs);
    }
    cpuWaitMs = usage.cpuWaitMs ?? cpuWaitMs;
    if (usage.memoryBytes !== undefined) peakBytes = Math.max(peakBytes ?? 0, usage.memoryBytes);
    const over = toOver(usage);
    if (over) onOver(over);
    else if (cpuMs > HEAVY_CPU_MS) process.yieldCpu();
  }

  function toOver({ memoryBytes = 0, disk: use }: Usage): RunError | undefined {
    if (memoryBytes > limits.memoryBytes) return limitError("memory", limits.memoryBytes, memoryBytes);
    const timedOut = checkClock();
    if (timedOut) return timedOut;
    if (cpuMs > limits.cpuMs) return limitError("cpu", limits.cpuMs, cpuMs);
    return use && disk
      ? toDiskError({ ...use, bytes: use.bytes + disk.keptBytes }, heldDisk(use))
      : undefined;
  }

  function heldDisk({ bytes, entries }: DiskUse): Limits {
    if (!disk?.mayOnlyShrink) return limits;
    first ??= { bytes: bytes + disk.keptBytes, entries };
    return {
      ...limits,
      diskBytes: Math.max(limits.diskBytes, first.bytes),
      diskEntries: Math.max(limits.diskEntries, first.entries),
    };
  }

  function checkClock(): RunError | undefined {
    return clock.check(firstCpuMs === undefined ? pulse.busyMs() : cpuMs, () => cpuWaitMs);
  }

  function tick(): void {
    if (firstCpuMs === undefined) pulse.beat();
    const timedOut = checkClock();
    if (timedOut) onOver(timedOut);
  }

  const timer = setInterval(tick, CHECK_EVERY_MS);
  timer.unref();
  process.watch(
    {
      memoryBytes: limits.memoryBytes,
      ...(disk ? { disk: { folders: disk.folders, maxBytes: toMaxBytes(limits, disk) } } : {}),
    },
    onUsage,
  );
  return {
    used: () => ({
      ...(firstCpuMs === undefined ? {} : { cpuMs }),
      ...(peakBytes === undefined ? {} : { memoryBytes: peakBytes }),
    }),
    stop: () => clearInterval(timer),
  };
}

function toMaxBytes({ diskBytes }: Limits, { keptBytes, mayOnlyShrink }: CountedDisk): number {
  return Math.max(0, (mayOnlyShrink ? MOST_OVER * diskBytes : diskBytes) - keptBytes);
}
