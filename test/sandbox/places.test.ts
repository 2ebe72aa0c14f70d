import { readlinkSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The guest's files are JavaScript with a type check of their own. */
const { createPlaces } = await import(
  new URL("../../src/sandbox/guest/node/places.js", import.meta.url).href
);

let dir: string;
let places: { place(path: unknown, access: "read" | "write"): string };

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
  const folders = [{ name: "workspace", dir: join(dir, "workspace"), access: "write" }];
  places = createPlaces({ readLinkSync: readlinkSync, realPathSync: realpathSync }, folders, ["servers"]);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const codeOf = (path: unknown, access: "read" | "write" = "read") => {
  try {
    return places.place(path, access).slice(dir.length);
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
    ["workspace/inside/new", "/workspace/inside/new"],
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
    "workspace/loop",
    "workspace/chain/secret.txt",
    "workspace/inside/../folder-out/secret.txt",
    "outside/secret.txt",
    "workspace\0/a",
    "",
    "/",
    "..",
  ])("does not lead out of it: %j", (path) => {
    for (const access of ["read", "write"] as const) expect(codeOf(path, access)).toBe("EACCES");
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
          seen[at] = places.place(at === 0 ? "workspace/folder-out/secret.txt" : "/etc/passwd", "read");
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
