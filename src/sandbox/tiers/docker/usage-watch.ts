import type { DiskUse, Usage, WatchSpec } from "../../machine/machine.ts";
import type { CgroupReader } from "./cgroup-usage.ts";

/** Memory that is filled as fast as the kernel gives it grows by some four megabytes a millisecond. */
const FASTEST_BYTES_A_MS = 4 * 1024 * 1024;
const LEAST_MS = 10;
const MOST_MS = 50;
/** By the daemon, which asks the kernel and answers in text. */
const DAEMON_MS = 1_000;
/** A look takes processes in the container, whose CPU time counts as the program's: one that waits must not end of it. */
const LOOK_MS = 40;
/** Where less was done since the last look, there is hardly anything new: of CPU at once, and of each millisecond that passed. */
const LITTLE_CPU_MS = 2;
const LITTLE_CPU_SHARE = 0.005;
/** Then the next look comes after this, and after twice as long each time. What a folder can hold is bounded without any. */
const QUIET_MS = 500;
const MOST_QUIET_MS = 30_000;

export type WatchedContainer = {
  readonly spec: WatchSpec;
  /** Nothing where the kernel can't be asked from here. */
  cgroup(): CgroupReader | undefined;
  /** Whether a kernel of its own keeps all of its memory as files that nobody sees. */
  readonly isSentry: boolean;
  askDaemon(): Promise<number | undefined>;
  look(folders: readonly string[], maxBytes: number): Promise<DiskUse | undefined>;
};

export type ContainerWatch = {
  /** Reads and tells it once more, at once. */
  tell(): void;
  stop(): void;
};

/** Tells what a container uses, the oftener the nearer it is to its memory limit. */
export function watchContainer(
  { spec, cgroup, isSentry, askDaemon, look }: WatchedContainer,
  onUsage: (usage: Usage) => void,
): ContainerWatch {
  let isOver = false;
  let disk: DiskUse | undefined;
  const timers = new Set<NodeJS.Timeout>();

  /** Again and again, each time so long after the last one as it says. */
  function repeat(work: () => number | Promise<number>): void {
    const next = async () => {
      // What can't be told now may be later; nobody else would hear of it.
      const delayMs = await Promise.resolve()
        .then(work)
        .catch(() => MOST_MS);
      if (isOver) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void next();
      }, delayMs);
      timer.unref();
      timers.add(timer);
    };
    void next();
  }

  function tell(): number {
    const used = cgroup()?.usage();
    if (!used) return LEAST_MS;
    const inFolders = disk?.bytes ?? 0;
    const memoryBytes = used.anonBytes + (isSentry ? Math.max(0, used.sharedBytes - inFolders) : 0);
    onUsage({ cpuMs: used.cpuMs, memoryBytes, ...(disk ? { disk } : {}) });
    const leftMs = (spec.memoryBytes - memoryBytes) / FASTEST_BYTES_A_MS;
    return Math.min(MOST_MS, Math.max(LEAST_MS, leftMs));
  }

  repeat(tell);
  repeat(async () => {
    const memoryBytes = cgroup() ? undefined : await askDaemon();
    if (memoryBytes !== undefined && !isOver) onUsage({ memoryBytes });
    return DAEMON_MS;
  });
  if (spec.disk) {
    const { folders, maxBytes } = spec.disk;
    const quiet = createQuiet(() => cgroup()?.usage()?.cpuMs);
    repeat(async () => {
      if (quiet.lasts()) return LOOK_MS;
      disk = (await look(folders, maxBytes)) ?? disk;
      quiet.begin();
      if (disk && !isOver) onUsage({ disk });
      return LOOK_MS;
    });
  }
  return {
    tell,
    stop() {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Whether a program has done hardly anything since the last look, as far as the kernel tells what it does. */
function createQuiet(readCpuMs: () => number | undefined) {
  let since: { readonly at: number; readonly cpuMs: number | undefined } | undefined;
  let enoughMs = QUIET_MS;

  return {
    lasts(): boolean {
      const cpuMs = readCpuMs();
      if (since?.cpuMs === undefined || cpuMs === undefined) return false;
      const passedMs = performance.now() - since.at;
      if (cpuMs - since.cpuMs > LITTLE_CPU_MS + LITTLE_CPU_SHARE * passedMs) {
        enoughMs = QUIET_MS;
        return false;
      }
      if (passedMs < enoughMs) return true;
      enoughMs = Math.min(2 * enoughMs, MOST_QUIET_MS);
      return false;
    },
    begin() {
      since = { at: performance.now(), cpuMs: readCpuMs() };
    },
  };
}
