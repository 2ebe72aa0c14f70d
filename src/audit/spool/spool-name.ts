import { createHash, randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { isRunning, startOf, toMachine } from "../../store/process-start.ts";

/** Of which process a spool is, so that it can be told whether more will come. */
export type SpoolOwner = {
  /** Where the process's number means something, hashed. */
  readonly machine: string;
  readonly pid: number;
  /** When it started, in the system's own count; `0` where that can't be asked. */
  readonly started: string;
};

const EXTENSION = ".jsonl";
const PATTERN = /^([0-9a-z]{9})-([0-9a-f]{12})-(\d{1,10})-(\d{1,20})-([0-9a-f]{12})\.jsonl$/;

/** A process begins a new spool after so long a silence: one that is older is nobody's any more, wherever its process was. */
export const MAX_SILENCE_MS = 12 * 60 * 60 * 1000;
const FORSAKEN_MS = 4 * MAX_SILENCE_MS;

/** Told apart from all others for good; it sorts by its time. */
export function toSpoolName(now: number): string {
  const { machine, pid, started } = toOwner();
  return `${now.toString(36).padStart(9, "0")}-${machine}-${pid}-${started}-${randomBytes(6).toString("hex")}`;
}

export function toSpoolFile(name: string): string {
  return `${name}${EXTENSION}`;
}

/** Nothing for a file that is no spool. */
export function parseSpoolFile(
  file: string,
): { readonly name: string; readonly owner: SpoolOwner } | undefined {
  const [, , machine = "", pid = "", started = ""] = PATTERN.exec(file) ?? [];
  if (machine === "") return undefined;
  return { name: file.slice(0, -EXTENSION.length), owner: { machine, pid: Number(pid), started } };
}

/** Whether nobody writes to it any more: its writer has said so (it is read-only), or is gone. */
export function isFinished({ machine, pid, started }: SpoolOwner, stats: Stats, now: number): boolean {
  if ((stats.mode & 0o200) === 0 || now - stats.mtimeMs > FORSAKEN_MS) return true;
  if (machine !== toOwner().machine) return false;
  return started === "0" ? !isRunning(pid) : startOf(pid) !== started;
}

/** Whether a process of this machine writes to it that is not this one: it takes its own. */
export function isOfAnother({ machine, pid }: SpoolOwner): boolean {
  return machine === toOwner().machine && pid !== process.pid;
}

let own: SpoolOwner | undefined;

function toOwner(): SpoolOwner {
  own ??= {
    machine: createHash("sha256").update(toMachine()).digest("hex").slice(0, 12),
    pid: process.pid,
    started: startOf(process.pid) ?? "0",
  };
  return own;
}
