import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteEndedThread } from "./ended-threads.ts";
import { withFileLock } from "./file-lock.ts";
import { startOf, toMachine } from "./process-start.ts";

let dir: string;
let lock: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
  lock = join(dir, "a.lock");
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** The id of a process that is no more. */
const goneProcess = () => spawnSync(process.execPath, ["-e", ""]).pid;
const ownerOf = (pid: number, started = startOf(pid) ?? "?", machine = toMachine()) =>
  `${pid} ${started} 0 ${randomUUID()} ${machine}`;

describe("a lock", () => {
  it("is held by one at a time, and gone afterwards", async () => {
    let holders = 0;
    const work = async () => {
      expect(++holders).toBe(1);
      await readFile(lock);
      holders--;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, work)));
    expect(taken).toEqual(Array(10).fill(true));
    expect(await readdir(dir)).toEqual([]);
  });

  it("is given back when the work fails", async () => {
    const failing = withFileLock(lock, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ["is gone", () => ownerOf(goneProcess())],
    ["has the number of another one now", () => ownerOf(process.pid, "1")],
  ])("is taken over from a process that %s, by one at a time", async (_, toOwner) => {
    await writeFile(lock, toOwner());
    let holders = 0;
    const work = async () => {
      expect(++holders).toBe(1);
      expect(await readFile(lock, "utf8")).toContain(`${process.pid} `);
      holders--;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => withFileLock(lock, work)));
    expect(taken).toEqual(Array(10).fill(true));
    expect(await readdir(dir)).toEqual([]);
  });

  it("is not taken from a process that stands still, however long, before it is gone", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    try {
      await once(child, "spawn");
      child.kill("SIGSTOP");
      const owner = ownerOf(child.pid ?? 0);
      await writeFile(lock, owner);
      await utimes(lock, 0, 0);
      expect(await withFileLock(lock, async () => {})).toBe(false);
      expect(await readFile(lock, "utf8")).toBe(owner);
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    expect(await withFileLock(lock, async () => {})).toBe(true);
  });

  it("is taken over from a thread that ended in the middle, once that is known, by a later thread, too", async () => {
    const built = new URL("../../dist/store/file-lock.js", import.meta.url).href;
    const inThread = async (work: string) => {
      const code = `import("${built}").then((it) => it.withFileLock(${JSON.stringify(lock)}, async () => { ${work} }))
        .then((isDone) => { require("node:worker_threads").parentPort.postMessage(isDone); });`;
      const worker = new Worker(code, { eval: true });
      const id = worker.threadId;
      const said = once(worker, "message").then(([isDone]) => isDone);
      return { id, isDone: await Promise.race([said, once(worker, "exit").then(() => "ended")]) };
    };
    const ended = await inThread("process.exit()");
    expect(ended.isDone).toBe("ended");
    expect(await readFile(lock, "utf8")).toContain(`${process.pid} `);
    expect(await withFileLock(lock, async () => {})).toBe(false);
    noteEndedThread(ended.id);
    expect((await inThread("")).isDone).toBe(true);
    expect(await readdir(dir)).toEqual([]);
  });

  it("is not taken from another machine, until it is old", async () => {
    const owner = ownerOf(goneProcess(), "1", "another machine");
    await writeFile(lock, owner);
    expect(await withFileLock(lock, async () => {})).toBe(false);
    expect(await readFile(lock, "utf8")).toBe(owner);
    await utimes(lock, 0, 0);
    expect(await withFileLock(lock, async () => {})).toBe(true);
  });

  it("that came from the future is old", async () => {
    await writeFile(lock, ownerOf(1, "1", "another machine"));
    await utimes(lock, 4e9, 4e9);
    expect(await withFileLock(lock, async () => {})).toBe(true);
  });

  it("that another one has got meanwhile is not held, and stays", async () => {
    const other = ownerOf(1, "1", "another machine");
    await withFileLock(lock, async (isHeld) => {
      expect(await isHeld()).toBe(true);
      await writeFile(lock, other);
      expect(await isHeld()).toBe(false);
    });
    expect(await readFile(lock, "utf8")).toBe(other);
  });

  it("is taken over when nobody's name is in it", async () => {
    await writeFile(lock, "");
    expect(await withFileLock(lock, async () => {})).toBe(true);
    expect(await readdir(dir)).toEqual([]);
  });

  it("can't be had where nothing can be written", async () => {
    expect(await withFileLock(join(dir, "none", "a.lock"), async () => {})).toBe(false);
  });
});
