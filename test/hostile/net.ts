import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { isSame, type Process, readMemory, readProcess, readTree } from "./process-tree.ts";

const MIB = 1024 * 1024;

/** The net and the judge read /proc. */
export const canHold = process.platform === "linux";

export type NetLimits = {
  /** The process itself. */
  readonly rssBytes: number;
  /** It and all that it started. */
  readonly treeBytes: number;
};

export const NET_LIMITS: NetLimits = { rssBytes: 3072 * MIB, treeBytes: 6144 * MIB };

/** A process that cannot take the machine with it. */
export type Netted = {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Why the net ended it, if it did. */
  fallen(): string | undefined;
  isAlive(): boolean;
  /** The most memory that was seen in the process alone since this was last asked. */
  takePeak(): number;
  /** Ends it and all that came of it, each by its id. Returns how many had to be killed after their time. */
  end(): Promise<number>;
};

/** A suite that is killed leaves no host behind. */
const WITH_US = "setpriv --pdeathsig KILL";
const LOOK_MS = 20;
const LOOKS_PER_TREE = 10;
const END_MS = 4_000;

/**
 * The kernel holds each process to the limit (`ulimit -d`, which children inherit), so that even a watcher that comes late
 * finds a machine; the watcher says by name what was too much.
 */
export function spawnNetted(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  limits: NetLimits = NET_LIMITS,
): Netted {
  const kilobytes = Math.round((limits.rssBytes * 1.25) / 1024);
  const script = `ulimit -d ${kilobytes} && if ${WITH_US} true 2>/dev/null; then exec ${WITH_US} "$@"; else exec "$@"; fi`;
  const child = spawn("/bin/sh", ["-c", script, "sh", command, ...args], { ...options, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${command}`);
  const seen = new Map<string, Process>();
  let reason: string | undefined;
  let peakBytes = 0;
  let looks = 0;

  const watcher = setInterval(() => {
    const rssBytes = readMemory(pid)?.rssBytes ?? 0;
    peakBytes = Math.max(peakBytes, rssBytes);
    if (rssBytes > limits.rssBytes) fall(`the host took ${toMegabytes(rssBytes)} MB`);
    if (looks++ % LOOKS_PER_TREE === 0) lookAtTree();
  }, LOOK_MS);

  function lookAtTree(): void {
    const tree = readTree(pid as number);
    for (const process of tree) seen.set(`${process.pid} ${process.startedAt}`, process);
    const treeBytes = tree.reduce((sum, process) => sum + (readMemory(process.pid)?.rssBytes ?? 0), 0);
    if (treeBytes > limits.treeBytes) fall(`the host and its children took ${toMegabytes(treeBytes)} MB`);
  }

  function fall(why: string): void {
    reason ??= `${why}, and the net ended it`;
    for (const process of readTree(pid as number)) kill(process);
  }

  const left = () => [...seen.values()].filter(isSame);
  const isAlive = () =>
    child.exitCode === null && child.signalCode === null && readProcess(pid) !== undefined;

  return {
    child,
    pid,
    fallen: () => reason,
    isAlive,
    takePeak() {
      const peak = peakBytes;
      peakBytes = readMemory(pid)?.rssBytes ?? 0;
      return peak;
    },
    async end() {
      lookAtTree();
      child.kill("SIGTERM");
      const deadline = Date.now() + END_MS;
      while (left().length > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      clearInterval(watcher);
      const late = left();
      for (const process of late) kill(process);
      return late.length;
    },
  };
}

function kill(process: Process): void {
  try {
    if (isSame(process)) globalThis.process.kill(process.pid, "SIGKILL");
  } catch {
    // It went by itself.
  }
}

export function toMegabytes(bytes: number): number {
  return Math.round(bytes / MIB);
}
