import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolRecord } from "../../test/fixtures/codegen/records.ts";
import { createNameIndex, findTool, foldName, nameIndexOf } from "./name-index.ts";
import { toIdentifiers, toServerNames } from "./names.ts";
import type { ServerRecord } from "./tool.ts";

/** Records as the catalogue makes them. */
function toServers(servers: { readonly [name: string]: readonly string[] }): ServerRecord[] {
  return [...toServerNames(Object.keys(servers))].map(([name, given]) => {
    const names = servers[name] ?? [];
    const typescript = toIdentifiers(names, "typescript");
    const python = toIdentifiers(names, "python");
    const tools = names.map((tool) =>
      toolRecord({
        name: tool,
        server: name,
        identifiers: { typescript: typescript.get(tool) ?? "", python: python.get(tool) ?? "" },
      }),
    );
    return { name, ...given, tools };
  });
}

const servers = toServers({
  "google-drive": ["get_sheet", "google_drive_search", "read-text-file"],
  filesystem: ["read_text_file", "write__all"],
  fs: ["read_file"],
  "1password": ["getItem"],
});
const names = nameIndexOf(servers);
const serverOf = (spelling: string) => {
  const meant = names.server(spelling);
  return meant.kind === "one" ? meant.value.name : meant.kind;
};
const toolOf = (spelling: string, of = names) => {
  const meant = of.tool(spelling);
  return meant.kind === "one" ? `${meant.value.server.name} ${meant.value.tool.name}` : meant.kind;
};

describe("a server", () => {
  it.each([
    ..."google-drive google_drive googleDrive GoogleDrive GOOGLE_DRIVE googledrive".split(" "),
    "Google Drive",
  ])("is meant by %s", (spelling) => {
    expect(serverOf(spelling)).toBe("google-drive");
  });

  it.each([
    ["fs", "fs"],
    ["fs_", "fs"],
    ["1password", "1password"],
    ["_1password", "1password"],
  ])("whose name can't be an identifier is meant by %s too", (spelling, name) => {
    expect(serverOf(spelling)).toBe(name);
  });

  it.each(["google", "drive", "googleDrives", "", "-", "x".repeat(10_000), "__proto__", "constructor"])(
    "is not meant by %.20s",
    (spelling) => {
      expect(serverOf(spelling)).toBe("none");
    },
  );

  it("that is called exactly so is meant before another that is spelled alike", () => {
    const alike = nameIndexOf(toServers({ "my-db": [], my_db: [], MYDB: [] }));
    for (const name of ["my-db", "my_db", "MYDB"])
      expect(alike.server(name)).toMatchObject({ value: { name } });
    const { kind, values } = { values: [], ...alike.server("My.Db") };
    expect([kind, values.map(({ name }: ServerRecord) => name)]).toEqual([
      "many",
      ["my-db", "my_db", "MYDB"],
    ]);
  });
});

describe("a tool with its server", () => {
  it.each([
    "google-drive__get_sheet",
    "googleDrive__getSheet",
    "google_drive__get_sheet",
    "googleDrive.getSheet",
    "google_drive.get_sheet",
    "google-drive/get-sheet",
    "google-drive:get_sheet",
    "mcp__google-drive__get_sheet",
    "mcp__google_drive__getSheet",
    "mcp.googleDrive.getSheet",
    "google_drive_get_sheet",
    "google-drive__google_drive_get_sheet",
    "GoogleDrive.GetSheet",
  ])("is meant by %s", (spelling) => {
    expect(toolOf(spelling)).toBe("google-drive get_sheet");
  });

  it.each([
    ["googleDrive.search", "google-drive google_drive_search"],
    ["googleDrive.googleDriveSearch", "google-drive google_drive_search"],
    ["filesystem.readTextFile", "filesystem read_text_file"],
    ["filesystem__readTextFile", "filesystem read_text_file"],
    ["googleDrive.readTextFile", "google-drive read-text-file"],
    ["filesystem__write__all", "filesystem write__all"],
    ["fs_.readFile", "fs read_file"],
    ["fs__read_file", "fs read_file"],
  ])("%s is %s", (spelling, expected) => {
    expect(toolOf(spelling)).toBe(expected);
  });

  it.each([
    "getSheet",
    "get_sheet",
    "readTextFile",
    "google-drive__getSheets",
    "nope__get_sheet",
    "__",
    "a".repeat(5000),
  ])("is not meant by %.30s: a name without its server could be anybody's", (spelling) => {
    expect(toolOf(spelling)).toBe("none");
  });

  it("is not guessed where a name can be cut in two ways, unless one of them is its own", () => {
    const cuts = nameIndexOf(toServers({ a: ["b__c"], a__b: ["c"] }));
    expect(cuts.tool("a__b__c").kind).toBe("many");
    expect(toolOf("a__b.c", nameIndexOf(toServers({ a: ["bc"], "a-b": ["c"] })))).toBe("many");
    expect(toolOf("a-b__c", nameIndexOf(toServers({ a: ["bc"], "a-b": ["c"] })))).toBe("a-b c");
  });

  it("of the server that has it now", () => {
    const [drive] = servers;
    if (drive === undefined) throw new Error("no fixture");
    let now: ServerRecord = drive;
    const live = createNameIndex([drive], () => now);
    expect(live.tool("googleDrive.getSheet").kind).toBe("one");
    now = { ...drive, tools: [] };
    expect(live.tool("googleDrive.getSheet").kind).toBe("none");
  });
});

describe("any names", () => {
  const name = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom("a", "A", "b", "_", "-", ".", "/", "1", " ", "ß", "必"),
      minLength: 1,
    }),
    fc.constantFrom("__proto__", "constructor", "then", "delete", "fs", "Map", "mcp", "mcp__a", "a__b0b0b0"),
  );
  const list = fc.uniqueArray(name, { minLength: 1, maxLength: 12 });

  it("the name that is shown means its server and its tool; the server's own name means it too, or nobody else", () => {
    fc.assert(
      fc.property(list, list, (serverNames, tools) => {
        const all = toServers(Object.fromEntries(serverNames.map((one) => [one, tools])));
        const index = nameIndexOf(all);
        for (const server of all) {
          expect(index.server(server.identifiers.typescript)).toEqual({ kind: "one", value: server });
          for (const tool of server.tools)
            expect(findTool(server, tool.identifiers.typescript)).toEqual({ kind: "one", value: tool });
        }
      }),
    );
  });

  it("folding is the same for what folds alike, and bounded", () => {
    fc.assert(
      fc.property(name, (one) => {
        expect(foldName(foldName(one))).toBe(foldName(one));
      }),
    );
  });
});
