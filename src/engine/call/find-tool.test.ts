import { describe, expect, it } from "vitest";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { createNameIndex } from "../../catalog/name-index.ts";
import type { ServerRecord } from "../../catalog/tool.ts";
import { KeyholeError } from "../../errors.ts";
import { assertTool, createToolFinder, findServer, type Names } from "./find-tool.ts";

const tool = (server: string, name: string, typescript: string) =>
  toolRecord({ server, name, identifiers: { typescript, python: name } });

function namesOf(records: readonly ServerRecord[], failed: readonly string[] = []): Names {
  const entries = [...records, ...failed.map((name) => serverRecord(name, []))].map(
    (record): CatalogEntry => {
      const { name, identifiers, folder } = record;
      const base = { name, identifiers, folder, warnings: [], changes: [] };
      if (!failed.includes(name)) return { ...base, status: "ready", record };
      return {
        ...base,
        status: "failed",
        error: new KeyholeError("server_unreachable", `"${name}" is down`),
      };
    },
  );
  const entry = (name: string) => entries.find((one) => one.name === name);
  return {
    entries: () => entries,
    entry,
    names: createNameIndex(entries, ({ name }) => entry(name)?.record),
  };
}

const names = namesOf(
  [
    serverRecord("google-drive", [
      tool("google-drive", "get_sheet", "getSheet"),
      tool("google-drive", "a__b", "aB"),
    ]),
    serverRecord("github", [tool("github", "create_issue", "createIssue")]),
  ],
  ["broken"],
);

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof KeyholeError) return `${error.message}. ${error.hint ?? ""}`;
  }
  throw new Error("It did not fail");
}

describe("the tool of a call", () => {
  it.each([
    ["googleDrive", "getSheet", "get_sheet"],
    ["google-drive", "get-sheet", "get_sheet"],
    ["mcp", "google_drive__get_sheet", "get_sheet"],
    ["google", "drive_get_sheet", "get_sheet"],
    ["googleDrive", "a__b", "a__b"],
    ["googleDrive", "aB", "a__b"],
  ])("is found by %s and %s", (server, name, expected) => {
    expect(createToolFinder(names)(server, name).tool.name).toBe(expected);
  });

  it.each([
    ["googleDrive", "getSheets", 'has no tool "getSheets". Did you mean "getSheet"?'],
    ["goggleDrive", "getSheet", 'no server "goggleDrive". Did you mean "googleDrive"?'],
    ["nowhere", "x", "Servers: googleDrive, github, broken"],
    ["broken", "x", '"broken" is down'],
    ["__proto__", "constructor", 'no server "__proto__"'],
  ])("that is wrong, %s.%s, is told what was meant", (server, name, message) => {
    expect(messageOf(() => createToolFinder(names)(server, name))).toContain(message);
  });

  it("is told in the words of the program's language", () => {
    const find = createToolFinder(names, "python");
    expect(messageOf(() => find("github", "create_isue"))).toContain('Did you mean "create_issue"?');
    expect(messageOf(() => find("github", "qqq"))).toContain("Find its tools with search_tools");
    expect(messageOf(() => createToolFinder(names)("github", "qqq"))).toContain("with searchTools");
  });

  it("is explained for some of ten thousand wrong names, and each is answered", () => {
    const tools = Array.from({ length: 3000 }, (_, n) => tool("big", `read_thing_${n}`, `readThing${n}`));
    const find = createToolFinder(namesOf([serverRecord("big", tools)]));
    const said = Array.from({ length: 10_000 }, (_, n) => messageOf(() => find("big", `readThng${n}x`)));
    const near = said.filter((message) => message.includes("Did you mean"));
    expect(said[0]).toContain("Did you mean");
    expect(near.length).toBeLessThan(20);
    expect(said.at(-1)).toContain("Find its tools with searchTools");
  });
});

describe("what a command or the library names", () => {
  it.each([
    "github",
    "GitHub",
    "google_drive",
    "github__create_issue",
    "googleDrive.getSheet",
    "mcp__github__createIssue",
  ])("is there as %s", (name) => {
    expect(() => assertTool(names, name)).not.toThrow();
  });

  it.each(["githb", "github__create_isue", "createIssue", "google-drive.x"])("is not there as %s", (name) => {
    expect(() => assertTool(names, name)).toThrow(KeyholeError);
  });

  it("is a server by any of its names", () => {
    expect(findServer(names, "google_drive").name).toBe("google-drive");
    expect(messageOf(() => findServer(names, "gihub"))).toContain('Did you mean "github"?');
  });
});
