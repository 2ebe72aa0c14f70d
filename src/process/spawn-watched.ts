import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { withPipes } from "./open-files.ts";
import { canWatch, noteEnded, noteStarted, registered } from "./watchdog.ts";

export type WatchedOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stderr?: "pipe" | "ignore";
  /** Shell to run before; it may `shift` arguments of its own off the front. Only where there is a watchdog. */
  readonly setup?: string;
  /** What it finds at descriptor 4 and those after it; 3 is the watchdog's. */
  readonly handed?: readonly (IOType | number)[];
  /** As whom it runs, where we are root. */
  readonly user?: { readonly uid: number; readonly gid: number };
};

/**
 * Starts a process in a group of its own, with pipes for its input and output. The group ends when we do, however that
 * happens, and what the process started and left behind ends with it. Throws when too many files are open to start one; any other failure is the child's `error`.
 */
export function spawnWatched(
  command: string,
  args: readonly string[],
  { env, cwd, stderr = "pipe", setup, handed = [], user }: WatchedOptions,
): ChildProcess {
  if (!canWatch)
    return withPipes(
      spawn(command, [...args], { stdio: ["pipe", "pipe", stderr], env, cwd, windowsHide: true }),
    );
  const watched = registered(command, args, setup);
  const child = withPipes(
    spawn(watched.command, watched.args, {
      stdio: ["pipe", "pipe", stderr, watched.pipe, ...handed],
      env,
      cwd,
      ...user,
      detached: true,
    }),
  );
  const { pid } = child;
  if (pid === undefined) return child;
  noteStarted(pid);
  child.once("exit", () => {
    kill(-pid, "SIGKILL");
    noteEnded(pid);
  });
  return child;
}

/** To the process and all that it started. Once it has ended the number may be somebody else's. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (canWatch) kill(-child.pid, signal);
  else child.kill(signal);
}

function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(group, signal);
  } catch {
    // It is gone already.
  }
}
