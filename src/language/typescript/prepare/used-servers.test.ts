import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../../test/fixtures/codegen/records.ts";
import { prepare } from "./prepare.ts";

const servers = ["github", "git", "my-db", "fs", "map"].map((name) =>
  serverRecord(name, [toolRecord({ name: "list" })]),
);
const ALL = servers.map(({ name }) => name).sort();

async function usesOf(source: string) {
  const prepared = await prepare(source, servers);
  if (!prepared.ok) throw new Error(prepared.error.message);
  const finished = await prepared.finish();
  if (!finished.ok) throw new Error(finished.error.message);
  return finished.uses;
}

describe("the servers that a program uses", () => {
  it.each([
    ["return github.list()", ["github"]],
    ['import { list } from "./servers/git"; return list()', ["git"]],
    ['import * as db from "./servers/my-db"; return db.list()', ["my-db"]],
    ['import { myDb } from "./servers"; return myDb.list()', ["my-db"]],
    ['const db = await import("../servers/my_db/index.ts"); return db.list()', ["my-db"]],
    ['return globalThis["my-db"].list()', ["my-db"]],
    ["return git\\u0068ub.list()", ["github"]],
    ["return my_db.list()", ["my-db"]],
    ["return new Map([[fs, 1]])", []],
    ["return 1", []],
  ])("are found in %j", async (source, expected) => {
    const { servers: used, isOpen } = await usesOf(source);
    expect({ used, isOpen }).toEqual({ used: expected, isOpen: false });
  });

  it.each([
    'return globalThis["git" + "hub"].list()',
    "const { github } = globalThis; return github.list()",
    "return Object.keys(globalThis)",
    'import * as servers from "./servers"; return servers[name]',
    'return (0, eval)("git" + "hub")',
    'return new Function("return git" + "hub")()',
    "const world = self; return world.x",
  ])("can be all of them for %j", async (source) => {
    const { servers: used, isOpen } = await usesOf(source);
    expect({ used: [...used].sort(), isOpen }).toEqual({ used: ALL, isOpen: true });
  });

  it("come with the spellings that the program has for them, and none that means something else already", async () => {
    const { aliases } = await usesOf('const Fs = 1; return [my_db, global["my-db"], MyDb, GitHub, Map, fs]');
    expect(aliases).toEqual([
      ["Fs", "fs_"],
      ["my_db", "myDb"],
      ["MyDb", "myDb"],
      ["GitHub", "github"],
      ["my-db", "myDb"],
    ]);
  });
});
