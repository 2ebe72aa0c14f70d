import { readFileSync } from "node:fs";
import type { Usage } from "../../machine/guest-process.ts";

/** The kernel counts CPU time for user space in hundredths of a second on every platform Linux has. */
const MS_PER_TICK = 10;
const KIB = 1024;

/** What a process has used, by Linux's own count: memory that is its own, not the binary's pages. */
export function readProcUsage(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name stands in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const own = kilobytes(status, "RssAnon") + kilobytes(status, "RssShmem");
    const writtenBytes = readWritten(pid);
    return {
      cpuMs: ticks * MS_PER_TICK,
      memoryBytes: own * KIB,
      ...(writtenBytes === undefined ? {} : { writtenBytes }),
    };
  } catch {
    return undefined;
  }
}

/** How long the program's thread was ready to run and did not. */
export function readCpuWaitMs(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ");
    return Number(waitedNs) / 1e6 || 0;
  } catch {
    return 0;
  }
}

/** The one child of a process: what bubblewrap's monitor has started. */
export function childOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    return children === "" ? undefined : Number(children.split(" ")[0]);
  } catch {
    return undefined;
  }
}

function kilobytes(status: string, field: string): number {
  const start = status.indexOf(`${field}:`);
  return start === -1 ? 0 : Number.parseInt(status.slice(start + field.length + 1), 10);
}

function readWritten(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/io`, "latin1");
    return Number(/^wchar: (\d+)/m.exec(text)?.[1]);
  } catch {
    return undefined;
  }
}
