import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "./error-code.ts";

/** Where a process's number means something: the machine since its start, and the container. */
export function toMachine(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** When a process started, in the system's own count. Undefined where there is no such process, or no way to ask. */
export function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets can have anything in it; the start is field 22, the 20th after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return !hasCode(error, "ESRCH");
  }
}
