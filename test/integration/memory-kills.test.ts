import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { openMemory } from "../../src/engine/memory/open-memory.ts";
import { openWorkspaces } from "../../src/engine/workspaces/open-workspaces.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { onCleanup, tempDir } from "../fixtures/project.ts";
import { versionsIn } from "../fixtures/written-tree.js";

const WRITER = fileURLToPath(new URL("../fixtures/memory-writer.js", import.meta.url));
/** By hand: KEYHOLE_TEST_KILLS=200. */
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 8);
const PATIENCE = { timeout: Math.max(120_000, KILLS * 3_000) };
const SPACE = { kind: "workspace", name: "local" } as const;

type Writer = {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly lines: () => string[];
  readonly ended: Promise<unknown>;
};

function start(dir: string, ...args: string[]): Writer {
  const child = spawn(process.execPath, [WRITER, dir, join(dir, "home"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  onCleanup(async () => void child.kill("SIGKILL"));
  // The last line may be cut.
  return { child, lines: () => text.split("\n").slice(0, -1), ended: once(child, "close") };
}

async function open(dir: string) {
  const state = await openStateDir(dir, join(dir, "home"));
  const memory = openMemory(state);
  return { ...openWorkspaces({ dir, state, config: DEFAULT_CONFIG, memory }), close: memory.close };
}

it("two hosts with 25 writers each lose no update of one number", PATIENCE, async () => {
  const dir = await tempDir();
  const TIMES = 1_000;
  const writers = [start(dir, "count", String(TIMES)), start(dir, "count", String(TIMES))];
  await Promise.all(writers.map(({ ended }) => ended));
  const told = writers.flatMap(({ lines }) => lines().map(Number));
  expect(told.length).toBe(2 * TIMES);
  // Each number was given once.
  expect(new Set(told).size).toBe(2 * TIMES);
  const { state, close } = await open(dir);
  expect((await state.get(SPACE, "n"))?.value).toBe(2 * TIMES);
  await close();
});

it("a host that is killed while it writes state leaves the old value or the new one", PATIENCE, async () => {
  const dir = await tempDir();
  let last = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, lines, ended } = start(dir, "count");
    await once(child.stdout, "data");
    await delay(Math.random() * 60);
    child.kill("SIGKILL");
    await ended;
    const told = lines().map(Number);
    const { state, close } = await open(dir);
    const kept = Number((await state.get(SPACE, "n"))?.value);
    const [use] = await state.spaces();
    await close();
    // All that was told is there; what was not told may be.
    expect(kept).toBeGreaterThanOrEqual(Math.max(last, ...told));
    expect(Math.min(...told)).toBeGreaterThan(last);
    expect(use).toMatchObject({ entries: 1 });
    last = kept;
  }
  const db = await openSqlite(join(dir, ".keyhole/memory.db"));
  expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
  expect(db.all("SELECT count(*) FROM state_entries")).toEqual([[1]]);
  await db.close();
});

it("a host that is killed while it restores or removes a workspace leaves it whole", PATIENCE, async () => {
  const dir = await tempDir();
  let restored = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, lines, ended } = start(dir, "restore");
    while (!lines().some((line) => line.startsWith("whole"))) await once(child.stdout, "data");
    await delay(Math.random() * 150);
    child.kill("SIGKILL");
    await ended;
    const [doing = ""] = lines().at(-1)?.split(" ") ?? [];
    // While programs write anew nothing is promised.
    if (doing !== "whole" && doing !== "removing") continue;
    restored++;
    const { workspaces, care, close } = await open(dir);
    const { dir: folder } = await workspaces.folder();
    const { versions, files, whole } = await versionsIn(folder);
    const isGone = doing === "removing" && files === 0;
    expect([versions.length, files]).toEqual(isGone ? [0, 0] : [1, whole]);
    // Each snapshot that is listed is whole.
    const { snapshots } = await care.show({ kind: "own", name: "local" });
    for (const { id } of snapshots) {
      const kept = await versionsIn(join(dir, ".keyhole/snapshots/own-local", id));
      expect([kept.versions.length, kept.files]).toEqual([1, kept.whole]);
    }
    await close();
  }
  expect(restored).toBeGreaterThan(0);
});
