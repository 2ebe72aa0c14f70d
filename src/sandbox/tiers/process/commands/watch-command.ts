import type { CommandLimits, CommandStop } from "../../../machine/commands.ts";
import { watchDisk } from "../../../machine/disk-watch.ts";
import { createHeldLook, type Held } from "./held-look.ts";
import { exactMemoryOf, memoryOf, readTree, storedBy, writtenBy } from "./process-tree.ts";

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
  onOver(stop: CommandStop): void;
};

/** Looks again and again what all processes of a command use together: the kernel's own limits are of each alone. */
export function watchCommand({ inner, limits, dirs, onOver }: WatchedCommand): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let pids: readonly number[] = [];
  const written = new Map<number, number>();
  let writtenBytes = 0;
  /** In files that have names, by the last look. */
  let namedBytes = 0;
  const lookAtHeld = createHeldLook();
  const disk =
    dirs.length === 0
      ? undefined
      : watchDisk({
          dirs,
          maxBytes: limits.diskBytes,
          setStopped(isStopped) {
            for (const pid of pids) signal(pid, isStopped ? "SIGSTOP" : "SIGCONT");
          },
          onLook({ bytes, unmeasured }) {
            namedBytes = bytes;
            if (bytes > limits.diskBytes || unmeasured !== undefined) tell("disk");
          },
        });

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
    else if (disk && hidesTooMuch(held)) tell("disk");
    else if (disk) noteWritten();
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
