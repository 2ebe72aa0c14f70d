import { randomUUID } from "node:crypto";
import { lstat, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { isEndedThread } from "./ended-threads.ts";
import { hasCode } from "./error-code.ts";
import { readWhole } from "./held-file.ts";
import { isRunning, startOf, toMachine } from "./process-start.ts";

const WAIT_MS = 20;
const ATTEMPTS = 100;
/** What is done under a lock takes milliseconds: an older one of a process that can't be asked for is nobody's. */
const STALE_MS = 10_000;
/** Whoever takes it writes down who it is at once. */
const NAMELESS_MS = 500;
const MAX_OWNER_BYTES = 1_000;
/** What another one has taken meanwhile, and is not ours to read, is not among them. */
const SHORTAGES = ["EMFILE", "ENFILE", "ENOMEM"] as const;

/**
 * Does something while no other process does the same; nothing, and false, when the lock can't be had. It is never taken from a
 * process that is there, however long that stands still. One on another machine can lose it so: `isHeld` tells.
 */
export async function withFileLock(
  path: string,
  work: (isHeld: () => Promise<boolean>) => Promise<void>,
): Promise<boolean> {
  const owner = toOwner();
  if (!(await take(path, owner))) return false;
  const isHeld = async () => (await readOwner(path)) === owner;
  try {
    await work(isHeld);
    return true;
  } finally {
    if (await isToBeGivenBack(path, owner)) await rm(path, { force: true });
  }
}

/** Whether a process that is there has it. */
export async function isLocked(path: string): Promise<boolean> {
  return (await readOwner(path)) !== "" && !(await isAbandoned(path));
}

/**
 * A process can be asked for only on its own machine, and told from a later one of its number by its start. Of its threads only
 * it knows.
 */
function toOwner(): string {
  return `${process.pid} ${startOf(process.pid) ?? "?"} ${threadId} ${randomUUID()} ${toMachine()}`;
}

async function take(path: string, owner: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await create(path, owner);
    if (outcome !== "taken") return outcome === "created";
    if (!(await isAbandoned(path)) || !(await removeAbandoned(path, owner))) await delay(WAIT_MS);
  }
  return false;
}

async function create(path: string, owner: string): Promise<"created" | "taken" | "failed"> {
  try {
    await writeFile(path, owner, { flag: "wx", mode: 0o600 });
    return "created";
  } catch (error) {
    return hasCode(error, "EEXIST") ? "taken" : "failed";
  }
}

/** One process at a time looks again and removes: else a second one would remove the lock that the first one then took. */
async function removeAbandoned(path: string, owner: string): Promise<boolean> {
  const removal = `${path}.removal`;
  if ((await create(removal, owner)) !== "created") {
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
  const [, pid = "", started, thread, machine] =
    /^(\d{1,10}) (\d+|\?) (\d+) [0-9a-f-]{36} (.+)$/.exec(owner) ?? [];
  if (machine !== toMachine()) return isOld(path, owner === "" ? NAMELESS_MS : STALE_MS);
  if (Number(pid) === process.pid && isEndedThread(Number(thread))) return true;
  return started === "?" ? !isRunning(Number(pid)) : startOf(Number(pid)) !== started;
}

/** Something else than a file in its place, a pipe for one, is nobody's. */
async function readOwner(path: string): Promise<string> {
  return (await readLock(path).catch(() => undefined))?.toString("utf8") ?? "";
}

/** Whoever has it and can't read that now, for want of memory or descriptors, gives it back all the same. */
function isToBeGivenBack(path: string, owner: string): Promise<boolean> {
  return readLock(path).then(
    (bytes) => bytes?.toString("utf8") === owner,
    (error: unknown) => SHORTAGES.some((code) => hasCode(error, code)),
  );
}

function readLock(path: string): Promise<Buffer | undefined> {
  const folder = { path: dirname(path), shown: dirname(path), close: async () => {} };
  return readWhole(folder, basename(path), MAX_OWNER_BYTES);
}

async function isOld(path: string, ageMs: number): Promise<boolean> {
  const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Math.abs(Date.now() - mtimeMs) > ageMs;
}
