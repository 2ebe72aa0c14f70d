import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStateDir } from "./state-dir.ts";

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
    expect((await stat(join(dir, ".keyhole/key"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dir, ".keyhole/a/b.json"))).mode & 0o777).toBe(0o600);
  });

  it("writes whole files and leaves nothing else behind", async () => {
    const state = await openStateDir(dir);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => state.writeJson("x.json", { n, pad: "p".repeat(10_000) })),
    );
    expect(await state.readJson("x.json")).toMatchObject({ n: expect.any(Number), pad: "p".repeat(10_000) });
    expect((await readdir(join(dir, ".keyhole"))).sort()).toEqual([".gitignore", "key", "x.json"]);
  });

  it("takes a missing or damaged file for nothing", async () => {
    const state = await openStateDir(dir);
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
});
