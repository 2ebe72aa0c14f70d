import { readdirSync, readFileSync } from "node:fs";

const KIB = 1024;

/** A process and all that it started, as far as `most`. */
export function readTree(root: number, most: number): number[] {
  const pids = [root];
  for (let at = 0; at < pids.length && pids.length <= most; at++) pids.push(...childrenOf(pids[at] ?? 0));
  return pids;
}

/** What is their own, with the tables of their pages. Pages that several share after a fork are counted for each. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const status = read(`/proc/${pid}/status`);
    const pages = ["RssAnon", "RssShmem", "VmSwap", "VmPTE"].map((field) => kilobytes(status, field));
    return pages.reduce((a, b) => a + b, sum);
  }, 0);
}

/** The same with shared pages counted once: takes longer, since the kernel looks at each page. Nothing where it can't be told. */
export function exactMemoryOf(pids: readonly number[]): number | undefined {
  let sum = 0;
  for (const pid of pids) {
    const text = read(`/proc/${pid}/smaps_rollup`);
    if (text === "") continue;
    sum += kilobytes(text, "Pss_Anon") + kilobytes(text, "Pss_Shmem") + kilobytes(text, "SwapPss");
    sum += kilobytes(read(`/proc/${pid}/status`), "VmPTE");
  }
  return sum === 0 ? undefined : sum;
}

/** Bytes handed to the kernel by `write`. */
export function writtenBy(pid: number): number {
  return Number(/^wchar: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0);
}

/** Bytes of pages that were changed to be written to a disk, without what was thrown away before. With those of ended children. */
export function storedBy(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const text = read(`/proc/${pid}/io`);
    const count = (field: string) => Number(new RegExp(`^${field}: (\\d+)`, "m").exec(text)?.[1] ?? 0);
    return sum + count("write_bytes") - count("cancelled_write_bytes");
  }, 0);
}

/** Each thread has children of its own. */
function childrenOf(pid: number): number[] {
  return list(`/proc/${pid}/task`).flatMap((thread) => {
    const text = read(`/proc/${pid}/task/${thread}/children`).trim();
    return text === "" ? [] : text.split(" ").map(Number);
  });
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function kilobytes(text: string, field: string): number {
  const start = text.indexOf(`${field}:`);
  return start === -1 ? 0 : Number.parseInt(text.slice(start + field.length + 1), 10) * KIB;
}
