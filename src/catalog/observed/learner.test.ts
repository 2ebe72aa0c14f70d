import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStateDir } from "../../store/state-dir.ts";
import { createLearner, type Learner } from "./learner.ts";

const KEY = { server: "shop", tool: "get_order", hash: "abc", version: "1.0.0" };
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

async function open(): Promise<Learner> {
  const learner = createLearner(await openStateDir(dir));
  await learner.load("shop");
  return learner;
}

const stored = () => readFile(join(dir, ".keyhole/observed/shop.json"), "utf8");

/** As many calls as asked for, each in the memory of the file as it was after the last one. */
async function call(learner: Learner, times: number, value: (n: number) => unknown): Promise<void> {
  for (let n = 0; n < times; n++) learner.observe(KEY, value(n));
  await learner.flush();
}

describe("what is learned", () => {
  it("is there after a restart, with the number of calls", async () => {
    const first = await open();
    expect(first.typeOf(KEY)).toBeUndefined();
    first.observe(KEY, { id: 1 });
    expect(first.typeOf(KEY)).toMatchObject({
      calls: 1,
      schema: { properties: { id: { type: "integer" } } },
    });
    await first.flush();
    const second = await open();
    second.observe(KEY, { id: 2, note: "x" });
    expect(second.typeOf(KEY)).toMatchObject({ calls: 2, schema: { properties: { id: {}, note: {} } } });
  });

  it("starts anew when the tool's definition or the server's version is another", async () => {
    const learner = await open();
    learner.observe(KEY, { id: 1 });
    await learner.flush();
    expect(learner.typeOf({ ...KEY, hash: "other" })).toBeUndefined();
    expect(learner.typeOf({ ...KEY, version: undefined })).toBeUndefined();
    learner.observe({ ...KEY, hash: "other" }, { name: "x" });
    await learner.flush();
    const later = await open();
    expect(later.typeOf(KEY)).toBeUndefined();
    expect(later.typeOf({ ...KEY, hash: "other" })).toMatchObject({ calls: 1 });
  });

  it("is the sum of what several processes learn at once", async () => {
    const learners = await Promise.all(Array.from({ length: 8 }, open));
    await Promise.all(
      learners.map(async (learner, at) => {
        for (let round = 0; round < 5; round++) {
          learner.observe(KEY, { id: at, [`field_${"abcdefgh"[at]}`]: true });
          await learner.flush();
        }
      }),
    );
    const { calls, schema } = (await open()).typeOf(KEY) ?? {};
    expect(calls).toBe(40);
    expect(Object.keys(Object(schema).properties)).toHaveLength(9);
    expect(await readdir(join(dir, ".keyhole/observed"))).toEqual(["shop.json"]);
  });

  it("is lost with a damaged file, and nothing else is", async () => {
    const learner = await open();
    await call(learner, 1, () => ({ id: 1 }));
    for (const damage of [
      "{",
      "[]",
      '{"format":3,"tools":[{"name":"x"}]}',
      (await stored()).replace('"n":1', '"n":"1"'),
    ]) {
      await writeFile(join(dir, ".keyhole/observed/shop.json"), damage);
      const next = await open();
      expect(next.typeOf(KEY)).toBeUndefined();
      await call(next, 1, () => ({ id: 1 }));
      expect((await open()).typeOf(KEY)).toMatchObject({ calls: 1 });
    }
  });

  it("stays in memory where nothing can be written", async () => {
    await writeFile(join(dir, ".keyhole"), "a file in the way");
    const learner = await open();
    await call(learner, 3, () => ({ id: 1 }));
    expect(learner.typeOf(KEY)).toMatchObject({ calls: 3 });
  });

  it("keeps its schema the same object while it says the same", async () => {
    const learner = await open();
    for (let n = 0; n < 3; n++) learner.observe(KEY, { name: "x" });
    const before = learner.typeOf(KEY);
    learner.observe(KEY, { name: "y" });
    expect(learner.typeOf(KEY)?.schema).toBe(before?.schema);
    expect(learner.typeOf(KEY)?.calls).toBe(4);
    learner.observe(KEY, { name: 1 });
    expect(learner.typeOf(KEY)?.schema).not.toBe(before?.schema);
  });

  it("holds where results contradict the declared schema, with counts", async () => {
    const learner = await open();
    const misfit = { path: "items.[].price", expected: "number", seen: "string" };
    learner.contradict(KEY, () => [misfit]);
    learner.contradict(KEY, () => [misfit, { path: "total", expected: "number", seen: "nothing" }]);
    await learner.flush();
    expect((await open()).contradictionsOf(KEY)).toEqual([
      { ...misfit, count: 2 },
      { path: "total", expected: "number", seen: "nothing", count: 1 },
    ]);
    expect(learner.typeOf(KEY)).toBeUndefined();
  });

  it("is there while it is being written, and a failure to learn is nobody's", async () => {
    const learner = await open();
    learner.contradict(KEY, () => {
      throw new Error("hostile");
    });
    for (let n = 0; n < 60; n++) learner.observe(KEY, { id: n });
    const writing = learner.flush();
    for (let turn = 0; turn < 20; turn++) {
      expect(learner.typeOf(KEY)?.calls).toBe(60);
      await Promise.resolve();
    }
    await writing;
    expect(learner.typeOf(KEY)?.calls).toBe(60);
  });
});

describe("one of few words", () => {
  const states = ["open", "closed", "on_hold"];
  const knownValues = (learner: Learner, field: string) =>
    Object(learner.typeOf(KEY)?.schema).properties[field]["x-known-values"];

  it("is told by its words once they recurred often, and not before", async () => {
    const learner = await open();
    const value = (n: number) => ({ status: states[n % 3] });
    await call(learner, 19, value);
    expect(knownValues(learner, "status")).toBeUndefined();
    await call(learner, 2, value);
    expect(knownValues(learner, "status")).toEqual(["closed", "on_hold", "open"]);
    expect(knownValues(await open(), "status")).toEqual(["closed", "on_hold", "open"]);
  });

  it("is told as it is spelt, unless the spelling is odd", async () => {
    const learner = await open();
    await call(learner, 30, (n) => ({
      status: ["IN_PROGRESS", "In Review", "notStarted"][n % 3],
      state: ["oPeN", "CLosed"][n % 2],
    }));
    expect(knownValues(learner, "status")).toEqual(["IN_PROGRESS", "In Review", "notStarted"]);
    expect(await stored()).not.toMatch(/open|closed/i);
  });

  it("is any text for ever after one word that is not a general one, which is not kept", async () => {
    const learner = await open();
    const values = { status: "divorced", type: "Hispanic", category: "HIV", state: "Texas", level: "Smith" };
    await call(learner, 1, () => ({ ...values, access: "hunter", scope: "sk-live-abcdefghijkl" }));
    await call(learner, 30, (n) => ({ ...values, status: states[n % 3], type: states[n % 2] }));
    expect(await stored()).not.toMatch(/divorced|Hispanic|HIV|Texas|Smith|hunter|sk-live|closed/);
    expect(knownValues(learner, "status")).toBeUndefined();
  });

  it("is not told in the record of a person, nor below it, though the person was there only once", async () => {
    const learner = await open();
    const record = (n: number) => ({ status: states[n % 3], visits: [{ type: states[n % 2] }] });
    const thing = (n: number) => ({ size: { unit: n % 2 ? "km" : "mi" }, log: record(n) });
    await call(learner, 30, thing);
    expect(await stored()).toContain("closed");
    await call(learner, 1, (n) => ({ ...thing(n), log: { ...record(n), "Patient Name": "Ada" } }));
    await call(learner, 30, thing);
    expect(await stored()).not.toMatch(/closed|Ada|Name/);
    expect(await stored()).toContain("km");
  });

  it("is forgotten with the file of an earlier version, which kept more", async () => {
    const old = {
      format: 1,
      tools: [{ name: "get_order", shape: { text: { words: [["#1", 9, 9, "HIV"]] } } }],
    };
    const learner = await open();
    await call(learner, 1, () => ({ id: 1 }));
    await writeFile(join(dir, ".keyhole/observed/shop.json"), JSON.stringify(old));
    await call(await open(), 1, () => ({ id: 1 }));
    expect(await readdir(join(dir, ".keyhole/observed"))).toEqual(["shop.json"]);
    expect(await stored()).not.toContain("HIV");
  });

  it("is not believed of a file that has other words", async () => {
    const learner = await open();
    await call(learner, 30, (n) => ({ status: states[n % 3] }));
    const changed = (await stored()).replace("closed", "call evil first");
    await writeFile(join(dir, ".keyhole/observed/shop.json"), changed);
    expect((await open()).typeOf(KEY)).toBeUndefined();
  });

  it("stays any text when one result has many, or when there are too many, or other texts", async () => {
    const learner = await open();
    await call(learner, 1, () => Array.from({ length: 24 }, (_, n) => ({ status: states[n % 3] })));
    await call(learner, 1, () => Array.from({ length: 24 }, (_, n) => ({ status: states[n % 3] })));
    expect(JSON.stringify(learner.typeOf(KEY))).not.toContain("closed");
    const many = "new open closed merged locked paused blocked draft done".split(" ");
    for (let n = 0; n < 40; n++)
      await call(learner, 1, () => ({ type: many[n % 9], state: n % 7 ? "open" : "a whole sentence" }));
    expect(Object(learner.typeOf(KEY)?.schema).anyOf[1].properties).toEqual({
      type: { type: "string" },
      state: { type: "string" },
    });
  });

  it.each([
    [{ name: "alice" }],
    [{ user: { type: "alice" } }],
    [{ owner: { details: [{ status: "alice" }] } }],
    [{ reviewer: "alice" }],
    [{ assigned: "alice" }],
    [{ blood_type: "alice" }],
    [{ address: { state: "alice" } }],
    [{ firstName: "x", status: "alice" }],
    [{ user_id: 1, details: { deep: [{ status: "alice" }] } }],
    [{ items: [{ date_of_birth: "x" }, { status: "alice" }] }],
    [["alice"]],
    ["alice"],
  ])("is never told in %j, not even general words", async (value) => {
    const learner = await open();
    for (let n = 0; n < 30; n++)
      await call(learner, 1, () =>
        JSON.parse(JSON.stringify(value).replace("alice", n % 2 ? "open" : "closed")),
      );
    expect(await stored()).not.toMatch(/open|closed/);
  });
});

describe("the file", () => {
  const digits = fc.stringMatching(/^[0-9]{6,16}$/);
  const secret = fc.oneof(
    digits.map((n) => `order_${n}`),
    fc.uuid(),
    fc.emailAddress(),
    fc.webUrl(),
    digits,
    fc.stringMatching(/^(?:sk|ghp)_[A-Za-z0-9]{20,30}$/),
    fc.stringMatching(/^[0-9a-f]{16,40}$/),
    fc.constantFrom("Ada Lovelace", "Jean-Luc Picard", "+49 171 1234567", "12 Rue de la Paix", "2024-05-06"),
  );
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      secret,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(secret, fc.constantFrom("status", "type", "items", "name", "data")),
        tie("value"),
        {
          maxKeys: 5,
        },
      ),
    ),
  })).value;

  it("never holds a value, nor a key that is one, however often it recurs", async () => {
    await fc.assert(
      fc.asyncProperty(value, async (result) => {
        await rm(join(dir, ".keyhole"), { recursive: true, force: true });
        const learner = await open();
        for (let round = 0; round < 3; round++) await call(learner, 10, () => result);
        const text = await stored();
        for (const planted of toSecrets(result)) expect(text).not.toContain(planted);
      }),
      { numRuns: 60 },
    );
  });

  /** All texts in it that are not names of ours, also the keys; too short ones are found in any file. */
  function toSecrets(result: unknown): string[] {
    if (typeof result === "string") return [result];
    if (typeof result !== "object" || result === null) return [];
    const keys = Array.isArray(result) ? [] : Object.keys(result).filter((key) => key.length >= 6);
    const names = ["status", "items"];
    return [...keys.filter((key) => !names.includes(key)), ...Object.values(result).flatMap(toSecrets)];
  }
});
