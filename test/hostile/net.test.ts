import { describe, expect, it } from "vitest";
import { canHold, spawnNetted } from "./net.ts";

const MIB = 1024 * 1024;
const small = { rssBytes: 200 * MIB, treeBytes: 220 * MIB };
const HOG = `const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 10);`;
const GREEDY = "const kept = []; for (;;) kept.push(Buffer.alloc(20_000_000, 1));";
/** Slow enough for the watcher to see it before the kernel's limit, which each process has for itself, ends it. */
const SLOW_HOG = `const kept = []; setInterval(() => kept.push(Buffer.alloc(10_000_000, 1)), 100);`;
const PARENT = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(SLOW_HOG)}]); setInterval(() => {}, 1000);`;

function run(code: string) {
  const netted = spawnNetted(process.execPath, ["-e", code], { stdio: "ignore" }, small);
  const ended = new Promise<void>((resolve) => netted.child.once("exit", () => resolve()));
  return { netted, ended };
}

// Before anything hostile is run: if this does not hold, nothing below may be tried on a machine with other work on it.
describe.skipIf(!canHold)("the net under the hostile suite", () => {
  it("ends a process that takes too much memory, and says so", async () => {
    const { netted, ended } = run(HOG);
    await ended;
    expect(netted.fallen()).toMatch(/the host took \d+ MB/);
    expect(netted.takePeak()).toBeLessThan(400 * MIB);
    expect(await netted.end()).toBe(0);
  });

  it("holds one that is faster than the watcher, by the kernel's limit", async () => {
    const { netted, ended } = run(GREEDY);
    await ended;
    expect(netted.isAlive()).toBe(false);
    expect(netted.takePeak()).toBeLessThan(400 * MIB);
    await netted.end();
  });

  it("counts what a process starts, and ends that too", async () => {
    const { netted, ended } = run(PARENT);
    await ended;
    expect(netted.fallen()).toMatch(/children took \d+ MB/);
    expect(await netted.end()).toBe(0);
  });
});
