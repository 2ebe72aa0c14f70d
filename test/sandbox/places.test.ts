import { execFileSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The guest's files are JavaScript with a type check of their own. */
const { createPlaces } = await import(
  new URL("../../src/sandbox/guest/javascript/node/places.js", import.meta.url).href
);

const { createLooks } = await import(
  new URL("../../src/sandbox/guest/javascript/node/looks.js", import.meta.url).href
);

let dir: string;
type Access = "read" | "write" | "remove";
let places: {
  locate(path: unknown): object;
  toDisk(at: object, access: Access): string;
  toEntry(at: object, access: Access): string;
};

/** As Deno's own tells it. */
const lstatOf = (path: string) => {
  const stats = lstatSync(path);
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymlink: stats.isSymbolicLink(),
    nlink: stats.nlink,
  };
};

beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
  for (const name of ["workspace/sub", "workspace-twin", "outside"])
    await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, "outside/secret.txt"), "secret");
  const links = [
    ["file-out", "../outside/secret.txt"],
    ["folder-out", "../outside"],
    ["twin", "../workspace-twin"],
    ["nowhere", "../outside/not-there-yet"],
    ["loop", "loop"],
    ["inside", "sub"],
    ["chain", "folder-out"],
  ] as const;
  for (const [name, target] of links) await symlink(target, join(dir, "workspace", name));
  await link(join(dir, "outside/secret.txt"), join(dir, "workspace/hard"));
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(dir, "workspace/pipe")]);
  const folders = [{ name: "workspace", dir: join(dir, "workspace"), access: "write" }];
  const looks = createLooks({ lstatSync: lstatOf, build: { os: "linux" } });
  places = createPlaces(looks, folders, ["servers"]);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const codeOf = (path: unknown, access: "read" | "write" = "read") => {
  try {
    return places.toDisk(places.locate(path), access).slice(dir.length);
  } catch (error) {
    return Reflect.get(Object(error), "code");
  }
};

describe("a path of a program's", () => {
  it.each([
    ["workspace", "/workspace"],
    ["./workspace/a/../b", "/workspace/b"],
    ["/workspace//sub/./c", "/workspace/sub/c"],
    ["../../workspace/d", "/workspace/d"],
    ["workspace/new/deep", "/workspace/new/deep"],
    [new URL("file:///workspace/a%20b"), "/workspace/a b"],
    [new TextEncoder().encode("workspace/e"), "/workspace/e"],
  ])("leads into its folder: %s", (path, place) => {
    expect(codeOf(path, "write")).toBe(place);
  });

  it.each([
    "workspace/file-out",
    "workspace/folder-out",
    "workspace/folder-out/secret.txt",
    "workspace/folder-out/new.txt",
    "workspace/twin/a",
    "workspace/nowhere",
    "workspace/nowhere/deeper",
    "workspace/inside",
    "workspace/inside/new",
    "workspace/sub/../inside/",
    "workspace/hard",
    "workspace/pipe",
    "workspace/loop",
    "workspace/chain/secret.txt",
    "workspace/sub/../folder-out/secret.txt",
    "outside/secret.txt",
    "workspace\0/a",
    "",
    "/",
    "..",
  ])("does not lead out of it: %j", (path) => {
    for (const access of ["read", "write"] as const) expect(codeOf(path, access)).toBe("EACCES");
  });

  it("can be that of a link, to look at it and to remove it, but not through another one", () => {
    const codeOfEntry = (path: string, access: Access) => {
      try {
        return places.toEntry(places.locate(path), access).slice(dir.length);
      } catch (error) {
        return Reflect.get(Object(error), "code");
      }
    };
    for (const access of ["read", "remove"] as const) {
      for (const name of ["file-out", "nowhere", "loop", "hard", "pipe"])
        expect(codeOfEntry(`workspace/${name}`, access)).toBe(`/workspace/${name}`);
      expect(codeOfEntry("workspace/folder-out/secret.txt", access)).toBe("EACCES");
    }
    expect(codeOfEntry("workspace", "remove")).toBe("EBUSY");
  });

  it("is one text: a path that says another thing each time is asked once", () => {
    let asked = 0;
    const path = { toString: () => (asked++ === 0 ? "workspace/sub" : "/etc/passwd") };
    expect(codeOf(path)).toBe("/workspace/sub");
    expect(asked).toBe(1);
  });

  it("that was forged behind the guard's back is refused", () => {
    const forged = { text: "a", name: "workspace", path: "../outside/secret.txt", isHost: false };
    expect(() => places.toDisk(forged, "read")).toThrow("EACCES");
  });

  it("is judged by the language as it was before the program ran", () => {
    const { startsWith, slice, lastIndexOf } = String.prototype;
    const iterate = Array.prototype[Symbol.iterator];
    const seen: unknown[] = [];
    String.prototype.startsWith = () => true;
    String.prototype.slice = () => "/workspace";
    String.prototype.lastIndexOf = () => 0;
    Array.prototype[Symbol.iterator] = () => [].values();
    try {
      for (let at = 0; at < 2; at++) {
        try {
          const path = at === 0 ? "workspace/folder-out/secret.txt" : "/etc/passwd";
          seen[at] = places.toDisk(places.locate(path), "read");
        } catch (error) {
          seen[at] = Reflect.get(Object(error), "code");
        }
      }
    } finally {
      Object.assign(String.prototype, { startsWith, slice, lastIndexOf });
      Array.prototype[Symbol.iterator] = iterate;
    }
    expect(seen).toEqual(["EACCES", "EACCES"]);
  });
});
