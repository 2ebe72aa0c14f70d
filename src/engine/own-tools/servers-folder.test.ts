import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { createNameIndex } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import { PRINTERS } from "../../codegen/printers.ts";
import { KeyholeError } from "../../errors.ts";
import { createServersFolder } from "./servers-folder.ts";

const github = serverRecord("github", [
  toolRecord({ name: "createIssue" }),
  toolRecord({ name: "listIssues" }),
]);
const blank = { warnings: [], changes: [] };
const ready = (record: ServerRecord): CatalogEntry => ({
  ...blank,
  name: record.name,
  identifiers: record.identifiers,
  folder: record.folder,
  status: "ready",
  record,
});
const down = new KeyholeError("server_unreachable", 'Server "down" does not answer');
const entries: CatalogEntry[] = [
  ready(github),
  { ...ready(serverRecord("late", [])), status: "failed", error: down },
  { ...ready(serverRecord("down", [])), record: undefined, status: "failed", error: down },
  { ...ready(serverRecord("off", [])), status: "disabled" },
  ready(serverRecord("odd", [], "../odd")),
];
const folderOf = (now: () => readonly CatalogEntry[]) => {
  const entry = (name: string) => now().find((one) => one.name === name);
  const names = createNameIndex(now(), ({ name }) => entry(name)?.record);
  return createServersFolder({ entries: () => [...now()], entry, names }, PRINTERS.typescript);
};
const open = (of = entries) => folderOf(() => of).open();
const at = (path: string, recursive = false) => ({ folder: "servers", path, recursive });

describe("the folder ./servers", () => {
  it("has a folder for each server whose tools are known, also from an earlier time", () => {
    expect(open()(at(""))).toEqual({ kind: "folder", files: [], folders: ["github", "late"] });
    expect(open()(at("github"))).toMatchObject({ files: ["createIssue.ts", "listIssues.ts", "index.ts"] });
    expect(open()(at("", true))).toMatchObject({
      files: ["github/createIssue.ts", "github/listIssues.ts", "github/index.ts", "late/index.ts"],
    });
  });

  it("has the file that the wrappers import, though every entry that is listed is a server", () => {
    expect(open()(at("_keyhole.ts"))).toMatchObject({
      kind: "file",
      text: expect.stringContaining("callMCPTool"),
    });
  });

  it.each([
    "github/create_issue.ts",
    "git-hub/createIssue.ts",
    "GitHub/create-issue.ts",
    "github/github_create_issue.ts",
  ])("finds a file that is spelled %s", (path) => {
    expect(open()(at(path))).toEqual(open()(at("github/createIssue.ts")));
  });

  it("calls a folder by the server's own name, and names all whom a spelling could mean", () => {
    const read = open([ready(serverRecord("google-drive", [])), ready(serverRecord("googledrive", []))]);
    expect(read(at(""))).toMatchObject({ folders: ["google-drive", "googledrive"] });
    expect(read(at("GoogleDrive"))).toMatchObject({
      kind: "missing",
      message: expect.stringContaining("'google-drive' or 'googledrive'"),
    });
  });

  it.each([
    ["githb", "Did you mean 'github'?"],
    ["git-hubb/createIssue.ts", "Did you mean 'github'?"],
    ["github/create_isue.ts", "'createIssue.ts'"],
    ["github/x", 'readdir("./servers/github") lists what is there'],
    ["zzzzzzzzz", "Servers: github, late"],
    ["down", 'Server "down" does not answer'],
    ["off/index.ts", 'The server "off" is disabled'],
  ])("says of %s what could be meant, or why it is not there", (path, message) => {
    expect(open()(at(path))).toEqual({ kind: "missing", message: expect.stringContaining(message) });
  });

  it.each([
    ..."../../etc/passwd|/etc/passwd|..|.|github/..|github/../github/index.ts|github//index.ts|github/|/github".split(
      "|",
    ),
    ..."__proto__|__proto__/constructor.ts|constructor|github/__proto__|github\\index.ts|github%2findex.ts".split(
      "|",
    ),
    "github/index.ts\0",
    "github/index.ts/x",
    "x".repeat(2_000_000),
  ])("has nothing but the names it knows: %s", (path) => {
    expect(open()(at(path))).toMatchObject({
      kind: "missing",
      message: expect.stringMatching(/^.{5,400}$/s),
    });
  });

  it.each([
    null,
    undefined,
    "github",
    [],
    { path: "github" },
    { folder: "skills", path: "github" },
    { folder: "servers", path: ["github"] },
    { folder: "servers", path: { toString: () => "github" } },
    JSON.parse('{"__proto__":{"folder":"servers","path":"github"}}'),
  ])("takes no request like %j", (request) => {
    expect(open()(request)).toMatchObject({ kind: "missing" });
  });

  it("gives one run no more than 64 MB, and each run as much", () => {
    const large = toolRecord({ name: "large", description: "long ".repeat(700) });
    const folder = folderOf(() => [ready(serverRecord("s", [large]))]);
    const read = folder.open();
    let reads = 0;
    while (reads < 100_000 && read(at("s/large.ts")).kind === "file") reads++;
    expect(reads).toBeGreaterThan(10_000);
    expect(reads).toBeLessThan(20_000);
    expect(read(at("s"))).toEqual({ kind: "refused", message: expect.stringContaining("64 MB") });
    expect(folder.open()(at("s/large.ts"))).toMatchObject({ kind: "file" });
  });

  it("explains a number of wrong paths, then only says what there is", () => {
    const read = open();
    const said = Array.from({ length: 60 }, () => read(at("githb")));
    expect(said[0]).toMatchObject({ message: "Did you mean 'github'?" });
    expect(said.at(-1)).toMatchObject({ message: "Servers: github, late" });
  });

  it("explains fewer where each explanation looks at very many names", () => {
    const tools = Array.from({ length: 60_000 }, (_, n) => toolRecord({ name: `tool_${n}` }));
    const read = open([ready(serverRecord("big", tools))]);
    const said = Array.from({ length: 4 }, () => read(at("big/tol-7.ts")));
    expect(said.map((answer) => "message" in answer && answer.message)).toEqual([
      expect.stringContaining("'tool_7.ts'"),
      ...Array(3).fill('readdir("./servers/big") lists what is there'),
    ]);
  });

  it("lists no more than 100,000 files at once, and each server for itself", () => {
    const tools = Array.from({ length: 60_000 }, (_, n) => toolRecord({ name: `tool_${n}` }));
    const read = open([ready(serverRecord("a", tools)), ready(serverRecord("b", tools))]);
    expect(read(at("", true))).toEqual({
      kind: "refused",
      message: expect.stringContaining("one server at a time"),
    });
    expect(read(at("a", true))).toMatchObject({ kind: "folder", files: { length: 60_001 } });
  });

  it("follows the catalogue", () => {
    let now = [ready(github)];
    const read = folderOf(() => now).open();
    expect(read(at("github/createIssue.ts"))).toMatchObject({ kind: "file" });
    now = [ready(serverRecord("github", [toolRecord({ name: "other" })]))];
    expect(read(at("github/createIssue.ts"))).toMatchObject({ kind: "missing" });
    expect(read(at("github"))).toMatchObject({ files: ["other.ts", "index.ts"] });
  });
});
