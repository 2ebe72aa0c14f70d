import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSkills } from "../../src/skills/open-skills.ts";
import { toFilesHash } from "../../src/skills/skill-folder.ts";
import { MEMORY_DATABASE, openDatabase } from "../../src/store/database/open-database.ts";
import { openStateDir } from "../../src/store/state-dir.ts";
import { onCleanup, tempDir } from "../fixtures/project.ts";

const SAVER = fileURLToPath(new URL("../fixtures/skill-saver.js", import.meta.url));
/** More of them: KEYHOLE_TEST_KILLS=200. */
const KILLS = Number(process.env["KEYHOLE_TEST_KILLS"] ?? 12);
const MANY = "100000";

type Told = {
  readonly name: string;
  readonly kind: string;
  readonly code?: string;
  readonly begun?: number;
  readonly done?: number;
  readonly refused?: number;
};

function start(dir: string, who: string, steps: string) {
  const child: ChildProcess = spawn(process.execPath, [SAVER, dir, who, steps], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onCleanup(async () => void child.kill("SIGKILL"));
  let output = "";
  let isOn = () => {};
  const on = new Promise<void>((resolve) => {
    isOn = resolve;
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes('"done"')) isOn();
  });
  const told = (): Told[] =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  return { child, on, told, ended: once(child, "close") };
}

async function open(dir: string) {
  const state = await openStateDir(dir, join(dir, "home"));
  const db = await openDatabase(state, () => {}, { kind: MEMORY_DATABASE });
  const skills = openSkills({
    ...{ projectDir: dir, state, approval: "others", maxVersions: 5 },
    database: async () => db,
    check: async () => ({ exports: [], tools: [], skills: [] }),
  });
  await skills.look();
  return { skills, db };
}

/** Nothing is half: what the record says is what stands in the folder, and all of it was saved by somebody. */
async function expectWhole(dir: string): Promise<Map<string, string>> {
  const { skills, db } = await open(dir);
  try {
    expect(db.all("PRAGMA integrity_check")).toEqual([["ok"]]);
    expect([...skills.faults()]).toEqual([]);
    for (const skill of skills.list()) {
      expect(skill.hash).toBe(toFilesHash(skill));
      // What was found in a folder, and not saved, has no author: that would be a half one, taken for an edit.
      const authors = (await skills.versions(skill.name)).map(({ author }) => author);
      expect(new Set(authors)).toEqual(new Set(["local"]));
      expect(await readFile(join(dir, "skills", skill.name, "index.ts"), "utf8")).toBe(skill.code);
      expect(await readFile(join(dir, "skills", skill.name, "SKILL.md"), "utf8")).toBe(skill.manual);
    }
    for (const name of ["shared", "own-a"])
      expect(existsSync(join(dir, "skills", name)), name).toBe(skills.get(name) !== undefined);
    return new Map(skills.list().map(({ name, code }) => [name, code]));
  } finally {
    await db.close();
  }
}

describe("a process that is killed while it saves, goes back and removes", () => {
  it("leaves each skill as it was or as it was to be", { timeout: 60_000 + KILLS * 3_000 }, async () => {
    const dir = await tempDir();
    for (let round = 0; round < KILLS; round++) {
      const { child, on, told, ended } = start(dir, "a", MANY);
      await on;
      await delay((round * 7) % 60);
      child.kill("SIGKILL");
      await ended;
      const now = await expectWhole(dir);
      const steps = told();
      const last = steps.at(-1);
      // What was told to be done is done: only the step under way may be there or not.
      for (const name of ["shared", "own-a"]) {
        const done = steps.findLast((step) => step.done !== undefined && step.name === name);
        if (done?.kind !== "save" || (last?.begun !== undefined && last.name === name)) continue;
        const code = steps.find((step) => step.begun === done.done)?.code;
        expect(now.get(name), `round ${round}: ${name}`).toBe(code);
      }
    }
  });
});

describe("two processes that save at once", () => {
  it("lose nothing, and take nothing of each other's for an edit", { timeout: 120_000 }, async () => {
    const dir = await tempDir();
    const both = [start(dir, "a", "60"), start(dir, "b", "60")];
    await Promise.all(both.map(({ ended }) => ended));
    const now = await expectWhole(dir);
    for (const [place, { told }] of both.entries()) {
      const steps = told();
      const name = place === 0 ? "own-a" : "own-b";
      expect(steps.filter((step) => step.refused !== undefined && step.name === name)).toEqual([]);
      const done = steps.findLast((step) => step.done !== undefined && step.name === name);
      expect(done?.kind).toBe("save");
      expect(now.get(name)).toBe(steps.find((step) => step.begun === done?.done)?.code);
    }
  });
});
