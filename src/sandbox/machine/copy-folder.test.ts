import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SANDBOX_LIMITS } from "../limits.ts";
import { readFolder, writeFolder } from "./copy-folder.ts";
import type { CopyPart } from "./folder-copies.ts";

let dir = "";
let outside = "";
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "keyhole-copies-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  [dir, outside] = [join(root, "folder"), join(root, "outside")];
  await mkdir(dir);
  await mkdir(outside);
  await writeFile(join(outside, "secret"), "theirs");
});

const bytes = (text: string): CopyPart => ({ kind: "bytes", bytes: Buffer.from(text) });
const file = (path: string, text: string): CopyPart[] => [{ kind: "file", path }, bytes(text)];
async function* all(parts: readonly CopyPart[]) {
  yield* parts;
}
const write = (parts: readonly CopyPart[], given: string[] = [], diskBytes = 1e6) =>
  writeFolder(dir, all(parts), new Set(given), { ...SANDBOX_LIMITS, diskBytes });

describe("a folder that is copied out", () => {
  it("has its files and folders, and nothing that leads out of it", async () => {
    await mkdir(join(dir, "a/b"), { recursive: true });
    await writeFile(join(dir, "a/b/c"), "text");
    await symlink(outside, join(dir, "link"));
    await link(join(outside, "secret"), join(dir, "hard"));
    const given = new Set<string>();
    const parts: CopyPart[] = [];
    for await (const part of readFolder(dir, given)) parts.push(part);
    expect(parts).toEqual([
      { kind: "folder", path: "a" },
      { kind: "folder", path: "a/b" },
      ...file("a/b/c", "text"),
    ]);
    expect([...given]).toEqual(["a", "a/b", "a/b/c"]);
  });
});

it("a name that is no text is left out", async () => {
  const odd = Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff])]);
  await mkdir(odd);
  await writeFile(Buffer.concat([odd, Buffer.from("in")]), "");
  await mkdir(join(dir, "\ufffd-text"));
  const parts: CopyPart[] = [];
  for await (const part of readFolder(dir, new Set())) parts.push(part);
  expect(parts).toEqual([{ kind: "folder", path: "\ufffd-text" }]);
});

it("what a killed host left of a file is not handed out, and goes when it is old", async () => {
  const [old, young] = [0, 1].map((n) => join(dir, `.keyhole-${String(n).repeat(36)}.tmp`));
  for (const path of [old, young]) await writeFile(path ?? "", "half of");
  await utimes(old ?? "", 0, 0);
  for await (const part of readFolder(dir, new Set())) expect.unreachable(part.kind);
  expect(await readdir(dir)).toEqual([basename(young ?? "")]);
});

describe("what comes back", () => {
  it("is written, and what was given and is missing is removed", async () => {
    await writeFile(join(dir, "kept"), "kept");
    await writeFile(join(dir, "gone"), "gone");
    await writeFile(join(dir, "another's"), "made meanwhile");
    const parts: CopyPart[] = [
      { kind: "same", path: "kept" },
      { kind: "folder", path: "new" },
      ...file("new/file", "one"),
      bytes(" two"),
    ];
    expect(await write(parts, ["kept", "gone"])).toBeUndefined();
    expect((await readdir(dir, { recursive: true })).sort()).toEqual([
      "another's",
      "kept",
      "new",
      "new/file",
    ]);
    expect(await readFile(join(dir, "new/file"), "utf8")).toBe("one two");
  });

  it("is nested no deeper than anybody nests folders", async () => {
    const deep = Array.from({ length: 201 }, () => "d").join("/");
    expect(await write([{ kind: "folder", path: deep }])).toMatchObject({ kind: "disk" });
    expect(await readdir(dir)).toEqual([]);
  });

  it("changes nothing once nobody waits for it", async () => {
    const ending = new AbortController();
    async function* late(): AsyncGenerator<CopyPart> {
      yield* file("first", "1");
      ending.abort(new Error("too late"));
      yield* file("second", "2");
    }
    const { signal } = ending;
    await writeFile(join(dir, "given"), "given");
    await expect(writeFolder(dir, late(), new Set(["given"]), SANDBOX_LIMITS, signal)).rejects.toThrow(
      "too late",
    );
    expect(await readdir(dir)).toEqual(["given"]);
  });

  it("leaves a file as it was until all of it is there", async () => {
    await writeFile(join(dir, "report"), "before");
    async function* broken(): AsyncGenerator<CopyPart> {
      yield* file("report", "aft");
      expect(await readFile(join(dir, "report"), "utf8")).toBe("before");
      throw new Error("The connection is gone");
    }
    await expect(writeFolder(dir, broken(), new Set(["report"]), SANDBOX_LIMITS)).rejects.toThrow("gone");
    expect(await readdir(dir)).toEqual(["report"]);
    expect(await readFile(join(dir, "report"), "utf8")).toBe("before");
    expect(
      await write([...file("report", "x"), bytes("y".repeat(20_000))], ["report"], 16_000),
    ).toBeDefined();
    expect(await readdir(dir)).toEqual(["report"]);
    expect(await readFile(join(dir, "report"), "utf8")).toBe("before");
  });

  it("takes the place of a folder", async () => {
    await mkdir(join(dir, "a/b"), { recursive: true });
    expect(await write(file("a", "now a file"), ["a", "a/b"])).toBeUndefined();
    expect(await readFile(join(dir, "a"), "utf8")).toBe("now a file");
  });

  it.each(["../outside/secret", "a/../../outside/secret", "/etc/x", "", ".", "a//b", "a/", "a\0b", "a\\b"])(
    "has no name like %j",
    async (path) => {
      expect(await write(file(path, "x"))).toMatchObject({ kind: "sandbox" });
      expect(await readFile(join(outside, "secret"), "utf8")).toBe("theirs");
    },
  );

  it("goes through no link, and into no file of another name", async () => {
    await symlink(outside, join(dir, "way"));
    await symlink(join(outside, "secret"), join(dir, "link"));
    await link(join(outside, "secret"), join(dir, "hard"));
    await expect(write(file("way/secret", "x"))).rejects.toMatchObject({ code: "file_conflict" });
    expect(await write([...file("link", "mine"), ...file("hard", "mine")])).toBeUndefined();
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("theirs");
    expect(await readFile(join(dir, "hard"), "utf8")).toBe("mine");
  });

  it.each<[string, CopyPart[], string]>([
    ["bytes over the limit", file("a", "x".repeat(20_000)), "disk"],
    ["many empty files", Array.from({ length: 9 }, (_, at) => ({ kind: "file", path: `${at}` })), "disk"],
    ["what could not be read", [{ kind: "unread", path: "a" }], "disk"],
    ["a path without end", [{ kind: "folder", path: "a/".repeat(3000) }], "disk"],
    ["bytes of no file", [bytes("x")], "sandbox"],
    ["a name twice", [...file("a", "x"), ...file("a", "y")], "sandbox"],
    ["a file that was never there", [{ kind: "same", path: "a" }], "sandbox"],
  ])("ends with %s", async (_what, parts, kind) => {
    expect(await write(parts, [], 16_000)).toMatchObject({ kind });
  });
});
