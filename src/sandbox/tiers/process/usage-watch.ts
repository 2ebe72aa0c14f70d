import { watchDisk } from "../../machine/disk-watch.ts";
import type { DiskUse, Usage, WatchSpec } from "../../machine/machine.ts";
import type { ProcReader } from "../../machine/proc-usage.ts";

/** Memory that is filled as fast as the kernel gives it grows by some four megabytes a millisecond. */
const FASTEST_BYTES_A_MS = 4 * 1024 * 1024;
const LEAST_MS = 10;
const MOST_MS = 50;
/** While somebody can write files: those grow fast from the first moment on. */
const MOST_WITH_DISK_MS = 20;

export type UsageWatch = {
  /** Reads and tells it once more, at once. */
  tell(): void;
  stop(): void;
};

export type WatchedProcess = {
  readonly spec: WatchSpec;
  /** The folders of `spec.disk`, where they lie. */
  readonly dirs: readonly string[];
  /** Nothing while it is not known which process it is. */
  proc(): ProcReader | undefined;
  setStopped(isStopped: boolean): void;
};

/** Tells what a process uses, the oftener the nearer it is to its memory limit. */
export function watchUsage(
  { spec, dirs, proc, setStopped }: WatchedProcess,
  onUsage: (usage: Usage) => void,
): UsageWatch {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let disk: DiskUse | undefined;
  const watch =
    spec.disk &&
    watchDisk({
      dirs,
      maxBytes: spec.disk.maxBytes,
      setStopped,
      onLook(use) {
        disk = use;
        if (!isOver) onUsage({ disk: use });
      },
    });
  const mostMs = watch ? MOST_WITH_DISK_MS : MOST_MS;

  function tell(): number {
    const reader = proc();
    const usage = reader?.usage();
    if (!isOver) watch?.note(reader?.writtenBytes());
    if (!usage) return mostMs;
    onUsage(disk ? { ...usage, disk } : usage);
    const leftMs = (spec.memoryBytes - usage.memoryBytes) / FASTEST_BYTES_A_MS;
    return Math.min(mostMs, Math.max(LEAST_MS, leftMs));
  }

  function again(): void {
    const delayMs = tell();
    if (isOver) return;
    timer = setTimeout(again, delayMs);
    timer.unref();
  }

  again();
  return {
    tell,
    stop() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
