import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { withPipes } from "./open-files.ts";

/**
 * Children must not outlive us, not even when we are killed with SIGKILL and can run no code any more. So one small
 * shell waits on a pipe whose other end we hold: when we are gone, however it happened, it reads end-of-file and ends
 * every process group on its list, then removes the cgroups and folders that were made for them. Children enter themselves on the list before they become the server's program
 * (see `registered`), so there is no moment in which one runs unlisted.
 */
const WATCH = `
trap '' INT TERM HUP
groups=""
dirs=""
trees=""
leave() { [ -z "$trees" ] || { chmod -R u+rwx $trees; rm -rf $trees; } 2>/dev/null
 for again in 1 2 3 4 5 6 7 8 9 10; do
  rest=""; for d in $dirs; do rmdir "$d"/* "$d" 2>/dev/null; [ -d "$d" ] && rest="$rest $d"; done; dirs=$rest
  [ -z "$dirs" ] && exit 0
  sleep 0.1
done; exit 0; }
while read -r line; do
  case $line in
    +*) groups="$groups \${line#+}" ;;
    /*) dirs="$dirs $line" ;;
    =*) trees="$trees \${line#=}" ;;
    -*) rest=""; for g in $groups; do [ "$g" = "\${line#-}" ] || rest="$rest $g"; done; groups=$rest ;;
  esac
done
for g in $groups; do kill -s TERM -- "-$g" 2>/dev/null; done
for wait in 1 2 3 4 5; do
  rest=""; for g in $groups; do kill -s 0 -- "-$g" 2>/dev/null && rest="$rest $g"; done; groups=$rest
  [ -z "$groups" ] && leave
  sleep 0.2
done
for g in $groups; do kill -s KILL -- "-$g" 2>/dev/null; done
leave
`;

/** Lists its own process group with the watchdog on descriptor 3. */
const REGISTER = 'echo "+$$" >&3 && exec 3>&- || exit 97';
const EXEC = 'exec "$@"';
const REGISTER_AND_EXEC = `${REGISTER}\n${EXEC}`;

/** Whether this platform has what the watchdog needs. Elsewhere a killed host leaves only the closing of stdin. */
export const canWatch = process.platform !== "win32";

let current: { process: ChildProcess; pipe: Writable } | undefined;
const listed = new Set<number>();
const listedDirs = new Set<string>();
let replacements = 5;

/**
 * The command line that runs `command` as a watched process group, and the pipe to hand it as descriptor 3. `setup` is
 * shell to run before; it may `shift` arguments of its own off the front.
 */
export function registered(
  command: string,
  args: readonly string[],
  setup?: string,
): { command: string; args: string[]; pipe: Writable } {
  const script = setup === undefined ? REGISTER_AND_EXEC : `${REGISTER}\n${setup}\n${EXEC}`;
  return {
    command: "/bin/sh",
    args: ["-c", script, "sh", command, ...args],
    pipe: watchdogPipe(),
  };
}

/** Remembers a group that registered itself, so that a new watchdog would learn of it too. */
export function noteStarted(pid: number): void {
  listed.add(pid);
}

/** Takes a group off the list once nothing of it is left: its number may soon belong to somebody else. */
export function noteEnded(pid: number): void {
  if (listed.delete(pid)) current?.pipe.write(`-${pid}\n`);
}

/** Has an empty folder with empty folders in it removed when we are gone: a cgroup, which no exit handler may get to. */
export function removeWhenGone(dir: string): void {
  listDir(dir, dir);
}

/** The same for a folder with all that is in it. */
export function removeAllWhenGone(dir: string): void {
  listDir(dir, `=${dir}`);
}

function listDir(dir: string, line: string): void {
  // The list is a shell's list of words.
  if (!canWatch || /[\s*?[]/.test(dir)) return;
  listedDirs.add(line);
  watchdogPipe().write(`${line}\n`);
}

/** Really tries it: whether a child ends when the pipe to its watchdog does. */
export async function probeWatchdog(): Promise<boolean> {
  if (!canWatch) return false;
  const watchdog = withPipes(
    spawn("/bin/sh", ["-c", WATCH], { stdio: ["pipe", "ignore", "ignore"], detached: true }),
  );
  const child = spawn("/bin/sh", ["-c", REGISTER_AND_EXEC, "sh", "sleep", "5"], {
    stdio: ["ignore", "ignore", "ignore", watchdog.stdin],
    detached: true,
  });
  const ended = new Promise<boolean>((resolve) => {
    for (const process of [watchdog, child]) process.once("error", () => resolve(false));
    child.once("exit", (_code, signal) => resolve(signal !== null));
  });
  // Closed as our death would close it: `end` would shut down the child's copy of the pipe as well.
  watchdog.stdin.destroy();
  return ended;
}

function watchdogPipe(): Writable {
  if (current) return current.pipe;
  const watchdog = withPipes(
    spawn("/bin/sh", ["-c", WATCH], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} }),
  );
  const pipe = watchdog.stdin;
  const started = { process: watchdog, pipe };
  const forget = () => {
    if (current !== started) return;
    current = undefined;
    // Somebody ended the watchdog while it had a duty: post another one, but don't fight over it for ever.
    if (listed.size > 0 && --replacements >= 0) replace();
  };
  watchdog.on("exit", forget);
  watchdog.on("error", forget);
  pipe.on("error", forget);
  // It must not keep us alive: our end is what it waits for.
  watchdog.unref();
  if ("unref" in pipe && typeof pipe.unref === "function") pipe.unref();
  current = started;
  for (const pid of listed) pipe.write(`+${pid}\n`);
  for (const line of listedDirs) pipe.write(`${line}\n`);
  return pipe;
}

/** Where none can be started now, whoever starts the next process posts it. */
function replace(): void {
  try {
    watchdogPipe();
  } catch {}
}
