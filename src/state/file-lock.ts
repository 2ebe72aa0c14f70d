import { open, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const WAIT_MS = 20;
const ATTEMPTS = 100;
/** What is done under a lock takes milliseconds: an older one belongs to a process that was killed. */
const STALE_MS = 10_000;

/** Does something while no other process does the same; nothing, and false, when the lock can't be had. */
export async function withFileLock(path: string, work: () => Promise<void>): Promise<boolean> {
  if (!(await take(path))) return false;
  try {
    await work();
    return true;
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await (await open(path, "wx", 0o600)).close();
      return true;
    } catch (error) {
      if (!isTaken(error)) return false;
      if (await isStale(path)) await rm(path, { force: true });
      else await delay(WAIT_MS);
    }
  }
  return false;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

async function isStale(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > STALE_MS;
}
