import { describe, expect, it } from "vitest";
import { openEngine } from "../fixtures/engine.ts";
import { fixture } from "../fixtures/project.ts";
import { PROGRAMS } from "../fixtures/spellings.ts";

const DRIVE = { "google-drive": fixture("drive", "get_sheet", "google_drive_search", "list-files") };

const engineWith = async (servers: Record<string, unknown>, checkTypes = true) =>
  (await openEngine(servers, { poolSize: 1, checkTypes })).engine;

describe("a server called google-drive", () => {
  it("is found in every spelling also without the type check", async () => {
    const engine = await engineWith(DRIVE, false);
    for (const code of PROGRAMS) {
      const { result, error, calls } = await engine.run({ code });
      expect({ code, result, error, calls }).toMatchObject({
        result: { tool: "get_sheet", id: "1" },
        calls: [{ server: "google-drive", tool: "get_sheet", ok: true }],
      });
    }
  });

  it("can be called without its own name in a tool's", async () => {
    const engine = await engineWith(DRIVE);
    const code = "return [await googleDrive.search(), await googleDrive.googleDriveSearch()]";
    expect(await engine.run({ code })).toMatchObject({
      result: [{ tool: "google_drive_search" }, { tool: "google_drive_search" }],
    });
  });

  it("has its files under its own name, in any spelling of a path", async () => {
    const engine = await engineWith(DRIVE);
    const code = `
      import { readdir, readFile } from "node:fs/promises";
      const files = ["google-drive/getSheet.ts", "google_drive/get_sheet.ts", "googleDrive/get-sheet.ts"];
      const texts = await Promise.all(files.map((file) => readFile("./servers/" + file, "utf8")));
      return [await readdir("./servers"), new Set(texts).size, texts[0].includes("google-drive__get_sheet")];
    `;
    expect(await engine.run({ code })).toMatchObject({ result: [["google-drive"], 1, true] });
  });

  it("lists its functions, and behaves as an object", async () => {
    const engine = await engineWith(DRIVE);
    const code = `
      const seen = [];
      for (const name in googleDrive) seen.push(name);
      console.log(googleDrive);
      return {
        keys: Object.keys(googleDrive),
        seen,
        isIn: ["getSheet" in googleDrive, "get_sheet" in googleDrive, "getSheets" in googleDrive, "then" in googleDrive],
        types: Object.entries(googleDrive).map(([name, call]) => [name, typeof call, call.name]),
        copy: Object.keys({ ...googleDrive }),
        own: googleDrive.hasOwnProperty("getSheet"),
        awaited: (await googleDrive) === googleDrive,
        same: googleDrive.getSheet === googleDrive.getSheet && google_drive === googleDrive,
        json: JSON.stringify(googleDrive),
        text: String(googleDrive),
      };
    `;
    const names = ["getSheet", "googleDriveSearch", "listFiles"];
    const { result, logs, error } = await engine.run({ code });
    expect(error).toBeUndefined();
    expect(result).toEqual({
      keys: names,
      seen: names,
      isIn: [true, true, false, false],
      types: names.map((name) => [name, "function", name]),
      copy: names,
      own: true,
      awaited: true,
      same: true,
      json: "{}",
      text: "[object Object]",
    });
    expect(logs[0]?.text).toContain("getSheet: [Function: getSheet]");
  });

  it("can be changed by nobody, and a name that it has not fails with the near one", async () => {
    const engine = await engineWith(DRIVE, false);
    const set = await engine.run({ code: "googleDrive.getSheet = () => 1; return googleDrive.getSheet()" });
    expect(set.result).toEqual({ tool: "get_sheet" });
    const near = await engine.run({ code: "return googleDrive.getSheets({})" });
    expect(near.error?.message).toContain('Did you mean "getSheet"?');
  });
});

describe("a name that could mean several", () => {
  it("fails with all of them", async () => {
    const servers = {
      "my-db": fixture("drive", "get-user", "getUser"),
      mydb: fixture("drive", "x"),
    };
    const checked = await engineWith(servers);
    const refused = await checked.run({ code: "return MyDb.x()" });
    expect(refused).toMatchObject({ ok: false, calls: [] });
    expect(refused.text).toMatch(/'myDb' or 'mydb'/);
    const unchecked = await engineWith(servers, false);
    const failed = await unchecked.run({ code: "return MyDb.x()" });
    expect(failed.error?.message).toMatch(/Write one of myDb, mydb/);
    const tool = await unchecked.run({ code: 'return callMCPTool("my-db__GET_USER")' });
    expect(tool.error?.message).toMatch(/Write one of .*getUser/);
    expect((await unchecked.run({ code: 'return callMCPTool("my-db__get-user")' })).result).toEqual({
      tool: "get-user",
    });
  });
});

describe("a server whose name is taken in programs", () => {
  const NAMES = "fs fetch console delete 1password process path crypto default then servers".split(" ");

  it("has another that works, and messages that could be about it say so", async () => {
    const servers = Object.fromEntries(NAMES.map((name) => [name, fixture("drive", "read_file")]));
    const engine = await engineWith(servers);
    const { result, error } = await engine.run({
      code: `return Promise.all([
        fs_, fetch_, console_, delete_, _1password, process_, path_, crypto_, default_, then_, servers_,
      ].map((server) => server.readFile()))`,
    });
    expect(error).toBeUndefined();
    expect(result).toHaveLength(NAMES.length);
    for (const name of ["fs", "delete", "1password", "process", "path", "default", "console"]) {
      const { text } = await engine.run({ code: `return ${name}.readFile({ id: "x" })` });
      expect({ name, text }).toMatchObject({
        text: expect.stringContaining(
          `The server "${name}" is ${name === "1password" ? "_1password" : `${name}_`}`,
        ),
      });
    }
    const found = await engine.search({ query: "server:fs" });
    expect(found.text).toContain("fs_.readFile");
    const imported = `import { readFile } from "./servers/delete"; return readFile({ id: "1" })`;
    expect(await engine.run({ code: imported })).toMatchObject({ result: { id: "1" } });
  });
});
