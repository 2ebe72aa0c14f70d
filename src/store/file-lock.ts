import { lstat, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasCode } from "./error-code.ts";
import { readWhole } from "./held-file.ts";

const WAIT_MS = 20;
const ATTEMPTS = 100;
/** What is done under a lock takes milliseconds: an older one is nobody's, whoever took it. */
const STALE_MS = 10_000;
/** Whoever takes it writes down who it is at once. */
const NAMELESS_MS = 500;
const MAX_OWNER_BYTES = 1_000;
/** Who took it. A process can be asked for only on its own machine. */
const OWNER = `${process.pid} ${hostname()}`;

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
    const outcome = await create(path);
    if (outcome !== "taken") return outcome === "created";
    if (!(await isAbandoned(path)) || !(await removeAbandoned(path))) await delay(WAIT_MS);
  }
  return false;
}

async function create(path: string): Promise<"created" | "taken" | "failed"> {
  try {
    await writeFile(path, OWNER, { flag: "wx", mode: 0o600 });
    return "created";
  } catch (error) {
    return hasCode(error, "EEXIST") ? "taken" : "failed";
  }
}

/** One process at a time looks again and removes: else a second one would remove the lock that the first one then took. */
async function removeAbandoned(path: string): Promise<boolean> {
  const removal = `${path}.removal`;
  if ((await create(removal)) !== "created") {
    if (await isAbandoned(removal)) await rm(removal, { force: true });
    return false;
  }
  try {
    if (await isAbandoned(path)) await rm(path, { force: true });
    return true;
  } finally {
    await rm(removal, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const owner = await readOwner(path);
  const [, pid, host] = /^(\d{1,10}) (.+)$/.exec(owner) ?? [];
  if (host === hostname() && !isRunning(Number(pid))) return true;
  return isOld(path, owner === "" ? NAMELESS_MS : STALE_MS);
}

/** Something else than a file in its place, a pipe for one, is nobody's. */
async function readOwner(path: string): Promise<string> {
  const folder = { path: dirname(path), shown: dirname(path), close: async () => {} };
  const bytes = await readWhole(folder, basename(path), MAX_OWNER_BYTES).catch(() => undefined);
  return bytes?.toString("utf8") ?? "";
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return !hasCode(error, "ESRCH");
  }
}

async function isOld(path: string, ageMs: number): Promise<boolean> {
  const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > ageMs;
}
