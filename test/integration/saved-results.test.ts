import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/engine/create-engine.ts";
import { serveHttp } from "../../src/server/http/serve-http.ts";
import { createSession } from "../../src/session.ts";
import { inSession } from "../fixtures/in-session.ts";
import { until } from "../fixtures/processes.ts";
import { fixture, onCleanup, project, tempDir } from "../fixtures/project.ts";

const LONG = "return Array.from({ length: 5000 }, (_, id) => ({ id, name: `user ${id}` }));";
const LIST = 'import { readdir } from "fs/promises"; return readdir("./workspace/results").catch(() => []);';
const read = (path: string) =>
  `import { readFile } from "fs/promises"; return readFile("${path}", "utf8").then((text) => text.length, (error) => error.code);`;
const pathIn = (text: string) => /\.\/workspace\/results\/[^"]+/.exec(text)?.[0] ?? "";

async function open() {
  const opened = await project({ good: fixture("good") });
  const engine = createEngine(opened, { poolSize: 0, ready: opened.catalog.read() });
  onCleanup(() => engine.close());
  return { plain: engine, engine: inSession(engine), dir: opened.dir };
}

describe("saved results", () => {
  it("of one session over HTTP are nothing to another, and go with it", async () => {
    const { plain, engine, dir } = await open();
    const served = await serveHttp(plain, { isOpen: true });
    onCleanup(() => served.close());
    const connect = async () => {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
      const transport = new StreamableHTTPClientTransport(new URL(served.url));
      await client.connect(transport);
      onCleanup(() => client.close());
      const run = async (code: string) =>
        JSON.stringify((await client.callTool({ name: "execute_code", arguments: { code } })).content);
      return { run, end: () => transport.terminateSession() };
    };
    const [a, b] = [await connect(), await connect()];
    const path = pathIn((await a.run(LONG)).replaceAll("\\", ""));
    expect(path).not.toBe("");
    expect(await b.run(read(path))).toContain("ENOENT");
    expect(await b.run(LIST)).toContain("[]");
    expect(await a.run(read(path))).not.toContain("ENOENT");
    expect((await engine.run({ code: read(path) })).result).toBe("ENOENT");
    await a.end();
    await until(
      async () => (await readdir(join(dir, ".keyhole/results/local"))).length === 0,
      "the folder of the session to go",
    );
  });

  it("of one principal are nothing to another, as is its workspace", async () => {
    const { engine, dir } = await open();
    const of = (principal = "local") => createSession({ principal, client: { name: "test" } });
    const saved = await engine.run({ code: LONG, session: of("ada") });
    const path = pathIn(saved.text);
    const keep =
      'import { writeFile } from "fs/promises"; await writeFile("./workspace/own.txt", "mine"); return 1;';
    expect(await engine.run({ code: keep, session: of("ada") })).toMatchObject({ ok: true });
    for (const principal of ["bob", undefined]) {
      const session = of(principal);
      expect((await engine.run({ code: read(path), session })).result).toBe("ENOENT");
      expect((await engine.run({ code: read("./workspace/own.txt"), session })).result).toBe("ENOENT");
    }
    expect((await engine.run({ code: read("./workspace/own.txt"), session: of("ada") })).result).toBe(4);
    const shares = { ...of("bob"), workspace: "ada" };
    expect((await engine.run({ code: read("./workspace/own.txt"), session: shares })).result).toBe(4);
    expect(await readdir(join(dir, "workspace"))).toEqual([".gitignore"]);
  });

  it("are not led elsewhere by links in the workspace, whoever laid them", async () => {
    const { engine, dir } = await open();
    const outside = await tempDir();
    await mkdir(join(dir, "workspace"));
    await symlink(outside, join(dir, "workspace/other"));
    const swap =
      'import { rename } from "fs/promises"; return rename("./workspace/other", "./workspace/results").then(() => "done", (error) => error.code);';
    const [saved] = await Promise.all([engine.run({ code: LONG }), engine.run({ code: swap })]);
    await symlink(outside, join(dir, "workspace/results")).catch(() => {});
    const again = await engine.run({ code: LONG });
    expect(await readdir(outside)).toEqual([]);
    expect([pathIn(saved.text), pathIn(again.text)]).not.toContain("");
  });

  it("leave what an earlier version saved in the workspace readable", async () => {
    const { engine, dir } = await open();
    await mkdir(join(dir, "workspace/results"), { recursive: true });
    await writeFile(join(dir, "workspace/results/old.json"), "[1]");
    expect((await engine.run({ code: read("./workspace/results/old.json") })).result).toBe(3);
    const path = pathIn((await engine.run({ code: LONG })).text);
    expect((await engine.run({ code: LIST })).result).toEqual(
      [path.slice("./workspace/results/".length), "old.json"].sort(),
    );
  });
});
