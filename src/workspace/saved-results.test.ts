import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { openStateDir, type StateDir } from "../store/state-dir.ts";
import { createSavedResults, type ResultScope, type SavedResults } from "./saved-results.ts";

const MIB = 1024 * 1024;
let dir: string;
let state: StateDir;
let results: SavedResults;

beforeEach(async () => {
  dir = await tempDir();
  state = await openStateDir(dir);
  results = createSavedResults(state, 4 * MIB);
});

const ask = (scope: ResultScope, path: unknown, from?: unknown) =>
  results.open(scope)({ folder: "workspace/results", path, recursive: false, from });
const namesOf = async (scope: ResultScope) => {
  const answer = await ask(scope, "");
  return "files" in answer ? [...answer.files].sort() : [];
};
const folderOf = (...steps: string[]) => join(dir, ".keyhole/results", ...steps);

describe("a saved result", () => {
  it("is read back whole, in pieces, by its size, and is the user's alone", async () => {
    const roomy = createSavedResults(state, 1024 * MIB);
    const content = "ü".repeat(10 * MIB);
    expect(await roomy.save({}, "r.json", content)).toBe("./workspace/results/r.json");
    const read = roomy.open({});
    expect(await read({ path: "r.json" })).toEqual({ kind: "file", bytes: 20 * MIB });
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < 20 * MIB; ) {
      const piece = await read({ path: "r.json", from });
      if (!(piece instanceof Uint8Array)) throw new Error("no bytes");
      pieces.push(piece);
      from += piece.length;
    }
    expect(Buffer.concat(pieces).equals(Buffer.from(content))).toBe(true);
    expect((await stat(folderOf("local/shared/r.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folderOf("local/shared"))).mode & 0o777).toBe(0o700);
  });

  it("is seen in its own scope only", async () => {
    const scopes = [
      {},
      { session: "a" },
      { session: "b" },
      { principal: "ada" },
      { principal: "ada", session: "a" },
    ];
    for (const [at, scope] of scopes.entries()) await results.save(scope, `${at}.json`, "1");
    for (const [at, scope] of scopes.entries()) {
      expect(await namesOf(scope)).toEqual([`${at}.json`]);
      expect(await ask(scope, `${(at + 1) % scopes.length}.json`)).toMatchObject({ kind: "missing" });
    }
    expect(await namesOf({ principal: "local" })).toEqual(["0.json"]);
  });

  it("goes with its session, and no other does", async () => {
    for (const session of ["a", "b"]) await results.save({ session, principal: "ada" }, "r.json", "1");
    await results.forget("a");
    expect([
      await namesOf({ session: "a", principal: "ada" }),
      await namesOf({ session: "b", principal: "ada" }),
    ]).toEqual([[], ["r.json"]]);
  });

  it.each(["../shared/0.json", "..", ".", "a/b", "\0", "/etc/passwd", "__proto__", "x".repeat(250), 7, null])(
    "is found by its name alone, not by %j",
    async (path) => {
      await results.save({}, "0.json", "1");
      expect(await ask({}, path)).toMatchObject({ kind: "missing" });
    },
  );

  it.each([-1, 1.5, Number.NaN, "0", 1e300])("has no piece at %s", async (from) => {
    await results.save({}, "r.json", "1");
    expect(await ask({}, "r.json", from)).toEqual({ kind: "file", bytes: 1 });
  });

  it("has an empty piece past its end", async () => {
    await results.save({}, "r.json", "1");
    expect(await ask({}, "r.json", 5)).toEqual(Buffer.alloc(0));
  });
});

describe("room for saved results", () => {
  const age = async (path: string, days: number) => {
    const at = Date.now() / 1000 - days * 86_400;
    await utimes(path, at, at);
  };

  it("is a quarter of the disk's for a scope, and the oldest give way", async () => {
    for (const [at, name] of ["a", "b", "c"].entries()) {
      await results.save({}, name, "x".repeat(400_000));
      await age(folderOf("local/shared", name), 3 - at);
    }
    expect(await namesOf({})).toEqual(["b", "c"]);
    await expect(results.save({}, "d", "x".repeat(MIB + 1))).rejects.toMatchObject({ code: "too_large" });
    expect(await namesOf({})).toEqual(["b", "c"]);
  });

  it("is the whole disk's for all sessions of a principal together, however many it opens", async () => {
    for (let n = 0; n < 60; n++) await results.save({ session: String(n) }, "r", "x".repeat(100_000));
    const folders = await readdir(folderOf("local"));
    const sizes = await Promise.all(
      folders.map(async (name) => (await readdir(folderOf("local", name))).length),
    );
    expect(sizes.reduce((sum, files) => sum + files, 0)).toBeLessThanOrEqual(42);
    expect(folders.length).toBeLessThanOrEqual(51);
    expect(await namesOf({ session: "59" })).toEqual(["r"]);
  });

  it("is given back by what is old", async () => {
    await results.save({}, "new", "1");
    await results.save({}, "old", "1");
    await results.save({ session: "gone" }, "r", "1");
    await results.save({ session: "here" }, "r", "1");
    await age(folderOf("local/shared/old"), 30);
    const [first] = (await readdir(folderOf("local"))).filter((name) => name !== "shared");
    await age(folderOf("local", first ?? "", "r"), 3);
    await results.tidy();
    expect(await namesOf({})).toEqual(["new"]);
    expect((await readdir(folderOf("local"))).length).toBe(2);
  });
});

describe("a folder for saved results", () => {
  it("that is a link is not followed, to save or to read", async () => {
    const outside = await tempDir();
    await writeFile(join(outside, "r.json"), "precious");
    await mkdir(folderOf("local"), { recursive: true });
    await symlink(outside, folderOf("local/shared"));
    await expect(results.save({}, "new.json", "1")).rejects.toThrow("is a link");
    expect(await ask({}, "r.json")).toEqual({ kind: "refused", message: expect.not.stringContaining(dir) });
    expect(await readdir(outside)).toEqual(["r.json"]);
  });

  it("has a link in the place of a result replaced, and never read", async () => {
    const outside = await tempDir();
    await writeFile(join(outside, "precious"), "precious");
    await results.save({}, "other", "1");
    await symlink(join(outside, "precious"), folderOf("local/shared/r.json"));
    expect(await ask({}, "r.json", 0)).toMatchObject({ kind: "refused" });
    await results.save({}, "r.json", "1");
    expect(await readFile(join(outside, "precious"), "utf8")).toBe("precious");
  });

  it("that can't be made costs the result, in a sentence", async () => {
    await writeFile(join(dir, ".keyhole"), "a file in the way");
    await expect(results.save({}, "r.json", "1")).rejects.toThrow("can't be written");
  });
});

describe("folders for saved results that a repository brought", () => {
  /** Old enough to be removed, were they saved results. */
  async function plantVictim(): Promise<string> {
    const victim = await tempDir();
    for (const path of ["olddir/sub/a", "shared/b", "shared/c"]) {
      await mkdir(join(victim, path, ".."), { recursive: true });
      await writeFile(join(victim, path), "precious");
      await utimes(join(victim, path), 0, 0);
    }
    return victim;
  }
  const filesIn = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

  it.each([["x"], ["local"], ["local/x"], ["local/shared"]])(
    "lead nowhere by a link at %s",
    async (place) => {
      const victim = await plantVictim();
      const before = await filesIn(victim);
      await mkdir(join(folderOf(place), ".."), { recursive: true });
      await symlink(place.includes("/") ? join(victim, "shared") : victim, folderOf(place));
      await results.tidy();
      await results.forget("olddir").catch(() => {});
      await results.save({}, "r.json", "x".repeat(900_000)).catch(() => {});
      await results.save({ session: "s" }, "r.json", "x".repeat(900_000)).catch(() => {});
      await results.save({ session: "s" }, "t.json", "x".repeat(900_000)).catch(() => {});
      expect(await filesIn(victim)).toEqual(before);
    },
  );
});
