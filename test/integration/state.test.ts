import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSession } from "../../src/session.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const SERVERS = { good: fixture("good") };
const client = { name: "test" };
const as = (principal: string) => createSession({ client, principal });

type Opened = Awaited<ReturnType<typeof openEngine>>["engine"];

async function resultOf(engine: Opened, code: string, more: object = {}) {
  const ended = await engine.run({ code, ...more });
  expect(ended, ended.text).toMatchObject({ ok: true });
  return ended.result;
}

const LANGUAGES = [
  {
    language: "typescript",
    write: `await state.set("a", { n: [1, null, "ü"] });
      const first = await state.update("count", (n) => (n ?? 0) + 1);
      await state.set("gone", 1);
      return [first, await state.delete("gone"), await state.delete("gone"), await state.get("gone"), await state.get("gone", 7),
        await state.list(), await state.list("c")];`,
    read: `return [await state.get("a"), await state.get("count"), await state.session.get("a"), await state.session.list()];`,
    many: `await Promise.all(Array.from({ length: 20 }, () => state.update("n", (n) => (n ?? 0) + 1)));`,
    slow: `await state.update("n", async (n) => { await new Promise((done) => setTimeout(done, 1)); return (n ?? 0) + 1; });`,
    returnsNothing: `await state.update("n", (n) => { n++; });`,
    noKey: "await state.get(5 as any)",
    noFunction: `await state.update("n", 5 as any)`,
  },
  {
    language: "python",
    write: `state.set("a", {"n": [1, None, "ü"]})
first = state.update("count", lambda n: (n or 0) + 1)
await state.set("gone", 1)
[first, state.delete("gone"), await state.delete("gone"), state.get("gone"), state.get("gone", 7), state.list(), await state.list("c")]`,
    read: `[state.get("a"), await state.get("count"), state.session.get("a"), state.session.list()]`,
    many: `import asyncio
await asyncio.gather(*(state.update("n", lambda n: (n or 0) + 1) for _ in range(20)))`,
    slow: `import asyncio
async def add(n):
    await asyncio.sleep(0.001)
    return (n or 0) + 1
await state.update("n", add)`,
    returnsNothing: `d = {}
state.update("n", lambda n: d.update(a=n))`,
    noKey: "state.get(5)",
    noFunction: `state.update("n", 5)`,
  },
] as const;

describe.each(LANGUAGES)("state in $language", (programs) => {
  const { language } = programs;

  it("is there in the next run, also after a restart, and its session's own is not", async () => {
    const { engine, opened } = await openEngine(SERVERS);
    expect(await resultOf(engine, programs.write, { language })).toEqual([
      1,
      true,
      false,
      null,
      7,
      ["a", "count"],
      ["count"],
    ]);
    const found = [{ n: [1, null, "ü"] }, 1, null, []];
    expect(await resultOf(engine, programs.read, { language })).toEqual(found);
    await engine.close();
    const { engine: next } = await reopenEngine(opened.dir);
    expect(await resultOf(next, programs.read, { language })).toEqual(found);
  });

  it("loses nothing where runs write at the same time", async () => {
    const { engine } = await openEngine(SERVERS);
    const codes = [programs.many, programs.slow, programs.many, programs.slow];
    await Promise.all(codes.map((code) => resultOf(engine, code, { language })));
    expect(await resultOf(engine, `return await state.get("n")`)).toBe(42);
  });

  it.each([
    ["returnsNothing", "return the new value"],
    ["noKey", "A key of the state is a string, not a number"],
    ["noFunction", "takes a key and a function"],
  ] as const)("says what was wrong: %s", async (which, words) => {
    const { engine } = await openEngine(SERVERS, { checkTypes: false });
    await resultOf(engine, `await state.set("n", 1)`);
    const ended = await engine.run({ code: programs[which], language });
    expect(ended.error?.message).toContain(words);
    expect(await resultOf(engine, `return await state.get("n")`)).toBe(1);
  });
});

it("is updated in threads of a Python program", async () => {
  const { engine } = await openEngine(SERVERS);
  const code = `from concurrent.futures import ThreadPoolExecutor
def work(i):
    state.update("n", lambda n: (n or 0) + 1)
    return state.get("n") > 0
with ThreadPoolExecutor(4) as pool:
    done = list(pool.map(work, range(12)))
[all(done), state.get("n")]`;
  expect(await resultOf(engine, code, { language: "python" })).toEqual([true, 12]);
});

it.each([
  ['state["n"]', 'state is no dict. Write await state.get("n")'],
  ['state["n"] = 1', 'state is no dict. Write await state.set("n", value)'],
  ['del state.session["n"]', 'state is no dict. Write await state.delete("n")'],
  ['"n" in state', 'state is no dict. Write await state.get("n") is not None'],
  ["state.n = 1", 'state has no attributes to set. Write await state.set("n", value)'],
  ["state.sett('n', 1)", 'state has no "sett". Did you mean state.set?'],
  ["state.session.shard", 'state has no "shard". It has get, set, delete, list, update'],
  ["state.set('n')", "State.set() missing 1 required positional argument: 'value'"],
])("tells a Python program what to write instead of %s", async (code, told) => {
  const { engine } = await openEngine(SERVERS);
  const { status, error } = await engine.run({ code, language: "python" });
  expect(status).toBe("failed");
  expect(error?.message).toContain(told);
});

describe("whose state it is", () => {
  it("is each principal's own, and each session's", async () => {
    const { engine } = await openEngine(SERVERS);
    const [ada, bob, other] = [as("ada"), as("bob"), as("ada")];
    const code = `await state.set("a", 1); await state.session.set("s", 1);`;
    await resultOf(engine, code, { session: ada });
    const read = `return [await state.get("a", 0), await state.session.get("s", 0)]`;
    expect(await resultOf(engine, read, { session: ada })).toEqual([1, 1]);
    expect(await resultOf(engine, read, { session: other })).toEqual([1, 0]);
    expect(await resultOf(engine, read, { session: bob })).toEqual([0, 0]);
    await engine.endSession(ada);
    expect(await resultOf(engine, read, { session: ada })).toEqual([1, 0]);
  });

  it("is shared with those who are granted it, and says nothing to others", async () => {
    const shared = { notes: { write: ["ada", "local"], read: ["bob"] }, ours: { write: ["*"] } };
    const { engine } = await openEngine(SERVERS, { config: { workspace: { shared } } });
    const set = `await state.shared("notes").update("n", (n) => (n ?? 0) + 1); return state.shared("notes").list()`;
    const get = `return state.shared("notes").get("n")`;
    expect(await resultOf(engine, set, { session: as("ada") })).toEqual(["n"]);
    expect(await resultOf(engine, set)).toEqual(["n"]);
    expect(await resultOf(engine, get, { session: as("bob") })).toBe(2);
    await resultOf(engine, `await state.shared("ours").set("n", 1)`, { session: as("eve") });
    const refusals = [
      await engine.run({ code: set, session: as("bob") }),
      await engine.run({ code: get, session: as("eve") }),
      await engine.run({ code: `return state.shared("../notes").get("n")`, session: as("ada") }),
    ];
    const told = refusals.map(({ error }) => error?.message ?? "");
    expect(told[0]).toContain("read-only");
    expect(told[1]).toContain('There is no shared workspace "notes". There is ours');
    expect(told[2]).toContain("There is no shared workspace");
  });
});

describe("personal values in the state", () => {
  const ADA = "ada.lovelace@analytical.example";

  it("are in no file as they are, and become tokens where programs see tokens", async () => {
    const { engine, opened } = await openEngine(SERVERS, { config: { privacy: { mode: "egress" } } });
    await resultOf(engine, `await state.set("who", { email: "${ADA}", n: 1 })`);
    const shown = await engine.run({ code: `return state.get("who")` });
    expect(shown.text).toMatch(/\[EMAIL_\d+\]/);
    expect(shown.text).not.toContain(ADA);
    expect(await resultOf(engine, `return (await state.get("who")).email === "${ADA}"`)).toBe(true);
    await engine.close();
    for (const name of ["memory.db", "memory.db-wal"]) {
      const path = join(opened.dir, ".keyhole", name);
      if (existsSync(path)) expect(readFileSync(path, "latin1")).not.toContain("lovelace");
    }
  });

  it("that were written as tokens are those tokens again, and another's are refused", async () => {
    const shared = { notes: { write: ["*"] } };
    const config = { privacy: { mode: "boundary" }, workspace: { shared } };
    const { engine } = await openEngine(SERVERS, { config });
    await resultOf(engine, `await state.shared("notes").set("who", "${ADA}")`);
    const code = `return (await state.shared("notes").get("who")).startsWith("[EMAIL_")`;
    expect(await resultOf(engine, code)).toBe(true);
    const { error } = await engine.run({ code, session: as("bob") });
    expect(error?.message).toContain('written by "local" with tokens');
  });
});

describe("state of a run that", () => {
  const once = { decision: "approve", scope: "once" } as const;
  const COUNT = `const n = await state.update("n", (n) => (n ?? 0) + 1);
    await post.sendMail({ to: "ada" }); return [n, await state.get("n")];`;

  async function openPost(approval: object = {}) {
    const file = join(await tempDir(), "sent");
    return openEngine({ post: fixture("postbox", file) }, { config: { approval } });
  }

  it("waits for a person and goes on is changed once", async () => {
    const { engine } = await openPost({ holdMs: 200 });
    const first = await engine.run({ code: COUNT });
    expect(first.status).toBe("waiting");
    const [pending] = await engine.approvals.list({ status: "pending" });
    await resultOf(engine, `await state.update("n", (n) => n + 10)`);
    await engine.approvals.answer(pending?.id ?? "", once, "a test");
    // What it was told before it is told again.
    expect(await engine.run({ code: COUNT })).toMatchObject({ status: "done", result: [1, 11] });
    expect(await resultOf(engine, `return state.get("n")`)).toBe(11);
  });

  it("is planned first is changed by the run, and not by its plan", async () => {
    const { engine } = await openPost();
    const seen: unknown[] = [];
    const askPerson = {
      channel: "elicitation",
      async ask() {
        seen.push(await resultOf(engine, `return state.get("n", "nothing")`));
        return { answer: once, by: "a test" };
      },
    };
    const ended = await engine.run({ code: COUNT, plan: true, askPerson });
    expect(ended).toMatchObject({ status: "done", result: [1, 1] });
    expect(seen).toEqual(["nothing"]);
    const only = `await state.set("m", 1); return state.get("m")`;
    expect(await resultOf(engine, only, { plan: true })).toBe(1);
    expect(await resultOf(engine, `return state.get("m")`)).toBe(1);
  });
});
