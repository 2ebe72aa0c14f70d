import { once } from "node:events";
import { KeyholeError } from "../../../../errors.ts";
import { signalGroup } from "../../../../process/spawn-watched.ts";
import { type Limits, SANDBOX_LIMITS } from "../../../limits.ts";
import type { CommandEnd, CommandMachine, CommandSpec, CommandStop } from "../../../machine/commands.ts";
import type { Affinity } from "../affinity.ts";
import { canRun } from "../can-run.ts";
import type { Cgroups } from "../cgroup.ts";
import { commandSeccompFilter } from "../seccomp.ts";
import { commandWalls } from "./command-walls.ts";
import { keepOutput } from "./kept-output.ts";
import { canLimitProcesses, limitProcesses } from "./process-limit.ts";
import { createScratch } from "./scratch.ts";
import { startWalled } from "./start-walled.ts";
import { findSystemCommand } from "./system-commands.ts";
import { watchCommand } from "./watch-command.ts";

const HOW_TO =
  "Install bubblewrap 0.8 or later (on Debian: apt install bubblewrap), and allow unprivileged user namespaces";

/** Whoever only looks now and then comes too late: processes that start others double within milliseconds. */
const UNCOUNTED =
  "nothing here keeps a command from starting processes without end. Run Keyhole as another user than root (Linux 5.14 or later, with prlimit of util-linux), or where it can make cgroups that count processes (pids)";

export type ProcessCommandsOptions = {
  /** Whether the machine uses bubblewrap at all. */
  readonly usesBubblewrap: boolean;
  readonly cgroups: Cgroups | undefined;
  readonly affinity: Affinity | undefined;
};

export type ProcessCommands = CommandMachine & { close(): Promise<void> };

/** Commands in bubblewrap, or none: without it nothing would be between them and the host. */
export function createProcessCommands(options: ProcessCommandsOptions): ProcessCommands {
  const scratch = createScratch();
  const seccomp = commandSeccompFilter({ isFull: false });
  const seccompWhenFull = commandSeccompFilter({ isFull: true });
  let known: { missing: string | undefined } | undefined;

  function missing(): string | undefined {
    known ??= { missing: findMissing(options, seccomp) };
    return known.missing;
  }

  return {
    missing,
    async run(spec, signal) {
      const why = missing();
      const filter = spec.isFull ? seccompWhenFull : seccomp;
      if (why !== undefined || filter === undefined) throw new KeyholeError("denied", why ?? "");
      const tmp = scratch.create();
      try {
        return await runCommand(spec, signal, filter, tmp, options);
      } finally {
        await scratch.remove(tmp);
      }
    },
    close: scratch.close,
  };
}

function findMissing(
  { usesBubblewrap, cgroups }: ProcessCommandsOptions,
  seccomp: Buffer | undefined,
): string | undefined {
  if (process.platform !== "linux") return "commands are walled in by bubblewrap, which is Linux's";
  if (!usesBubblewrap) return `there is no bubblewrap here to wall it in. ${HOW_TO}`;
  if (seccomp === undefined) return `system calls can't be filtered on ${process.arch}`;
  const trial = findSystemCommand("true");
  const folder = { name: "workspace", dir: "/usr/share", access: "read" } as const;
  const [bwrap = "", ...args] = commandWalls({ folder, cwd: "", commands: trial ? [trial] : [] });
  if (!trial || !canRun(bwrap, [...args, trial.path]))
    return `bubblewrap can't wall in commands here. ${HOW_TO}`;
  if (!countsProcesses(cgroups) && !canLimitProcesses()) return UNCOUNTED;
  return undefined;
}

async function runCommand(
  spec: CommandSpec,
  signal: AbortSignal,
  seccomp: Buffer,
  scratch: string,
  { cgroups, affinity }: ProcessCommandsOptions,
): Promise<CommandEnd> {
  const { command, args, needs, input, folder, cwd, isFull, limits } = spec;
  const found = findSystemCommand(command);
  if (found === undefined)
    throw new KeyholeError("tool_failed", `There is no command "${command}" in the system's folders here`, {
      hint: "Do without it, or tell the user to install it",
    });
  const others = needs.filter((name) => name !== command).flatMap((name) => findSystemCommand(name) ?? []);
  if (signal.aborted) throw cancelled(command);
  const cgroup = cgroups?.create(toGroupLimits(limits));
  const walled = start();
  const { child } = walled;
  let stoppedBy: CommandStop | undefined;
  let inner: number | undefined;
  let hasEnded = false;
  let readBytes = 0;

  function start() {
    try {
      const pinned = limits.cores === undefined ? [] : (affinity?.command(limits.cores) ?? []);
      const commands = [found, ...others].filter((one) => one !== undefined);
      const walls = { folder, cwd, commands, scratch };
      return startWalled(
        (at) => [...pinned, ...commandWalls(walls, at), found?.path ?? "", ...args],
        seccomp,
        isFull ? { ...limits, diskBytes: 1 } : limits,
      );
    } catch (error) {
      void cgroup?.remove();
      throw error;
    }
  }

  /** Before the command has begun. */
  async function putUnderLimits(first: number, walls: number | undefined): Promise<void> {
    if (walls !== undefined) await cgroup?.enter(walls);
    await cgroup?.enter(first);
    if (!countsProcesses(cgroups)) await limitProcesses(first, limits.processes);
  }

  /** With the first process inside all others end, and so do the walls. */
  function kill(): void {
    if (hasEnded) return;
    signalGroup(child, "SIGKILL");
    try {
      if (inner !== undefined) process.kill(inner, "SIGKILL");
    } catch {
      // It is gone.
    }
  }

  function stop(by: CommandStop): void {
    stoppedBy ??= by;
    kill();
  }

  function onRead(bytes: number): void {
    readBytes += bytes;
    if (readBytes > limits.outputBytes) stop("output");
  }

  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new TypeError("A child with pipes has none");
  const output = keepOutput(stdout, limits.keptBytes, onRead);
  const errors = keepOutput(stderr, limits.keptBytes, onRead);
  stdin.on("error", () => {}).end(input);
  const ended = once(child, "close").finally(() => {
    hasEnded = true;
  });
  // Whoever waits for it hears of it below.
  ended.catch(() => {});
  signal.addEventListener("abort", kill, { once: true });
  let timer: NodeJS.Timeout | undefined;
  let endWatch = () => {};
  try {
    inner = await walled.inner;
    if (inner !== undefined) {
      await putUnderLimits(inner, child.pid).catch(kill);
      const dirs = folder.access === "write" && !isFull ? [folder.dir] : [];
      endWatch = watchCommand({ inner, limits, dirs, scratch: isFull ? undefined : scratch, onOver: stop });
      timer = setTimeout(() => stop("time"), limits.timeMs);
      walled.go();
    }
    await ended;
    if ((cgroup?.oomKills() ?? 0) > 0) stoppedBy ??= "memory";
  } finally {
    clearTimeout(timer);
    endWatch();
    signal.removeEventListener("abort", kill);
    kill();
    void cgroup?.remove();
  }
  if (signal.aborted) throw cancelled(command);
  const code = walled.exitCode();
  const kept = { stdout: output(), stderr: errors() };
  if (stoppedBy !== undefined) return { code: null, ...kept, stoppedBy };
  if (code !== undefined) return { code, ...kept };
  const words = Buffer.from(kept.stderr.bytes).toString("utf8").slice(0, 500);
  throw new KeyholeError(
    "tool_failed",
    `Cannot start "${command}" in bubblewrap: ${words.trim() || "it ended before"}`,
  );
}

const countsProcesses = (cgroups: Cgroups | undefined) => cgroups?.controllers.includes("pids") === true;

function cancelled(command: string): KeyholeError {
  return new KeyholeError("cancelled", `"${command}" was cancelled`);
}

function toGroupLimits({ memoryBytes, processes, cores }: CommandSpec["limits"]): Limits {
  return { ...SANDBOX_LIMITS, memoryBytes, processes, cores };
}
