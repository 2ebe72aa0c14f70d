import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { errorMessage } from "../../../errors.ts";
import { isOutOfFiles, outOfFiles } from "../../../process/open-files.ts";
import { signalGroup, spawnWatched } from "../../../process/spawn-watched.ts";
import { canWatch } from "../../../process/watchdog.ts";
import type { Limits } from "../../limits.ts";
import { lowerPriority } from "../../machine/low-priority.ts";
import type { MachineEnd, MachineProcess } from "../../machine/machine.ts";
import { onlyChildOf, openProc, type ProcReader } from "../../machine/proc-usage.ts";
import type { Folder } from "../../sandbox.ts";
import type { Cgroup } from "./cgroup.ts";
import { type UsageWatch, watchUsage } from "./usage-watch.ts";

/** What Deno reserves before a program has run; the memory limit comes on top. Below it, Deno does not start. */
const RUNTIME_DATA_BYTES = 768 * 1024 * 1024;
const MAX_STDERR = 4096;

/**
 * Sets the limits, and that what programs write is the user's alone. Each `ulimit` is a command of its own: in one, dash keeps
 * only the last. A limit that cannot be set (a lower one is set already) is left as it is. Where memory runs out, the
 * kernel is told to end programs, and not whoever started them.
 */
const SET_LIMITS = `
data=$1 files=$2 cpu=$3; shift 3
umask 077
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0; ulimit -n 256; ulimit -d "$data"; ulimit -f "$files"; ulimit -t "$cpu"`;

/** Below are the three that every process has, and the watchdog's. */
export const FIRST_HANDED_FD = 4;

export type LaunchOptions = {
  readonly command: readonly string[];
  readonly limits: Limits;
  readonly cgroup: Cgroup | undefined;
  /** What it finds at descriptor `FIRST_HANDED_FD` and those after it: bytes to read, or an open file. */
  readonly handed: readonly (Buffer | string)[];
  /** Whether the process that matters is the child of the one we start. */
  readonly isWrapped: boolean;
  /** Where they lie here, and where the process finds them. */
  readonly folders: readonly Folder[];
  readonly inside: readonly Folder[];
  /** Whether no other program runs: then there is nobody to leave the CPU to. */
  readonly isAlone: () => boolean;
};

/** The process has the group, which goes with it: when it ends, or when it can't be started at all. */
export function launch(options: LaunchOptions): MachineProcess {
  const { command, limits, cgroup, handed, isWrapped, folders, inside, isAlone } = options;
  const child = start(command, limits, handed, cgroup);
  const pid = child.pid;
  const [input, output, errors] = [child.stdin, child.stdout, child.stderr];
  if (!input || !output || !errors) throw new TypeError("A child with pipes has none");
  for (const [at, content] of handed.entries()) {
    const pipe = child.stdio[FIRST_HANDED_FD + at];
    if (typeof content !== "string" && pipe && "end" in pipe) pipe.on("error", () => {}).end(content);
  }
  // A process that is gone cannot read any more; its end tells the rest.
  input.on("error", () => {});
  output.on("error", () => {});
  errors.on("error", () => {});
  let stderr = "";
  errors.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR);
  });
  let measured = isWrapped ? undefined : pid;
  let proc: ProcReader | undefined;
  let watch: UsageWatch | undefined;
  let yields = false;
  let lowered: number | undefined;
  let isLowering = false;
  let hasEnded = false;

  /** Of the process that the program is in. */
  function findProc(): ProcReader | undefined {
    if (process.platform !== "linux" || pid === undefined || hasEnded) return undefined;
    measured ??= onlyChildOf(pid);
    if (measured !== undefined) proc ??= openProc(measured);
    return proc;
  }

  function end(): void {
    watch?.stop();
    proc?.close();
    proc = undefined;
    measured = undefined;
    hasEnded = true;
    void cgroup?.remove();
  }

  const ended = new Promise<MachineEnd>((resolve) => {
    child.once("error", (error) => {
      end();
      resolve({ code: null, signal: null, stderr: error.message });
    });
    child.once("close", (code, signal) => {
      const oomKills = cgroup?.oomKills();
      end();
      resolve({ ...toEnd(code, signal, isWrapped), stderr, ...(oomKills === undefined ? {} : { oomKills }) });
    });
  });

  // Where the group cannot be entered the process must not run a program: it is ended, or gone already.
  const prepared =
    pid === undefined || !cgroup
      ? Promise.resolve()
      : cgroup.enter(pid).catch((error: unknown) => {
          stderr = errorMessage(error);
          signalGroup(child, "SIGKILL");
        });

  /** What is started later inherits a part of it only: bubblewrap opens a session of its own. */
  async function lower(): Promise<void> {
    const target = measured ?? pid;
    if (isLowering || isAlone() || target === undefined || target === lowered) return;
    isLowering = true;
    cgroup?.yieldCpu();
    if (await lowerPriority(target)) lowered = target;
    isLowering = false;
  }

  function setStopped(isStopped: boolean): void {
    try {
      if (measured !== undefined) process.kill(measured, isStopped ? "SIGSTOP" : "SIGCONT");
    } catch {
      // It is gone.
    }
  }

  return {
    input,
    output,
    prepared,
    ended,
    folders: inside,
    watch(spec, onUsage) {
      const dirs = folders.filter(({ name }) => spec.disk?.folders.includes(name)).map(({ dir }) => dir);
      watch = watchUsage({ spec, dirs, proc: findProc, setStopped }, (usage) => {
        onUsage(usage);
        if (yields) void lower();
      });
    },
    yieldCpu() {
      yields = true;
      void lower();
    },
    kill() {
      watch?.stop();
      watch?.tell();
      signalGroup(child, "SIGKILL");
    },
  };
}

function start(
  command: readonly string[],
  limits: Limits,
  handed: LaunchOptions["handed"],
  cgroup: Cgroup | undefined,
): ChildProcess {
  try {
    return canWatch ? startLimited(command, limits, handed) : startBare(command);
  } catch (error) {
    void cgroup?.remove();
    throw isOutOfFiles(error) ? outOfFiles("start a sandbox", error) : error;
  }
}

function startLimited(
  command: readonly string[],
  limits: Limits,
  handed: LaunchOptions["handed"],
): ChildProcess {
  const dataKib = Math.ceil((limits.memoryBytes + RUNTIME_DATA_BYTES) / 1024);
  const fileBlocks = Math.ceil(limits.diskBytes / 512);
  const cpuSeconds = Math.ceil(limits.cpuMs / 1000) + 2;
  const extra = handed.map((one) => (typeof one === "string" ? openSync(one, "r") : "pipe"));
  try {
    return spawnWatched(String(dataKib), [String(fileBlocks), String(cpuSeconds), ...command], {
      setup: SET_LIMITS,
      handed: extra,
      cwd: "/",
      env: { DENO_DIR: "/dev/null/x", NO_COLOR: "1", PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
  } finally {
    for (const one of extra) if (typeof one === "number") closeSync(one);
  }
}

function startBare([command = "", ...args]: readonly string[]): ChildProcess {
  const env = { DENO_DIR: "NUL\\x", NO_COLOR: "1", SystemRoot: process.env["SystemRoot"] };
  return spawnWatched(command, args, { env });
}

/** Bubblewrap hands a signal on as an exit code, as shells do. */
function toEnd(code: number | null, signal: NodeJS.Signals | null, isWrapped: boolean) {
  if (!isWrapped || code === null || code <= 128) return { code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name !== undefined && isSignal(name) ? { code: null, signal: name } : { code, signal };
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}
