import { isRunning, startOf, toMachine } from "../../store/process-start.ts";
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
