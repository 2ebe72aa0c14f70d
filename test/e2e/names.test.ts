import { describe, expect, it } from "vitest";
import { connectKeyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";
import { PROGRAMS } from "../fixtures/spellings.ts";

/** What the front answers to programs, one after another. */
async function createRunner(servers: Record<string, unknown>) {
  const client = await connectKeyhole(await writeProject({ ".mcp.json": { mcpServers: servers } }));
  return async (code: string) => {
    const { _meta, content } = await client.callTool({ name: "execute_code", arguments: { code } });
    return { content, ...Object(_meta?.["keyhole/result"]) };
  };
}

describe("names in programs", () => {
  it("mean a server and its tool in every spelling [names-spellings]", async () => {
    const run = await createRunner({ "google-drive": fixture("drive", "get_sheet", "list-files") });
    for (const code of PROGRAMS) {
      const { result, error, calls } = await run(code);
      expect({ code, result, error, calls }).toMatchObject({
        result: { tool: "get_sheet", id: "1" },
        calls: [{ server: "google-drive", tool: "get_sheet", ok: true }],
      });
    }
  });

  it("that could mean several servers fail with all of them, before anything ran [names-ambiguous]", async () => {
    const run = await createRunner({ "my-db": fixture("drive", "x"), mydb: fixture("drive", "x") });
    const { ok, error, calls } = await run("await mydb.x(); return MyDb.x()");
    expect({ ok, error, calls }).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/'myDb' or 'mydb'/) },
      calls: [],
    });
  });

  it("that a program has for something else are told with the server's other name [names-reserved]", async () => {
    const run = await createRunner({
      delete: fixture("drive", "read_file"),
      fs: fixture("drive", "read_file"),
    });
    expect(await run("return [await delete_.readFile(), await fs_.read_file()]")).toMatchObject({
      result: [{ tool: "read_file" }, { tool: "read_file" }],
    });
    expect(JSON.stringify(await run("return delete.readFile()"))).toContain("write delete_.readFile(…)");
    expect(JSON.stringify(await run('return fs.readFile("./nothing")'))).toContain("write fs_.readFile(…)");
  });

  it("of functions can be listed [names-list]", async () => {
    const run = await createRunner({ "google-drive": fixture("drive", "get_sheet", "list-files") });
    const code = 'return [Object.keys(googleDrive), "getSheet" in googleDrive, "getSheets" in googleDrive]';
    expect(await run(code)).toMatchObject({ result: [["getSheet", "listFiles"], true, false] });
  });
});
