import type { CommandLimits, CommandStop } from "../../../machine/commands.ts";
import { type DiskWatch, type WatchedDisk, watchDisk } from "../../../machine/disk-watch.ts";
import { createHeldLook, type Held } from "./held-look.ts";
import { exactMemoryOf, memoryOf, readTree, storedBy, writtenBy } from "./process-tree.ts";

/** Of `/tmp`, where each file counts as a block at least. */
const SCRATCH_BYTES = 64 * 1024 * 1024;
/** It is soon looked through, and empty files are soon made. */
const SCRATCH_PAUSE = 2;
const LEAST_MS = 10;
const MOST_MS = 30;
/** Memory that is filled as fast as the kernel gives it grows by some four megabytes a millisecond. */
const FASTEST_BYTES_A_MS = 4 * 1024 * 1024;

export type WatchedCommand = {
  /** The first process inside. */
  readonly inner: number;
  readonly limits: CommandLimits;
  /** What is measured, if it can be written to. */
  readonly dirs: readonly string[];
  /** What it has as `/tmp`, where it can be written to. */
  readonly scratch: string | undefined;
  onOver(stop: CommandStop): void;
};

type Watched = Pick<WatchedDisk, "dirs" | "maxBytes" | "pause"> & { onBytes?(bytes: number): void };

/** Looks again and again what all processes of a command use together: the kernel's own limits are of each alone. */
export function watchCommand({ inner, limits, dirs, scratch, onOver }: WatchedCommand): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let pids: readonly number[] = [];
  const written = new Map<number, number>();
  let writtenBytes = 0;
  /** In files that have names, by the last look. */
  let namedBytes = 0;
  /** As many looks want it to stand still. */
  let stops = 0;
  const lookAtHeld = createHeldLook();
  const disk = watch({
    dirs,
    maxBytes: limits.diskBytes,
    onBytes: (bytes) => {
      namedBytes = bytes;
    },
  });
  const scratchDisk = watch({
    dirs: scratch === undefined ? [] : [scratch],
    maxBytes: Math.min(SCRATCH_BYTES, limits.diskBytes),
    pause: SCRATCH_PAUSE,
  });

  function watch({ onBytes, ...watched }: Watched): DiskWatch | undefined {
    if (watched.dirs.length === 0) return undefined;
    return watchDisk({
      ...watched,
      setStopped(isStopped) {
        stops += isStopped ? 1 : -1;
        for (const pid of pids) signal(pid, stops > 0 ? "SIGSTOP" : "SIGCONT");
      },
      onLook({ bytes, unmeasured }) {
        onBytes?.(bytes);
        if (bytes > watched.maxBytes || unmeasured !== undefined) tell("disk");
      },
    });
  }

  function tell(stop: CommandStop): void {
    if (isOver) return;
    end();
    onOver(stop);
  }

  function end(): void {
    isOver = true;
    clearTimeout(timer);
  }

  function noteWritten(): void {
    for (const pid of pids) {
      const bytes = writtenBy(pid);
      writtenBytes += Math.max(0, bytes - (written.get(pid) ?? 0));
      written.set(pid, bytes);
    }
    disk?.note(writtenBytes);
    scratchDisk?.note(writtenBytes);
  }

  function isOverExactly(memory: number, socketBytes: number): boolean {
    const exact = exactMemoryOf(pids);
    return (exact === undefined ? memory : exact + socketBytes) > limits.memoryBytes;
  }

  /** A file without a name lies on the disk as long as it is open or mapped, and is not found where names are looked through. */
  function hidesTooMuch({ namelessBytes, mapsNameless }: Held): boolean {
    if (namedBytes + namelessBytes > limits.diskBytes) return true;
    return mapsNameless && storedBy(pids) - namedBytes > limits.diskBytes;
  }

  function look(): void {
    pids = readTree(inner, limits.processes);
    // First, and before anything is looked at: they become more meanwhile.
    if (pids.length > limits.processes) {
      tell("processes");
      return;
    }
    const held = lookAtHeld(pids);
    const memory = memoryOf(pids) + held.socketBytes;
    if (memory > limits.memoryBytes && isOverExactly(memory, held.socketBytes)) tell("memory");
    else if (scratch !== undefined && hidesTooMuch(held)) tell("disk");
    else noteWritten();
    if (isOver) return;
    const leftMs = (limits.memoryBytes - memory) / FASTEST_BYTES_A_MS;
    timer = setTimeout(look, Math.min(MOST_MS, Math.max(LEAST_MS, leftMs)));
    timer.unref();
  }

  look();
  return end;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
