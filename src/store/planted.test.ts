import { execFileSync } from "node:child_process";
import {
  chmod,
  chown,
  link,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../../test/fixtures/project.ts";
import { openStateDir, type StateDir } from "./state-dir.ts";

const isRoot = process.getuid?.() === 0;
const PRECIOUS = "do not touch\n";
let dir: string;
let outside: string;
let precious: string;

beforeEach(async () => {
  dir = await tempDir();
  outside = await tempDir();
  precious = join(outside, "precious");
  await writeFile(precious, PRECIOUS);
});

const inState = (path: string) => join(dir, ".keyhole", path);

async function plant(path: string, make: (path: string) => Promise<unknown>): Promise<void> {
  await mkdir(dirname(inState(path)), { recursive: true });
  await make(inState(path));
}

/** All that Keyhole does with its state. */
async function useAll(state: StateDir): Promise<void> {
  await state.writeJson("catalog/a.json", { a: 1 });
  await state.readJson("catalog/a.json");
  await state.updateJson(
    "observed/a.json",
    (value) => value,
    () => 1,
  );
  await state.move("catalog/a.json", "catalog/b.json");
  await state.append("runs.jsonl", "line\n");
  await state.readTail("runs.jsonl", 100);
  await state.writeText("told.txt", "text");
  await state.inFolder(["results", "local"], { make: true }, async () => {}).catch(() => {});
}

const PLACES = [
  ".gitignore",
  "key",
  "database.json",
  "keyhole.db",
  "keyhole.db-wal",
  "keyhole.db-shm",
  "keyhole.db-journal",
  "keyhole.db.lock",
  "runs.jsonl",
  "told.txt",
  "embeddings.json",
  "catalog",
  "catalog/a.json",
  "catalog/b.json",
  "eras",
  "observed",
  "observed/a.json",
  "observed/a.json.lock",
  "observed/a.json.lock.removal",
  ".keyhole-00000000-0000-0000-0000-000000000000.tmp",
  "results",
  "results/local",
  "results/local/shared",
  "results/local/shared/r.json",
  "workspaces",
  "workspaces/ada",
];

describe("a state that a repository brings along", () => {
  it.each(PLACES)("with a link as %s is refused by name, and the link is not followed", async (place) => {
    await plant(place, (path) => symlink(precious, path));
    const refusal = `"${inState(place)}" is a link, which is not followed here: delete it, Keyhole makes its own`;
    await expect(openStateDir(dir)).rejects.toMatchObject({ code: "file_conflict", message: refusal });
    expect([await readFile(precious, "utf8"), await readdir(outside)]).toEqual([PRECIOUS, ["precious"]]);
  });

  it.each(PLACES)(
    "with a link to a folder as %s, laid after it was opened, is not followed",
    async (place) => {
      const state = await openStateDir(dir);
      await plant(place, (path) => symlink(outside, path));
      await useAll(state);
      expect(await readdir(outside)).toEqual(["precious"]);
    },
  );

  it.each(PLACES)("with a link to a file as %s, laid after it was opened, is not followed", async (place) => {
    const state = await openStateDir(dir);
    await plant(place, (path) => symlink(precious, path));
    await useAll(state);
    expect([await readFile(precious, "utf8"), await readdir(outside)]).toEqual([PRECIOUS, ["precious"]]);
  });

  it("that is a link itself is refused, also when it is laid later", async () => {
    const state = await openStateDir(dir);
    await symlink(outside, join(dir, ".keyhole"));
    await expect(openStateDir(dir)).rejects.toThrow(`"${join(dir, ".keyhole")}" is a link`);
    await useAll(state);
    expect(await readdir(outside)).toEqual(["precious"]);
  });

  it.each(["runs.jsonl", "told.txt", ".gitignore", "catalog/a.json"])(
    "with a hard link as %s is refused, and what it names stays",
    async (place) => {
      const state = await openStateDir(dir);
      await plant(place, (path) => link(precious, path));
      await expect(openStateDir(dir)).rejects.toThrow("has a second name elsewhere (a hard link)");
      await useAll(state);
      expect(await readFile(precious, "utf8")).toBe(PRECIOUS);
    },
  );

  it.skipIf(process.platform === "win32").each(PLACES)("with a pipe as %s holds nobody up", async (place) => {
    const state = await openStateDir(dir);
    await plant(place, async (path) => execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', path]));
    await expect(openStateDir(dir)).rejects.toThrow("is not a plain file");
    await useAll(state);
  });

  it.runIf(isRoot).each(["", "runs.jsonl", "catalog", "catalog/a.json"])(
    "with another user's %s is refused",
    async (place) => {
      await plant("catalog/a.json", (path) => writeFile(path, "{}"));
      await writeFile(inState("runs.jsonl"), "");
      await chown(inState(place), 65_534, 65_534);
      await expect(openStateDir(dir)).rejects.toThrow(
        /belongs to another user \(uid 65534\): delete it, or make it yours with chown$/,
      );
    },
  );

  it("is closed to others where a lax umask left it open", async () => {
    await (await openStateDir(dir)).append("runs.jsonl", "1\n");
    await chmod(inState(""), 0o777);
    await chmod(inState("runs.jsonl"), 0o666);
    await (await openStateDir(dir)).append("runs.jsonl", "2\n");
    expect((await stat(inState(""))).mode & 0o777).toBe(0o755);
    expect((await stat(inState("runs.jsonl"))).mode & 0o777).toBe(0o600);
  });

  it("is kept out of git even if it says otherwise", async () => {
    await plant(".gitignore", (path) => writeFile(path, "!*\n"));
    await openStateDir(dir);
    expect(await readFile(inState(".gitignore"), "utf8")).toMatch(/\n\*\n$/);
  });

  it("can't fake a line on the terminal by a name in it", async () => {
    await plant("a\u001b[2J\nAll is well", (path) => symlink(precious, path));
    const error: unknown = await openStateDir(dir).catch((reason: unknown) => reason);
    expect(String(error)).not.toMatch(/[\u001b\n]/);
  });

  it("is not made by looking at it", async () => {
    const state = await openStateDir(dir);
    await state.readJson("catalog/a.json");
    expect(await readdir(dir)).toEqual([]);
  });
});

describe("what a state says", () => {
  it("is believed of this user's Keyhole in this project, under this name, and of nobody else", async () => {
    const [home, otherHome, otherDir] = [await tempDir(), await tempDir(), await tempDir()];
    const state = await openStateDir(dir, home);
    await state.writeJson("catalog/a.json", { tools: ["x"] });
    const written = await readFile(inState("catalog/a.json"));
    expect(await (await openStateDir(dir, home)).readJson("catalog/a.json")).toEqual({ tools: ["x"] });
    expect(await (await openStateDir(dir, otherHome)).readJson("catalog/a.json")).toBeUndefined();
    await writeFile(inState("catalog/b.json"), written);
    expect(await state.readJson("catalog/b.json")).toBeUndefined();
    await mkdir(join(otherDir, ".keyhole/catalog"), { recursive: true });
    await writeFile(join(otherDir, ".keyhole/catalog/a.json"), written);
    expect(await (await openStateDir(otherDir, home)).readJson("catalog/a.json")).toBeUndefined();
    await writeFile(inState("catalog/a.json"), written.toString().replace('"x"', '"y"'));
    expect(await state.readJson("catalog/a.json")).toBeUndefined();
  });

  it("does not depend on a key that the repository has", async () => {
    const [known, mine] = [await tempDir(), await tempDir()];
    for (const one of [known, mine]) {
      await mkdir(join(one, ".keyhole"));
      await writeFile(join(one, ".keyhole/key"), Buffer.alloc(32));
    }
    const [a, b] = [await openStateDir(known, await tempDir()), await openStateDir(known, await tempDir())];
    expect(a.fingerprint("secret")).not.toBe(b.fingerprint("secret"));
  });

  it("has a key that is the user's alone, and a new one for one that others can read", async () => {
    const home = join(await tempDir(), "new");
    const before = (await openStateDir(dir, home)).fingerprint("x");
    const file = join(home, "key");
    expect([(await stat(file)).mode & 0o777, (await stat(home)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await openStateDir(dir, home)).fingerprint("x")).toBe(before);
    await chmod(file, 0o644);
    expect((await openStateDir(dir, home)).fingerprint("x")).not.toBe(before);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is nothing where it is larger than it can be, deep, or of any other kind", async () => {
    const state = await openStateDir(dir);
    await state.writeJson("x.json", 1);
    for (const text of ["[".repeat(1_000_000), '{"__proto__":{"a":1}}', "\0", 'null\n""\n']) {
      await writeFile(inState("x.json"), text);
      expect(await state.readJson("x.json")).toBeUndefined();
    }
    await truncate(inState("x.json"), 70e9);
    expect(await state.readJson("x.json")).toBeUndefined();
    expect((await state.readTail("x.json", 1_000)).length).toBe(1_000);
  });
});
