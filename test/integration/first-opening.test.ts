import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../fixtures/project.ts";

const OPENER = fileURLToPath(new URL("../fixtures/open-database.js", import.meta.url));

const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 30);
/** Of a first opening in a process that has not done it before. */
const LONGEST_MS = 60;

/** A process that opens what it is told to, and tells what came of it. */
async function startOpener(how: "make" | "read" | "answer", home: string) {
  const child: ChildProcess = spawn(process.execPath, [OPENER, how, home], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onCleanup(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  if (child.stdout === null) throw new TypeError("A child with pipes has none");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe("ready");
  return {
    child,
    next,
    async open(dir: string): Promise<string> {
      child.stdin?.write(`${dir}\n`);
      expect(await next()).toBe("begun");
      return next();
    },
  };
}

async function freshProject(root: string, name: string): Promise<string> {
  const dir = join(root, name);
  await mkdir(dir);
  return dir;
}

describe("the first opening of a project's database", () => {
  it("by many processes at once fails for none of them, and nothing is moved aside", {
    timeout: 120_000,
  }, async () => {
    const root = await tempDir();
    const ways = ["make", "make", "make", "read", "read", "read", "answer", "answer", "answer"] as const;
    const openers = await Promise.all(ways.map((how) => startOpener(how, join(root, "home"))));
    for (let round = 0; round < 20; round++) {
      const dir = await freshProject(root, String(round));
      // Whoever reads begins before, during and after the making.
      const told = await Promise.all(
        openers.map(async ({ open }, index) => {
          const all = [await open(dir)];
          if (ways[index] !== "make") for (let more = 0; more < 5; more++) all.push(await open(dir));
          return all;
        }),
      );
      expect(told.flat().filter((text) => text !== "done")).toEqual([]);
      const names = await readdir(join(dir, ".keyhole"));
      expect(names.filter((name) => name.includes("aside"))).toEqual([]);
    }
  });

  it("is waited for by readers, at whatever moment of it they come", { timeout: 120_000 }, async () => {
    const root = await tempDir();
    const home = join(root, "home");
    const maker = await startOpener("make", home);
    // In a process of its own: while another one restores a log, SQLite waits without letting go of the thread.
    const reader = await startOpener("read", home);
    await maker.open(await freshProject(root, "warm"));
    for (let round = 0; round < 40; round++) {
      const dir = await freshProject(root, String(round));
      maker.child.stdin?.write(`${dir}\n`);
      expect(await maker.next()).toBe("begun");
      await delay(Math.random() * 15);
      // It stands still in the middle, for longer than a few looks take.
      maker.child.kill("SIGSTOP");
      const reading = reader.open(dir);
      await delay(200);
      maker.child.kill("SIGCONT");
      expect([await reading, await maker.next()]).toEqual(["done", "done"]);
    }
  });

  it("by a process that is killed in the midst of it leaves nothing that has to be moved aside", {
    timeout: 120_000,
  }, async () => {
    const root = await tempDir();
    const home = join(root, "home");
    const next = await startOpener("make", home);
    await next.open(await freshProject(root, "warm"));
    for (let round = 0; round < KILLS; round++) {
      const dir = await freshProject(root, String(round));
      const killed = await startOpener("make", home);
      killed.child.stdin?.write(`${dir}\n`);
      expect(await killed.next()).toBe("begun");
      await delay((round / KILLS) * LONGEST_MS);
      killed.child.kill("SIGKILL");
      await once(killed.child, "exit");
      expect(await next.open(dir)).toBe("done");
      const names = await readdir(join(dir, ".keyhole"));
      expect(names.filter((name) => /aside|new/.test(name))).toEqual([]);
    }
  });
});
