import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const KIB = 1024;

/** A process as the kernel knows it: the start time tells it from a later one with the same id. */
export type Process = { readonly pid: number; readonly startedAt: string };

export type Memory = { readonly rssBytes: number; readonly peakBytes: number };

/** All that came of this process and is still there, itself first. */
export function readTree(pid: number): Process[] {
  const self = readProcess(pid);
  return self === undefined ? [] : [self, ...childrenOf(pid).flatMap(readTree)];
}

export function readProcess(pid: number): Process | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name in the middle may hold anything, brackets included.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  return startedAt === undefined || state === "Z" ? undefined : { pid, startedAt };
}

export function isSame(process: Process): boolean {
  return readProcess(process.pid)?.startedAt === process.startedAt;
}

export function readMemory(pid: number): Memory | undefined {
  const status = read(`/proc/${pid}/status`);
  const field = (name: string) => Number(status?.match(new RegExp(`^${name}:\\s+(\\d+) kB`, "m"))?.[1]) * KIB;
  const [rssBytes, peakBytes] = [field("VmRSS"), field("VmHWM")];
  return Number.isNaN(rssBytes) ? undefined : { rssBytes, peakBytes };
}

/** The kernel's mark of the most memory starts again from what is used now; false where that is not allowed. */
export function resetPeak(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
    return true;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap((task) => {
    const text = read(`/proc/${pid}/task/${task}/children`) ?? "";
    return text.split(" ").filter(Boolean).map(Number);
  });
}

/** What is gone in the meantime is no error. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
