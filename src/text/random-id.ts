import { randomFillSync } from "node:crypto";

const ID_BYTES = 8;
/** Asking the system each time would cost as much as half of a call. */
const POOL = Buffer.alloc(512 * ID_BYTES);
let used = POOL.length;

/** `c_` and 16 hex digits, for a call, a connection, a process, a run, a session or a snapshot of a workspace: no two processes that share a project make the same. */
export function randomId(prefix: "a" | "c" | "e" | "n" | "p" | "r" | "s" | "w"): string {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const digits = POOL.toString("hex", used, used + ID_BYTES);
  used += ID_BYTES;
  return `${prefix}_${digits}`;
}

/** Names of files are made of it. */
export function isRunId(text: string): boolean {
  return /^r_[0-9a-f]{16}$/.test(text);
}
