import { execFile } from "node:child_process";
import { canRun } from "../can-run.ts";
import { commandWalls } from "./command-walls.ts";
import { findSystemCommand } from "./system-commands.ts";

/** Sets the kernel's limit for a process and all that it starts. Rejects where it is not set. */
export function limitProcesses(pid: number, processes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const prlimit = findSystemCommand("prlimit")?.path ?? "/usr/bin/prlimit";
    const args = ["--pid", String(pid), `--nproc=${processes}:${processes}`];
    execFile(prlimit, args, { env: {}, timeout: 5_000 }, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Whether the kernel holds to that limit within the walls, tried with a command that starts another. Of root it does not, and
 * kernels before 5.14 count all that the user has running elsewhere as well.
 */
export function canLimitProcesses(): boolean {
  const names = ["prlimit", "timeout", "true"];
  const found = names.flatMap((name) => findSystemCommand(name) ?? []);
  const [prlimit, timeout, inner] = found;
  if (!prlimit || !timeout || !inner) return false;
  const folder = { name: "workspace", dir: "/usr/share", access: "read" } as const;
  const [bwrap = "", ...walls] = commandWalls({ folder, cwd: "", commands: found });
  const startsAnother = (most: number) =>
    canRun(bwrap, [...walls, prlimit.path, `--nproc=${most}:${most}`, timeout.path, "5", inner.path]);
  return startsAnother(ENOUGH) && !startsAnother(1);
}

/** For the walls' own process, the command and the other one. */
const ENOUGH = 8;
