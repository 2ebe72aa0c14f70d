import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStateDir, type StateDir } from "./state-dir.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

describe("openStateDir", () => {
  it("gives the same fingerprint in the same project, and another one elsewhere", async () => {
    const [a, b] = [await openStateDir(dir), await openStateDir(dir)];
    const other = await openStateDir(join(dir, "elsewhere"));
    expect(a.fingerprint("secret")).toBe(b.fingerprint("secret"));
    expect(a.fingerprint("secret")).not.toBe(other.fingerprint("secret"));
  });

  it("agrees on one key when opened many times at once", async () => {
    const states = await Promise.all(Array.from({ length: 20 }, () => openStateDir(dir)));
    expect(new Set(states.map((state) => state.fingerprint("x"))).size).toBe(1);
  });

  it("keeps itself out of version control and its files to the user", async () => {
    const state = await openStateDir(dir);
    await state.writeJson("a/b.json", { n: 1 });
    expect(await readFile(join(dir, ".keyhole/.gitignore"), "utf8")).toContain("\n*\n");
    expect((await stat(join(dir, ".keyhole"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir, ".keyhole/a"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir, ".keyhole/a/b.json"))).mode & 0o777).toBe(0o600);
  });

  it("writes whole files and leaves nothing else behind", async () => {
    const state = await openStateDir(dir);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => state.writeJson("x.json", { n, pad: "p".repeat(10_000) })),
    );
    expect(await state.readJson("x.json")).toMatchObject({ n: expect.any(Number), pad: "p".repeat(10_000) });
    expect((await readdir(join(dir, ".keyhole"))).sort()).toEqual([".gitignore", "x.json"]);
  });

  it("takes a missing or damaged file for nothing", async () => {
    const state = await openStateDir(dir);
    await state.writeJson("there.json", 1);
    await writeFile(join(dir, ".keyhole/broken.json"), "{");
    expect([await state.readJson("broken.json"), await state.readJson("missing.json")]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("remembers nothing, and fails at nothing, where it cannot write", async () => {
    await mkdir(join(dir, "project"));
    await writeFile(join(dir, "project/.keyhole"), "a file in the way");
    const state = await openStateDir(join(dir, "project"));
    await state.writeJson("x.json", 1);
    expect(await state.readJson("x.json")).toBeUndefined();
  });

  it("changes a file for several at once so that nothing gets lost", async () => {
    const states = await Promise.all(Array.from({ length: 10 }, () => openStateDir(dir)));
    const add = (state: StateDir) =>
      state.updateJson(
        "n.json",
        (value) => (typeof value === "number" ? value : undefined),
        (n = 0) => n + 1,
      );
    expect(await Promise.all([...states, ...states].map(add))).not.toContain(false);
    expect(await states[0]?.readJson("n.json")).toBe(20);
    expect(await readdir(join(dir, ".keyhole"))).not.toContain("n.json.lock");
  });

  it("replaces what it can't use, and passes by the lock of a process that was killed long ago", async () => {
    const state = await openStateDir(dir);
    await state.writeJson("there.json", 1);
    await writeFile(join(dir, ".keyhole/n.json"), "damaged");
    await writeFile(join(dir, ".keyhole/n.json.lock"), "");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(dir, ".keyhole/n.json.lock"), longAgo, longAgo);
    const isChanged = await state.updateJson(
      "n.json",
      (value) => value,
      () => 1,
    );
    expect([isChanged, await state.readJson("n.json")]).toEqual([true, 1]);
  });
});
