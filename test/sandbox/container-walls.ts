import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuestSpec, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import type { Folder, Host, Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";

const MB = 1024 * 1024;

/** What another daemon or another runtime could do differently: a short selection, where the whole suite would take too long. */
export function testContainerWalls(
  name: string,
  create: (config: { readonly guest?: GuestSpec }) => Sandbox,
  missing: string | undefined,
): void {
  describe.skipIf(missing !== undefined)(`${name}${missing === undefined ? "" : ` (${missing})`}`, () => {
    let sandbox: Sandbox;
    let dir: string;
    beforeAll(async () => {
      sandbox = create({});
      dir = await mkdtemp(join(tmpdir(), "keyhole-test-"));
    });
    afterAll(async () => {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    });

    const host: Host = { callTool: async (_server, _tool, args) => args };
    const run = (code: string, options: SandboxRunOptions = {}) =>
      sandbox.run({ code, servers: ["github"], modules: ["fs"] }, host, options);

    it("runs a program, with calls and a large result", async () => {
      const code = 'const { n } = await github.x({ n: 7 }); return "x".repeat(3e6).length + n';
      expect(await run(code)).toMatchObject({ ok: true, value: 3_000_007 });
    });

    it("hands over files and takes back what changed, also of a program that was ended", async () => {
      const folder: Folder = { name: "workspace", dir: join(dir, "workspace"), access: "write" };
      await mkdir(join(folder.dir, "given"), { recursive: true });
      await writeFile(join(folder.dir, "given/large"), new Uint8Array(5 * MB).fill(7));
      await writeFile(join(folder.dir, "gone"), "x");
      const code = `const fs = __keyhole.modules.fs;
        fs.writeFileSync("workspace/size", String(fs.readFileSync("workspace/given/large").length));
        fs.rmSync("workspace/gone"); fs.mkdirSync("workspace/a/b", { recursive: true });
        fs.writeFileSync("workspace/a/b/" + "n".repeat(120), "text");
        await github.x(); for (;;);`;
      const outcome = await run(code, { folders: [folder], limits: { wallMs: 2_000 } });
      expect(outcome).toMatchObject({ ok: false, error: { kind: expect.stringMatching(/timeout|cpu/) } });
      expect((await readdir(folder.dir)).sort()).toEqual(["a", "given", "size"]);
      expect(await readFile(join(folder.dir, "size"), "utf8")).toBe(String(5 * MB));
      expect(await readdir(join(folder.dir, "a/b"))).toEqual(["n".repeat(120)]);
    });

    it.each([
      ["memory", "const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1))", {}],
      ["cpu", "for (;;);", { cpuMs: 300 }],
      [
        "disk",
        'const part = "x".repeat(5e6); for (let n = 0; ; n++) __keyhole.modules.fs.writeFileSync("workspace/" + n, part)',
        { diskBytes: 20 * MB },
      ],
      [
        "disk",
        'for (let n = 0; ; n++) __keyhole.modules.fs.mkdirSync("workspace/" + n)',
        { diskBytes: 2 * MB },
      ],
    ] as const)("holds %s: %s", async (kind, code, limits) => {
      const folder: Folder = { name: "workspace", dir: await mkdtemp(join(dir, "filled-")), access: "write" };
      expect(await run(code, { folders: [folder], limits })).toMatchObject({ ok: false, error: { kind } });
    });

    it("runs Python, with calls, files and a limit", async () => {
      const python = create({ guest: PYTHON_GUEST });
      const folder: Folder = { name: "workspace", dir: await mkdtemp(join(dir, "python-")), access: "write" };
      await writeFile(join(folder.dir, "rows.csv"), "n\n1\n2\n");
      const code = `import csv, os, sqlite3
rows = [int(row["n"]) for row in csv.DictReader(open("workspace/rows.csv"))]
os.link("workspace/rows.csv", "workspace/again.csv")
sqlite3.connect("workspace/d.db").execute("create table t (n)")
return [github.x(n=sum(rows))["n"], os.getuid()]`;
      const program = { code, servers: ["github"], modules: ["fs"] };
      try {
        expect(await python.run(program, host, { folders: [folder] })).toMatchObject({
          ok: true,
          value: [3, 65_534],
        });
        expect((await readdir(folder.dir)).sort()).toEqual(["again.csv", "d.db", "rows.csv"]);
        const endless = { code: "while True: pass", servers: [] };
        expect(await python.run(endless, host, { limits: { cpuMs: 300 } })).toMatchObject({
          ok: false,
          error: { kind: "cpu" },
        });
      } finally {
        await python.close();
      }
    });

    it("ends a run that is cancelled, and the next one works", async () => {
      const controller = new AbortController();
      const cancelling: Host = {
        callTool: () => {
          controller.abort();
          return new Promise(() => {});
        },
      };
      const program = { code: "await github.x()", servers: ["github"] };
      const outcome = await sandbox.run(program, cancelling, { signal: controller.signal });
      expect(outcome).toMatchObject({ ok: false, error: { kind: "cancelled" } });
      expect(await run("return 1")).toMatchObject({ ok: true, value: 1 });
    });
  });
}
