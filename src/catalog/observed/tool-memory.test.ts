import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStateDir } from "../../store/state-dir.ts";
import { emptyLearned, type LearnedTools, learnFrom, parseStoredTools, toStoredTools } from "./learned.ts";
import { createLearner, type Learner } from "./learner.ts";
import { countParts, settle } from "./settle.ts";
import {
  createToolMemory,
  MAX_PARTS_IN_ALL,
  MAX_PARTS_OF_SERVER,
  newEntry,
  type ToolMemory,
} from "./tool-memory.ts";

const LETTERS = [..."abcdefghijk"];
/** About 1,600 parts; its records are not like each other, so that they are no maps. */
const LARGE = toRecord("", (one) =>
  toRecord(one, (two) => ({ text: "a text", ...toRecord(`${one}${two}`, (three) => three < two) })),
);
const PARTS = countParts(settle(toLearned(LARGE).shape));

function toRecord(prefix: string, value: (letter: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(LETTERS.map((letter) => [`field_${prefix}${letter}`, value(letter)]));
}

function toLearned(value: unknown) {
  const learned = emptyLearned();
  learnFrom(learned, value, "tool");
  return learned;
}

const toolKey = (server: string, n: number) => ({ server, tool: `tool_${n}`, hash: "abc", version: "1" });

describe("what many tools answered", () => {
  let dir: string;
  let learner: Learner;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
    learner = createLearner(await openStateDir(dir));
  });

  afterEach(() => rm(dir, { recursive: true, force: true }));

  const knownTools = (server: string) =>
    Array.from({ length: 200 }, (_, n) => n).filter((n) => learner.typeOf(toolKey(server, n)) !== undefined);

  it("stays in memory for as many as fit, those that were used last", async () => {
    for (let n = 0; n < 100; n++) {
      learner.observe(toolKey("hostile", n), LARGE);
      if (n % 10 === 9) await learner.flush();
    }
    const known = knownTools("hostile");
    expect(known.length * PARTS).toBeLessThanOrEqual(MAX_PARTS_OF_SERVER);
    expect(known).toEqual(Array.from(known, (_, at) => 100 - known.length + at));
    expect(known.length).toBeGreaterThan(10);
  });

  it("is bounded before anything is written, and where nothing can be", async () => {
    await writeFile(join(dir, ".keyhole"), "a file in the way");
    for (let n = 0; n < 200; n++) learner.observe(toolKey("hostile", n), LARGE);
    expect(knownTools("hostile").length * PARTS).toBeLessThanOrEqual(MAX_PARTS_OF_SERVER);
    await learner.flush();
    for (let n = 0; n < 200; n++) learner.observe(toolKey("hostile", n), LARGE);
    expect(knownTools("hostile").length * PARTS).toBeLessThanOrEqual(MAX_PARTS_OF_SERVER);
  });

  it("drives out nothing that was learned of another server", async () => {
    learner.observe(toolKey("honest", 0), { id: 1 });
    for (const server of ["hostile_a", "hostile_b", "hostile_c"]) {
      for (let n = 0; n < 40; n++) {
        learner.observe(toolKey(server, n), LARGE);
        if (n % 10 === 9) await learner.flush();
      }
    }
    expect(learner.typeOf(toolKey("honest", 0))).toMatchObject({ calls: 1 });
  });

  it("is added to what the file has of a tool that had to go", async () => {
    learner.observe(toolKey("shop", 0), { id: 1 });
    await learner.flush();
    learner.retain("shop", new Set());
    expect(learner.typeOf(toolKey("shop", 0))).toBeUndefined();
    learner.observe(toolKey("shop", 0), { id: 2 });
    await learner.flush();
    expect(learner.typeOf(toolKey("shop", 0))).toMatchObject({ calls: 2 });
  });

  it("goes with the tools that a server does not list any more", () => {
    for (const n of [0, 1]) learner.observe(toolKey("shop", n), { id: 1 });
    expect(knownTools("shop")).toEqual([0, 1]);
    learner.retain("shop", new Set(["tool_1"]));
    expect(knownTools("shop")).toEqual([1]);
  });
});

describe("the memory of tools", () => {
  const fill = (memory: ToolMemory, server: string, tools: number, value: unknown = LARGE) => {
    for (let n = 0; n < tools; n++) memory.put(server, `tool_${n}`, newEntry("key", toLearned(value)));
  };

  it("is bounded over all servers, of however many tools", () => {
    const memory = createToolMemory();
    for (let n = 0; n < 6; n++) fill(memory, `server_${n}`, 40);
    expect(memory.parts()).toBeLessThanOrEqual(MAX_PARTS_IN_ALL);
    expect(memory.parts()).toBeGreaterThan(MAX_PARTS_IN_ALL / 2);
    fill(memory, "tiny", 60_000, 1);
    expect(memory.entriesOf("tiny").length).toBeLessThan(MAX_PARTS_OF_SERVER / 5);
  });

  it("lets a tool be smaller once its server has many large ones, and not before", () => {
    const memory = createToolMemory();
    fill(memory, "shop", 400, { id: 1 });
    expect(memory.maxPartsOfTool("shop")).toBe(2_000);
    fill(
      memory,
      "shop",
      400,
      toRecord("", (one) => toRecord(one, () => 1.5)),
    );
    expect(memory.maxPartsOfTool("shop")).toBeLessThan(500);
  });
});

describe("a file of many tools", () => {
  const tools: LearnedTools = new Map(
    Array.from({ length: 30 }, (_, n) => [`tool_${n}`, { key: "key", at: "", learned: toLearned(LARGE) }]),
  );

  it("is made and read in pieces, between which others have their turn", async () => {
    const made = await countTurns(() => toStoredTools(tools));
    expect(made.turns).toBeGreaterThan(10);
    const read = await countTurns(() => parseStoredTools(made.value));
    expect(read.turns).toBeGreaterThan(10);
    expect(read.value?.size).toBeGreaterThan(10);
  });

  async function countTurns<T>(work: () => Promise<T>): Promise<{ turns: number; value: T }> {
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const value = await work();
    clearImmediate(next);
    return { turns, value };
  }
});
