import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuestSpec, PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import type { Limits } from "../../src/sandbox/limits.ts";
import type { Folder, Host, RunOutcome, Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";
import { testPythonHostility } from "./python-hostility.ts";
import { testPythonNetwork } from "./python-network.ts";
import { testPythonPrograms } from "./python-programs.ts";
import { testPythonRuntime } from "./python-runtime.ts";
import { testHostilePythonSkills, testPythonSkills } from "./python-skills.ts";
import { testPythonSteady } from "./python-steady.ts";

export type PythonCapabilities = {
  /** Why Python can't run there; then all is skipped, loudly. */
  readonly missing?: string;
  /** Whether CPU time is told; else the program's own time is held, by asking. */
  readonly cpu: boolean;
  readonly memory: boolean;
  /** Whether programs get copies of their folders, in which links are not. */
  readonly copies?: boolean;
  /** Whether the folder of a forged runner can be handed over: not where the guest is part of an image. */
  readonly forges?: boolean;
  /** Only what the tier itself has a part in: what is the guest's alone is tried in another, unless KEYHOLE_TEST_TIERS=all. */
  readonly isTierAlone?: boolean;
  /** Whether programs have a system of their own, with processes and sockets that lead nowhere, instead of a filter. */
  readonly isOwnSystem?: boolean;
  /** Whether machines are emulated: all takes many times as long, so that what others tell of is left to `KEYHOLE_TEST_TIERS=all`. */
  readonly isEmulated?: boolean;
  /** Whether it is Pyodide: it has neither threads nor TLS, and its system is Emscripten's. */
  readonly isPyodide?: boolean;
};

export type CreatePython = (options: { limits?: Partial<Limits>; guest: GuestSpec }) => Sandbox;

export type PythonWorld = {
  readonly sandbox: Sandbox;
  readonly workspace: Folder;
  readonly outside: string;
  readonly secret: string;
  /** A sandbox whose runner speaks the protocol wrong. */
  forge(): Sandbox;
  run(code: string, host?: Host, options?: SandboxRunOptions): Promise<RunOutcome>;
  returned(code: string, host?: Host, options?: SandboxRunOptions): Promise<unknown>;
  failed(
    code: string,
    host?: Host,
    options?: SandboxRunOptions,
  ): Promise<Extract<RunOutcome, { ok: false }>["error"]>;
};

const FORGER = join(import.meta.dirname, "../fixtures/guests/python/forger.py");
const SECRET = "the-secret-of-the-host";

const ECHO: Host = {
  callTool: async (server, tool, args) => ({ server, tool, args }),
  callOwn: async (own, args) => ({ own, args }),
};

/** What every tier must do with Python: the sister of `testSandbox`. Programs are real, and so is the place they run in. */
export function testPythonSandbox(
  name: string,
  create: CreatePython,
  capabilities: PythonCapabilities,
): void {
  const { missing } = capabilities;
  const suite = missing === undefined ? describe : describe.skip;
  suite(`${name}, Python${missing === undefined ? "" : ` (${missing})`}`, () => {
    let sandbox: Sandbox;
    let workspace: Folder;
    let outside: string;
    let dir: string;

    beforeAll(async () => {
      sandbox = create({ guest: PYTHON_GUEST });
      dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
      outside = join(dir, "outside");
      workspace = { name: "workspace", dir: join(dir, "workspace"), access: "write" };
      await mkdir(outside);
      await mkdir(workspace.dir);
      await writeFile(join(outside, "secret.txt"), SECRET);
    });
    afterAll(async () => {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    });

    const run = (code: string, host: Host = ECHO, options: SandboxRunOptions = {}) =>
      sandbox.run({ code, servers: ["github", "memory"], modules: ["fs"] }, host, options);
    const returned = async (code: string, host?: Host, options?: SandboxRunOptions) => {
      const outcome = await run(code, host, options);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    };
    const failed = async (code: string, host?: Host, options?: SandboxRunOptions) =>
      failure(await run(code, host, options));
    const world = (): PythonWorld => ({
      ...{ sandbox, workspace, outside, secret: SECRET },
      ...{ run, returned, failed },
      forge: () => create({ guest: { ...PYTHON_GUEST, runner: FORGER } }),
    });

    testPythonRuntime(world);
    testPythonSkills(world);
    const isWhole = !capabilities.isTierAlone || process.env["KEYHOLE_TEST_TIERS"] === "all";
    if (isWhole) testPythonPrograms(world, capabilities);
    // Pyodide is another Python, with other random numbers and another clock.
    if (isWhole || capabilities.isPyodide) testPythonSteady(world);
    // What is hostile is tried in a machine by test/hostile/python.
    if (isWhole || !capabilities.isEmulated) {
      testPythonNetwork(world, capabilities);
      testPythonHostility(world, capabilities);
      testHostilePythonSkills(world);
    }

    describe("limits", () => {
      // What a tier can't do is no test there: a skipped one would look like one that this machine is to blame for.
      if (capabilities.cpu)
        it("ends an endless loop by its CPU time", async () => {
          expect(await failed("while True: pass", ECHO, { limits: { cpuMs: 200 } })).toMatchObject({
            kind: "cpu",
          });
        });

      it.each([
        [
          "an endless loop, by the clock",
          "while True: pass",
          { wallMs: 400, cpuMs: 60_000 } as const,
          "timeout",
        ],
        ["a sleep that never ends", "import time\ntime.sleep(1e6)", { sleepMs: 300 }, "timeout"],
        [
          "a timer that never ends",
          "import asyncio\nwhile True: await asyncio.sleep(0.05)",
          { sleepMs: 300 },
          "timeout",
        ],
        ["a run that takes too long", "import asyncio\nawait asyncio.sleep(900)", { runMs: 200 }, "timeout"],
        ["a flood of logs", 'line = "x" * 1000000\nfor n in range(1000): print(line)', {}, "output"],
        ["a flood of blocks", 'while True: emit("x" * 1000000)', {}, "output"],
        ["a result over the limit", 'return "x" * 2000000', { outputBytes: 1e6 }, "output"],
        ["a frame over the limit", 'github.x(a="x" * 2000000)', { frameBytes: 1e6 }, "frame"],
        ["too many calls", "while True: github.x()", { calls: 50 }, "calls"],
        [
          "too many calls at once",
          "import asyncio\nawait asyncio.gather(*[github.x(n=n) for n in range(20000)])",
          { calls: 10_000 },
          "calls",
        ],
      ])("ends %s", async (_what, code, limits, kind) => {
        const error = await failed(code, ECHO, { limits });
        expect(error).toMatchObject({ kind, limit: { unit: expect.any(String) } });
      });

      if (capabilities.memory)
        it.each([
          ["lists", "kept = []\nwhile True: kept.append([0] * 100000)"],
          ["texts", "kept = []\nwhile True: kept.append(str(len(kept)) * 1000000)"],
          ["bytes", "kept = []\nwhile True: kept.append(bytearray(10000000))"],
          [
            "a mapping",
            "import mmap\nkept = []\nwhile True:\n  m = mmap.mmap(-1, 10000000)\n  m.write(b'x' * 10000000)\n  kept.append(m)",
          ],
          ["one large number", "x = 3\nwhile True: x = x * x"],
        ])("ends a program that fills the memory by %s", async (_what, code) => {
          const memoryBytes = (capabilities.isEmulated ? 160 : 512) * 1024 * 1024;
          const cpuMs = capabilities.isEmulated && _what !== "one large number" ? 20_000 : 2_000;
          const error = await failed(code, ECHO, { limits: { cpuMs, memoryBytes } });
          if (_what === "one large number") expect(["memory", "cpu", "timeout"]).toContain(error.kind);
          else expect(error).toMatchObject({ kind: "memory", limit: { allowed: memoryBytes } });
        });

      it("ends a program that fills the disk", async () => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "filled-")) };
        const code = `n = 0
while True:
    n += 1
    with open(f"workspace/fill-{n % 40}", "w") as f: f.write("x" * 5000000)`;
        expect(await failed(code, ECHO, { folders: [folder], limits: { diskBytes: 50e6 } })).toMatchObject({
          kind: "disk",
        });
      });

      it("lets a full workspace be read and emptied, and not be filled further", async () => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "full-")) };
        for (const name of ["a", "b", "c"]) await writeFile(join(folder.dir, name), "x".repeat(4e6));
        const held = { folders: [folder], limits: { diskBytes: 10e6 } };
        const words =
          'import errno\ntry: open("workspace/d", "w")\nexcept OSError as e: return [errno.errorcode[e.errno], len(open("workspace/a").read())]';
        expect(await returned(words, ECHO, held)).toEqual(["ENOSPC", 4e6]);
        const around = `import os, time
for n in range(10):
    for name in os.listdir("workspace"):
        f = os.open(f"workspace/{name}", os.O_WRONLY | os.O_APPEND)
        os.write(f, b"x" * 2000000)
        os.close(f)
    time.sleep(0.2)`;
        expect((await failed(around, ECHO, held)).kind).toBe(capabilities.isPyodide ? "exception" : "disk");
        expect(await returned('import os\nos.remove("workspace/a")\nreturn "emptied"', ECHO, held)).toBe(
          "emptied",
        );
      });

      it("ends a run that is cancelled, and its open calls", async () => {
        const controller = new AbortController();
        let aborted = false;
        const host: Host = {
          callTool: (_server, _tool, _args, signal) => {
            signal.addEventListener("abort", () => {
              aborted = true;
            });
            controller.abort();
            return new Promise(() => {});
          },
        };
        expect(await failed("github.x()", host, { signal: controller.signal })).toMatchObject({
          kind: "cancelled",
        });
        expect(aborted).toBe(true);
      });

      it("leaves other runs alone while one loops and one floods", async () => {
        const loops = failed("while True: pass", ECHO, { limits: { wallMs: 300, cpuMs: 60_000 } });
        const floods = failed('while True: print("x" * 100000)');
        expect(await returned("return github.x(a=1).args")).toEqual({ a: 1 });
        expect((await floods).kind).toBe("output");
        expect((await loops).kind).toBe("timeout");
      });
    });

    describe("files", () => {
      it("has the workspace by every way to write a path, and what it writes is the user's alone", async () => {
        const code = `import os, pathlib, csv, json, shutil, glob, sqlite3
pathlib.Path("workspace/a").mkdir()
with open("./workspace/a/rows.csv", "w", newline="") as f: csv.writer(f).writerows([["n"], [1], [2]])
json.dump({"b": 2}, open("/workspace/b.json", "w"))
shutil.copy("workspace/b.json", pathlib.Path("workspace") / "a" / "c.json")
db = sqlite3.connect("workspace/d.db")
db.execute("create table t (n)")
db.execute("insert into t values (7)")
db.commit()
found = db.execute("select n from t").fetchone()[0]
return [sorted(os.listdir("workspace")), sorted(glob.glob("workspace/**/*.json", recursive=True)),
  [row["n"] for row in csv.DictReader(open("workspace/a/rows.csv"))], found,
  oct(os.stat("workspace/b.json").st_mode & 0o777), json.loads(pathlib.Path("workspace/a/c.json").read_text())]`;
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "used-")) };
        expect(await returned(code, ECHO, { folders: [folder] })).toEqual([
          ["a", "b.json", "d.db"],
          ["workspace/a/c.json", "workspace/b.json"],
          ["1", "2"],
          7,
          "0o600",
          { b: 2 },
        ]);
        expect(JSON.parse(await readFile(join(folder.dir, "b.json"), "utf8"))).toEqual({ b: 2 });
      });

      it("writes nowhere else, and says so", async () => {
        for (const path of ["note.txt", "/tmp/x", "/dev/shm/x", "/keyhole/guest/x", "servers/x"])
          expect([
            path,
            await returned(
              `try:\n    open(${JSON.stringify(path)}, "w")\n    return "written"\nexcept OSError as e:\n    return "refused"`,
              ECHO,
              { folders: [workspace] },
            ),
          ]).toEqual([path, "refused"]);
        const readOnly = { ...workspace, access: "read" as const };
        expect(await failed('open("workspace/x", "w")', ECHO, { folders: [readOnly] })).toMatchObject({
          kind: "exception",
        });
        expect(await readdir(workspace.dir)).not.toContain("x");
      });

      it("has folders whose names have two steps, each with its own access", async () => {
        const notes = {
          name: "shared/notes",
          dir: await mkdtemp(join(dir, "notes-")),
          access: "write",
        } as const;
        const plans = {
          name: "shared/plans",
          dir: await mkdtemp(join(dir, "plans-")),
          access: "read",
        } as const;
        await writeFile(join(plans.dir, "plan.txt"), "plan");
        const code = `import os
os.makedirs("shared/notes/sub")
with open("/shared/notes/sub/a.txt", "w") as file:
    file.write("one")
try:
    open("shared/plans/b", "w")
    said = "written"
except OSError:
    said = "refused"
return [open("shared/plans/plan.txt").read(), said, os.listdir("shared/notes"), os.path.exists("shared/others")]`;
        const folders = [workspace, notes, plans];
        expect(await returned(code, ECHO, { folders })).toEqual(["plan", "refused", ["sub"], false]);
        expect(await readFile(join(notes.dir, "sub/a.txt"), "utf8")).toBe("one");
      });

      it("cannot reach another run's folder, nor leave by a link", async () => {
        const linked = { ...workspace, dir: await mkdtemp(join(dir, "linked-")) };
        await symlink(outside, join(linked.dir, "way-out"));
        for (const path of [
          "workspace/way-out/secret.txt",
          "workspace/../outside/secret.txt",
          join(outside, "secret.txt"),
        ]) {
          const outcome = await run(`return open(${JSON.stringify(path)}).read()`, ECHO, {
            folders: [linked],
          });
          expect(outcome.ok).toBe(false);
          expect(JSON.stringify(outcome)).not.toContain(SECRET);
        }
      });

      it("reads what only the host has, and lists it", async () => {
        const files = new Map([
          ["github/create_issue.py", "# für alle\n"],
          ["github/__init__.py", ""],
        ]);
        const host: Host = {
          ...ECHO,
          async callOwn(_tool, args) {
            const { path } = args as { path: string };
            const text = files.get(path);
            if (text !== undefined) return { kind: "file", text };
            const names = [...files.keys()].filter((name) => name.startsWith(`${path}/`));
            if (path === "") return { kind: "folder", files: [], folders: ["github"] };
            if (names.length === 0) return { kind: "missing", message: "Did you mean github?" };
            return { kind: "folder", files: names.map((name) => name.slice(path.length + 1)), folders: [] };
          },
        };
        const code = `import os, pathlib
missing = None
try: open("servers/gitlab/x.py")
except FileNotFoundError as e: missing = str(e)
return [os.listdir("servers"), sorted(p.name for p in pathlib.Path("servers").rglob("*.py")), open("./servers/github/create_issue.py").read(),
  os.path.isdir("servers/github"), os.path.exists("servers/none"), missing, [entry[2] for entry in os.walk("servers")]]`;
        const program = { code, servers: [], hostFolders: ["servers"] };
        const outcome = await sandbox.run(program, host, { folders: [workspace] });
        expect(outcome).toMatchObject({
          ok: true,
          value: [
            ["github"],
            ["__init__.py", "create_issue.py"],
            "# für alle\n",
            true,
            false,
            expect.stringContaining("Did you mean github?"),
            [[], ["__init__.py", "create_issue.py"]],
          ],
        });
      });
    });

    describe("the network", () => {
      it("cannot be reached by any way Python has", async () => {
        let reached = 0;
        const server = createServer((_request, response) => response.end(String(++reached)));
        server.on("connection", () => reached++);
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        const hidden = '__import__("importlib").import_module';
        const ways = [
          `fetch("http://127.0.0.1:${port}")`,
          `import urllib.request\nurllib.request.urlopen("http://127.0.0.1:${port}").read()`,
          `import http.client\nc = http.client.HTTPConnection("127.0.0.1", ${port}); c.request("GET", "/"); c.getresponse()`,
          `${hidden}("socket").create_connection(("127.0.0.1", ${port}))`,
          // Emscripten has sockets and names that lead nowhere.
          ...(capabilities.isPyodide || capabilities.isOwnSystem ? [] : [`${hidden}("_socket").socket()`]),
          `import asyncio\nawait asyncio.open_connection("127.0.0.1", ${port})`,
          ...(capabilities.isPyodide ? [] : [`${hidden}("socket").getaddrinfo("example.com", 80)`]),
        ];
        for (const way of ways) expect([way, (await run(way)).ok]).toEqual([way, false]);
        expect((await failed(`await fetch("http://x.test")`)).message).toMatch(
          /programs have no network, since network\.allow .* names no host; call a tool/,
        );
        await new Promise((resolve) => server.close(resolve));
        expect(reached).toBe(0);
      });
    });
  });
}

function failure(outcome: RunOutcome) {
  if (outcome.ok)
    throw new Error(`The program succeeded with ${JSON.stringify(outcome.value)?.slice(0, 200)}`);
  return outcome.error;
}
