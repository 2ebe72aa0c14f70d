import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../../store/error-code.ts";
import { randomId } from "../../text/random-id.ts";

/** A process, told apart from a later one with the same number. */
export type ProcessIdentity = {
  readonly id: string;
  /** Where its number means something: the machine since its start, and the container. */
  readonly machine: string;
  readonly pid: number;
  /** When it started, in the system's own count; empty where that can't be asked. */
  readonly started: string;
};

export const BEAT_MS = 30_000;
/** Of a process that can't be asked for. */
const SILENT_MS = 3 * BEAT_MS;

export function toOwnIdentity(): ProcessIdentity {
  return { id: randomId("p"), machine: toMachine(), pid: process.pid, started: startOf(process.pid) ?? "" };
}

/** Whether a process is gone that was last heard of at this time. */
export function isGone({ machine, pid, started }: ProcessIdentity, seenAt: number, now: number): boolean {
  const isSilent = now - seenAt > SILENT_MS;
  if (machine !== toMachine()) return isSilent;
  if (started !== "") return startOf(pid) !== started;
  return !isRunning(pid) || isSilent;
}

function toMachine(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Undefined where there is no such process, or no way to ask. */
function startOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets can have anything in it; the start is field 22, the 20th after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}
