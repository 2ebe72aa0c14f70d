import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, statSync } from "node:fs";

/** To look at each descriptor of many processes takes a while: it is done when this many times as long has passed. */
const PAUSE = 4;
/** At first, too: a command that starts more and more processes is ended before. */
const LEAST_PAUSE_MS = 100;
const USUAL_SOCKET_BYTES = 212_992;

/** What processes hold by descriptors, where neither their memory nor a folder shows it. */
export type Held = {
  /** Files that have no name any more. */
  readonly namelessBytes: number;
  /** Whether there may be some that are only mapped any more: how large they are nobody is told. */
  readonly mapsNameless: boolean;
  /** As much as their pairs of sockets can hold. */
  readonly socketBytes: number;
};

/** Looks again, or tells what the last look has found. */
export function createHeldLook(): (pids: readonly number[]) => Held {
  const eachSocket = socketBytes();
  let held: Held = { namelessBytes: 0, mapsNameless: false, socketBytes: 0 };
  let nextAt = performance.now() + LEAST_PAUSE_MS;
  return (pids) => {
    const startedAt = performance.now();
    if (startedAt < nextAt) return held;
    held = look(pids, eachSocket);
    const endedAt = performance.now();
    nextAt = endedAt + Math.max(LEAST_PAUSE_MS, (endedAt - startedAt) * PAUSE);
    return held;
  };
}

function look(pids: readonly number[], eachSocket: number): Held {
  const sockets = new Set<string>();
  const files = new Map<string, number>();
  for (const pid of pids)
    for (const path of descriptorsOf(pid)) {
      const target = attempt(() => readlinkSync(path)) ?? "";
      if (target.startsWith("socket:")) sockets.add(target);
      else if (target.endsWith(" (deleted)")) {
        const stats = attempt(() => statSync(path));
        if (stats?.isFile() && stats.nlink === 0)
          files.set(`${stats.dev} ${stats.ino}`, Math.max(stats.size, stats.blocks * 512));
      }
    }
  const namelessBytes = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { namelessBytes, mapsNameless: pids.some(mapsNameless), socketBytes: sockets.size * eachSocket };
}

/** One that has more mappings than are looked at hides something. */
function mapsNameless(pid: number): boolean {
  const file = attempt(() => openSync(`/proc/${pid}/maps`, "r"));
  if (file === undefined) return false;
  try {
    let text = "";
    for (let read = -1; read !== 0; text += maps.toString("latin1", 0, read)) {
      if (text.length > maps.length) return true;
      read = attempt(() => readSync(file, maps)) ?? 0;
    }
    return / \/.* \(deleted\)$/m.test(text);
  } finally {
    closeSync(file);
  }
}

/** Those of a command with many libraries take a tenth of it. */
const maps = Buffer.alloc(128 * 1024);

function descriptorsOf(pid: number): string[] {
  const open = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return [...open.map((number) => `/proc/${pid}/fd/${number}`), `/proc/${pid}/exe`];
}

/** What may wait in one, and the piece that is taken when there is still a little room. */
function socketBytes(): number {
  const text = attempt(() => readFileSync("/proc/sys/net/core/wmem_default", "latin1"));
  return (Number(text) || USUAL_SOCKET_BYTES) * 1.5;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
