import { describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { MEMORY_DATABASE, openDatabase } from "../../store/database/open-database.ts";
import { openStateDir } from "../../store/state-dir.ts";
import type { StateSpace } from "./state-space.ts";
import { createStateStore, type StateWrite } from "./state-store.ts";
import { createTrialState } from "./trial-state.ts";

const OWN: StateSpace = { kind: "workspace", name: "local" };
const origin = { hasTokens: false, principal: "local" };
const write = (value: unknown, more: Partial<StateWrite> = {}): StateWrite => ({ value, origin, ...more });

async function open({ dir, at = 1 }: { dir?: string; at?: number } = {}) {
  const place = dir ?? (await tempDir());
  const db = await openDatabase(await openStateDir(place, `${place}/home`), () => {}, {
    kind: MEMORY_DATABASE,
  });
  onCleanup(() => db.close());
  const clock = { now: at };
  const store = createStateStore({
    database: async () => db,
    key: Buffer.alloc(32, 7),
    now: () => clock.now,
  });
  return { store, db, dir: place, clock };
}

describe("state", () => {
  it("gives back what was set, whatever JSON has, also to another process", async () => {
    const { store, dir } = await open();
    const values = [0, "", null, false, [1, { a: [] }], { __proto__x: 1, "": "ü😀", lone: "\ud800" }];
    for (const [at, value] of values.entries()) await store.set(OWN, `k${at}`, write(value));
    const { store: other } = await open({ dir });
    for (const [at, value] of values.entries())
      expect((await other.get(OWN, `k${at}`))?.value).toEqual(value);
    expect((await other.list(OWN)).map(({ key }) => key)).toEqual(values.map((_, at) => `k${at}`));
    expect((await other.list(OWN, "k1")).map(({ key }) => key)).toEqual(["k1"]);
  });

  it("is each space's own", async () => {
    const { store } = await open();
    const spaces: StateSpace[] = [
      OWN,
      { kind: "session", name: "local" },
      { kind: "shared", name: "local" },
      { kind: "workspace", name: "local2" },
    ];
    for (const [at, space] of spaces.entries()) await store.set(space, "a", write(at));
    for (const [at, space] of spaces.entries()) expect((await store.get(space, "a"))?.value).toBe(at);
    await store.remove(spaces[1] ?? OWN);
    expect(await store.get(spaces[1] ?? OWN, "a")).toBeUndefined();
    expect((await store.get(OWN, "a"))?.value).toBe(0);
  });

  it("is written only where nobody was faster, and no version comes twice", async () => {
    const { store } = await open();
    const first = await store.set(OWN, "n", write(1, { expected: 0 }));
    expect(await store.set(OWN, "n", write(2, { expected: 0 }))).toMatchObject({
      isWritten: false,
      current: { value: 1 },
    });
    const known = await store.get(OWN, "n");
    await store.delete(OWN, "n");
    await store.set(OWN, "n", write(1));
    expect(first).toMatchObject({ isWritten: true, version: known?.version });
    expect(await store.set(OWN, "n", write(3, { expected: known?.version ?? 0 }))).toMatchObject({
      isWritten: false,
    });
  });

  it("is done once by a call that is made again, and answered as it was", async () => {
    const { store } = await open();
    const once = { run: "r_1", number: 3, argumentsHash: "h" };
    const made = await store.set(OWN, "n", write(1, { expected: 0, once }));
    await store.set(OWN, "n", write("another's"));
    expect(await store.set(OWN, "n", write(1, { expected: 0, once }))).toEqual(made);
    expect((await store.get(OWN, "n"))?.value).toBe("another's");
    const gone = { ...once, number: 4 };
    expect(await store.delete(OWN, "n", gone)).toBe(true);
    expect(await store.delete(OWN, "n", gone)).toBe(true);
    expect(await store.delete(OWN, "n")).toBe(false);
    await store.forgetRun("r_1");
    expect(await store.set(OWN, "n", write(2, { expected: 0, once }))).toMatchObject({ isWritten: true });
  });

  it("has nothing in the file that could be read without the key, and nothing that was put elsewhere", async () => {
    const { store, db } = await open();
    await store.set(OWN, "mail of nadia@haddad.example", write("nadia@haddad.example"));
    await store.set(OWN, "other", write("harmless"));
    const rows = JSON.stringify(
      db.all("SELECT space, hex(lookup), hex(name), hex(value) FROM state_entries"),
    );
    expect(rows).not.toContain(Buffer.from("nadia").toString("hex").toUpperCase());
    db.exec(
      "UPDATE state_entries SET value = (SELECT value FROM state_entries ORDER BY number LIMIT 1) WHERE number = 2",
    );
    await expect(store.get(OWN, "other")).rejects.toMatchObject({ code: "store_unusable" });
    const stranger = createStateStore({ database: async () => db, key: Buffer.alloc(32, 8) });
    expect(await stranger.list(OWN)).toEqual([]);
  });

  it.each([
    [undefined, "nothing"],
    [5, "a number"],
    [["a"], "an array"],
    ["", "1 to 512"],
    ["x".repeat(513), "1 to 512"],
  ])("takes no key such as %j", async (key, words) => {
    const { store } = await open();
    await expect(store.set(OWN, key, write(1))).rejects.toThrow(words);
    await expect(store.get(OWN, key)).rejects.toThrow(words);
    await expect(store.delete(OWN, key)).rejects.toThrow(words);
  });

  it("has bounds for a value, for all of them, and for how many there are", async () => {
    const { store, db } = await open();
    await expect(store.set(OWN, "a", write(undefined))).rejects.toMatchObject({ code: "usage" });
    await expect(store.set(OWN, "a", write("x".repeat(1024 * 1024)))).rejects.toMatchObject({
      code: "too_large",
    });
    const large = "x".repeat(1_000_000);
    const filling = Array.from({ length: 40 }, (_, at) => store.set(OWN, `k${at}`, write(large)));
    const done = (await Promise.allSettled(filling)).filter(({ status }) => status === "fulfilled");
    expect(done.length).toBe(33);
    expect((await store.list(OWN)).length).toBe(33);
    // What is there can become less, and be deleted.
    await store.set(OWN, "k0", write(1));
    expect(await store.delete(OWN, "k1")).toBe(true);
    db.exec("UPDATE state_spaces SET entries = 10000, bytes = 0");
    await expect(store.set(OWN, "one more", write(1))).rejects.toThrow("10000 keys");
    await store.set(OWN, "k0", write(2));
  });

  it("tells how much it is and when it was used, and is removed only where nobody used it since", async () => {
    const { store, clock } = await open({ at: 1_000 });
    await store.set(OWN, "a", write("x".repeat(1_000)));
    const [use] = await store.spaces();
    expect(use).toMatchObject({ space: OWN, entries: 1, usedAt: 1_000 });
    expect(use?.bytes).toBeGreaterThan(1_000);
    clock.now = 10_000_000;
    await store.get(OWN, "a");
    expect(await store.remove(OWN, 1_000)).toBe(false);
    expect(await store.remove(OWN, 10_000_000)).toBe(true);
    expect(await store.spaces()).toEqual([]);
    expect(await store.get(OWN, "a")).toBeUndefined();
  });
});

it("a program that is tried out sees what it wrote, and leaves nothing", async () => {
  const { store } = await open();
  await store.set(OWN, "a", write(1));
  await store.set(OWN, "b", write(2));
  let writes = 0;
  const trial = createTrialState(store, () => void writes++);
  const found = await trial.get(OWN, "a");
  expect(await trial.set(OWN, "a", write(5, { expected: 99 }))).toMatchObject({ isWritten: false });
  expect(writes).toBe(0);
  expect(await trial.set(OWN, "a", write(5, { expected: found?.version ?? 0 }))).toMatchObject({
    isWritten: true,
  });
  expect((await trial.get(OWN, "a"))?.value).toBe(5);
  expect(await trial.set(OWN, "a", write(6, { expected: found?.version ?? 0 }))).toMatchObject({
    current: { value: 5 },
  });
  expect(await trial.delete(OWN, "b")).toBe(true);
  expect(await trial.delete(OWN, "b")).toBe(false);
  await trial.set(OWN, "c", write(1));
  expect((await trial.list(OWN)).map(({ key }) => key)).toEqual(["a", "c"]);
  expect((await store.list(OWN)).map(({ key }) => key)).toEqual(["a", "b"]);
  expect((await store.get(OWN, "a"))?.value).toBe(1);
});
