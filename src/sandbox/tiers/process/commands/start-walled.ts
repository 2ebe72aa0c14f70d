import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { KeyholeError } from "../../../../errors.ts";
import { isOutOfFiles, outOfFiles } from "../../../../process/open-files.ts";
import { spawnWatched } from "../../../../process/spawn-watched.ts";
import type { CommandLimits } from "../../../machine/commands.ts";
import { FIRST_HANDED_FD } from "../launch.ts";
import { type Descriptors, USER_FILES } from "./command-walls.ts";
import { COMMAND_PATH } from "./system-commands.ts";

const AT: Descriptors = {
  seccomp: FIRST_HANDED_FD,
  status: FIRST_HANDED_FD + 1,
  block: FIRST_HANDED_FD + 2,
  users: FIRST_HANDED_FD + 3,
  groups: FIRST_HANDED_FD + 4,
};

/**
 * As for programs (`launch.ts`): each `ulimit` is a command of its own, and where memory runs out the kernel ends this and not
 * the host.
 */
const SET_LIMITS = `
data=$1 files=$2 cpu=$3; shift 3
umask 077
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0; ulimit -n 256; ulimit -d "$data"; ulimit -f "$files"; ulimit -t "$cpu"`;

const MAX_STATUS = 4096;

export type WalledProcess = {
  readonly child: ChildProcess;
  /** The first process inside, by its number here. All others end with it. It waits for `go`. */
  readonly inner: Promise<number | undefined>;
  go(): void;
  /** As bubblewrap tells it; nothing when the command was never started. */
  exitCode(): number | undefined;
};

/** Starts bubblewrap, which puts up the walls and then waits. */
export function startWalled(
  toCommand: (at: Descriptors) => readonly string[],
  seccomp: Buffer,
  limits: CommandLimits,
): WalledProcess {
  const child = spawn(toCommand(AT), limits);
  const pipe = (at: number) => child.stdio[at] as Duplex;
  for (const at of Object.values(AT)) pipe(at).on("error", () => {});
  pipe(AT.seccomp).end(seccomp);
  pipe(AT.users).end(USER_FILES.users);
  pipe(AT.groups).end(USER_FILES.groups);
  let status = "";
  pipe(AT.status).on("data", (chunk: Buffer) => {
    status = (status + chunk.toString("latin1")).slice(-MAX_STATUS);
  });
  const read = (key: string) => {
    const [, value] = new RegExp(`"${key}"\\s*:\\s*(\\d+)`).exec(status) ?? [];
    return value === undefined ? undefined : Number(value);
  };

  async function findInner(): Promise<number | undefined> {
    const ended = once(child, "close").catch(() => {});
    while (read("child-pid") === undefined) {
      const more = once(pipe(AT.status), "data").catch(() => {});
      const isOver = await Promise.race([more.then(() => false), ended.then(() => true)]);
      if (isOver) break;
    }
    return read("child-pid");
  }

  return {
    child,
    inner: findInner(),
    go: () => void pipe(AT.block).end("x"),
    exitCode: () => read("exit-code"),
  };
}

function spawn(command: readonly string[], limits: CommandLimits): ChildProcess {
  const dataKib = Math.ceil(limits.memoryBytes / 1024);
  const fileBlocks = Math.ceil(limits.diskBytes / 512);
  const cpuSeconds = Math.ceil((limits.timeMs * Math.max(1, limits.cores ?? 1)) / 1000) + 2;
  try {
    return spawnWatched(String(dataKib), [String(fileBlocks), String(cpuSeconds), ...command], {
      setup: SET_LIMITS,
      handed: Object.values(AT).map(() => "pipe" as const),
      cwd: "/",
      env: { PATH: COMMAND_PATH.join(":") },
    });
  } catch (error) {
    if (isOutOfFiles(error)) throw outOfFiles("start a command", error);
    throw error instanceof KeyholeError
      ? error
      : new KeyholeError("internal", "Cannot start a command", { cause: error });
  }
}
