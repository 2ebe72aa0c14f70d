import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuestSpec, JAVASCRIPT_GUEST } from "../../src/sandbox/guest-spec.ts";
import type { Limits } from "../../src/sandbox/limits.ts";
import type { Folder, Host, RunOutcome, Sandbox, SandboxRunOptions } from "../../src/sandbox/sandbox.ts";
import { testCalls } from "./calls.ts";
import { testEndings } from "./endings.ts";
import { testHostFolders } from "./host-folders.ts";
import { testHostileFiles } from "./hostile-files.ts";
import { testHostileModules } from "./hostile-modules.ts";
import { testNetwork } from "./network.ts";
import { testHostileSkills, testSkills } from "./skills.ts";
import { testSteady } from "./steady.ts";

export type Capabilities = {
  /** Why the tier cannot run here; then all is skipped, loudly. */
  readonly missing?: string;
  /** Whether memory beside the heap is held. */
  readonly memory: boolean;
  /** Whether CPU time is told; else the program's own time is held, by asking. */
  readonly cpu: boolean;
  /** Whether programs get copies of their folders, in which links and pipes are not. */
  readonly copies?: boolean;
  /** Whether processors are emulated: the same is tried with less data. */
  readonly isEmulated?: boolean;
  /** Whether what a guest does by itself, whatever is around it, is left to the other tiers, unless `KEYHOLE_TEST_TIERS` is `all`. */
  readonly isTierAlone?: boolean;
};

export type Create = (options: { limits?: Partial<Limits>; guest?: GuestSpec }) => Sandbox;

/** Says whatever it is told to. */
export const FORGER_GUEST: GuestSpec = {
  ...JAVASCRIPT_GUEST,
  name: "forger",
  runner: join(import.meta.dirname, "../fixtures/guests/forger.js"),
};

const SECRET = "the-secret-of-the-host";

/** What every tier must do. Programs are real, and so is the place they run in. */
export function testSandbox(name: string, create: Create, capabilities: Capabilities): void {
  const suite = capabilities.missing === undefined ? describe : describe.skip;
  suite(`${name}${capabilities.missing === undefined ? "" : ` (${capabilities.missing})`}`, () => {
    let sandbox: Sandbox;
    let workspace: Folder;
    /** As a repository might bring it along: with links in it that lead out. */
    let linked: Folder;
    let outside: string;
    let dir: string;

    beforeAll(async () => {
      sandbox = create({});
      dir = await realpath(await mkdtemp(join(tmpdir(), "keyhole-test-")));
      outside = join(dir, "outside");
      workspace = { name: "workspace", dir: join(dir, "workspace"), access: "write" };
      linked = { ...workspace, dir: join(dir, "linked") };
      await mkdir(outside);
      await mkdir(workspace.dir);
      await mkdir(linked.dir);
      await writeFile(join(outside, "secret.txt"), SECRET);
      await symlink(outside, join(linked.dir, "way-out"));
      await symlink(join(outside, "secret.txt"), join(linked.dir, "link.txt"));
    });
    afterAll(async () => {
      await sandbox.close();
      await rm(dir, { recursive: true, force: true });
    });

    const echo: Host = {
      callTool: async (server, tool, args) => ({ server, tool, args }),
      callOwn: async (own, args) => ({ own, args }),
    };
    const run = (code: string, host: Host = echo, options: SandboxRunOptions = {}) =>
      sandbox.run({ code, servers: ["github", "memory"], modules: ["fs"] }, host, options);
    const returned = async (code: string, host?: Host, options?: SandboxRunOptions) => {
      const outcome = await run(code, host, options);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    };
    const failed = async (code: string, host?: Host, options?: SandboxRunOptions) =>
      failure(await run(code, host, options));

    describe("the program's world", () => {
      it("hands back what the program returns", async () => {
        expect(await returned("return { a: [1, null, 'x'] }")).toEqual({ a: [1, null, "x"] });
        expect(await returned("")).toBeUndefined();
      });

      it("has a global a server, and the original names", async () => {
        expect(await returned('return [await github.createIssue({ n: 1 }), await github["a-b"]()]')).toEqual([
          { server: "github", tool: "createIssue", args: { n: 1 } },
          { server: "github", tool: "a-b", args: {} },
        ]);
        expect(await returned('return callMCPTool("my-server__do_it", { x: 1 })')).toEqual({
          server: "my-server",
          tool: "do_it",
          args: { x: 1 },
        });
        expect(await returned('return searchTools("issues", "full")')).toMatchObject({
          own: "searchTools",
          args: { query: "issues", detail: "full" },
        });
        expect(await returned('return callMCPTool("keyhole__searchTools", {})')).toMatchObject({
          server: "keyhole",
        });
        expect(await returned('return callMCPTool("__searchTools", {}).catch((e) => e.message)')).toBe(
          'Cannot call "__searchTools": expected "server__tool"',
        );
        expect(await returned("const same = await github; return typeof same.anything")).toBe("function");
      });

      it("passes logs and blocks on in order", async () => {
        const seen: unknown[] = [];
        await run(
          'console.log("a", { b: 1 }); console.warn("%s!", "c"); emit("text"); emit({ type: "image", data: new Uint8Array([1, 2]) })',
          {
            ...echo,
            onLog: (level, text) => seen.push([level, text]),
            onEmit: (block) => seen.push(block),
          },
        );
        expect(seen).toEqual([
          ["info", "a { b: 1 }"],
          ["warn", "c!"],
          { type: "text", text: "text" },
          { type: "image", data: "AQI=", mimeType: "application/octet-stream" },
        ]);
      });

      it("logs bytes, images and base64 by what they are and how large", async () => {
        const logs: string[] = [];
        const code = `const png = new Uint8Array(5200); png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
          const base64 = btoa(Array.from({ length: 900 }, (_, n) => String.fromCharCode((n * 7919) % 251)).join(""));
          class Own { file = png }
          console.log({ png, list: [new Uint8Array(5200), Buffer.from("abc")], map: new Map([["a", png.buffer]]), own: new Own(), numbers: new Float64Array(2) });
          console.log([{ type: "image", data: base64, mimeType: "image/png" }, { url: "data:image/gif;base64," + base64 }, { get made() { return base64 }, id: 7 }]);
          const loop = { base64 }; loop.loop = loop; console.log(loop); console.log(base64.length);`;
        await run(code, { ...echo, onLog: (_level, text) => logs.push(text) });
        expect(logs[0]?.replaceAll(/\s+/g, " ")).toBe(
          "{ png: <image/png, 5.2 KB>, list: [ <bytes, 5.2 KB>, <bytes, 3 B> ], " +
            'map: Map(1) { "a" => <image/png, 5.2 KB> }, own: Own { file: <image/png, 5.2 KB> }, ' +
            "numbers: Float64Array(2) [ 0, 0 ] }",
        );
        expect(logs[1]?.replaceAll(/\s+/g, " ")).toBe(
          "[ <image/png, 900 B>, { url: <image/gif, 916 B> }, { made: [Getter], id: 7 } ]",
        );
        expect(logs[2]).toContain("base64: <base64, 900 B>");
      });

      it("has every function of console that a program may expect", async () => {
        const names =
          "log info warn error debug trace dir table assert group groupCollapsed groupEnd time timeEnd timeLog count countReset clear".split(
            " ",
          );
        const code = `const names = ${JSON.stringify(names)}; for (const name of names) { const { [name]: f } = console; f("a", ["b"]); console[name]() } return names.length`;
        expect(await returned(code)).toBe(names.length);
      });

      it("throws a tool's failure as a ToolError that can be caught", async () => {
        const host: Host = { callTool: () => Promise.reject(new Error("No such repo")) };
        expect(
          await returned(
            "try { await github.x() } catch (e) { return [e instanceof ToolError, e instanceof Error, e.server, e.tool, e.message] }",
            host,
          ),
        ).toEqual([true, true, "github", "x", "No such repo"]);
        expect(await failed("\n  await github.x()", host)).toMatchObject({
          kind: "tool_error",
          server: "github",
          tool: "x",
          message: "No such repo",
          location: { line: 2 },
        });
      });

      it("points at the line that threw", async () => {
        expect(
          await failed('const a = 1;\nfunction f() {\n  throw new RangeError("bad");\n}\nf();'),
        ).toMatchObject({
          kind: "exception",
          name: "RangeError",
          message: "bad",
          location: { line: 3, column: 9 },
        });
        expect(await failed('throw "a string"')).toMatchObject({ kind: "exception", message: "a string" });
      });

      it("ends with errors that come late", async () => {
        expect(
          await failed('Promise.reject(new Error("left alone")); await new Promise(() => {})'),
        ).toMatchObject({
          message: "left alone",
        });
        expect(
          await failed('setTimeout(() => { throw new Error("from a timer") }); await new Promise(() => {})'),
        ).toMatchObject({
          message: "from a timer",
        });
      });

      it("waits for calls that the program does not await", async () => {
        const made: string[] = [];
        await run(
          "[1, 2, 3].forEach(async (n) => { await github.first({ n }); await github.second({ n }) })",
          {
            callTool: async (_server, tool) => made.push(tool),
          },
        );
        expect(made.filter((tool) => tool === "second")).toHaveLength(3);
      });

      it("opens files in the workspace by words and by numbers", async () => {
        const code = `const fs = __keyhole.modules.fs.promises;
          const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = fs.constants;
          const path = "./workspace/opened.txt";
          const write = async (flags) => (await fs.open(path, flags)).write("x");
          const seen = [];
          for (const flags of ["w", "a", "a+", O_WRONLY | O_CREAT | O_APPEND, O_RDWR | O_CREAT | O_TRUNC, O_WRONLY | O_CREAT | O_EXCL, "ax", "r+", O_RDWR, O_TRUNC, 3, 0.5, "no"]) {
            const said = await write(flags).then(() => "", (e) => e.code ?? e.name);
            seen.push(said || (await fs.readFile(path, "utf8")));
          }
          await fs.writeFile(path, "y", { flag: "a+" });
          await fs.writeFile(path, "z", { flag: O_WRONLY | O_CREAT | O_APPEND });
          seen.push(await fs.writeFile(path, "-", { flag: "r+" }).catch((e) => e.name));
          return [...seen, await (await fs.open(path, O_RDONLY)).readFile("utf8")]`;
        expect(await returned(code, echo, { folders: [workspace] })).toEqual([
          ...["x", "xx", "xxx", "xxxx", "x", "EEXIST", "EEXIST"],
          ...Array(6).fill("TypeError"),
          ...["TypeError", "xyz"],
        ]);
      });

      it.each([
        ["./workspace/tree", "./workspace/tree/in"],
        ["workspace/tree", "/workspace/other/../tree/in/deep"],
        ["./workspace/tree/", "./workspace/tree"],
        ["./workspace", "./workspace/copy"],
      ])("copies no folder into itself: %s to %s", async (from, to) => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "copies-")) };
        await mkdir(join(folder.dir, "tree/sub"), { recursive: true });
        const code = `const fs = __keyhole.modules.fs.promises;
          const said = await fs.cp(${JSON.stringify(from)}, ${JSON.stringify(to)}, { recursive: true }).catch((e) => [e.code, e.message]);
          return [said, await fs.readdir("./workspace/tree")]`;
        const [said, left] = Object(await returned(code, echo, { folders: [folder] }));
        expect(said).toEqual([
          "EINVAL",
          expect.stringMatching(/^EINVAL: Cannot copy ".*" into itself, to "/),
        ]);
        expect(left).toEqual(["sub"]);
      });

      it("keeps what is there when it is told to, and writes by a handle only what was meant", async () => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "kept-")) };
        const code = `const fs = __keyhole.modules.fs.promises;
          await fs.writeFile("./workspace/a", "old");
          await fs.writeFile("./workspace/b", "new");
          const codeOf = (work) => work.then(() => "done", (e) => e.code ?? e.name);
          const codes = [
            await codeOf(fs.cp("./workspace/b", "./workspace/a", { force: false })),
            await codeOf(fs.cp("./workspace/b", "./workspace/a", { force: false, errorOnExist: true })),
            await codeOf(fs.copyFile("./workspace/b", "./workspace/a", 1)),
            await codeOf(fs.cp("./workspace/b", "./workspace/a", { filter: () => false })),
            await codeOf(fs.writeFile("./workspace/a", { an: "object" })),
          ];
          const reading = await fs.open("./workspace/a", "r");
          codes.push(await codeOf(reading.write("x")));
          await reading.close();
          codes.push(await codeOf(reading.readFile()));
          const writing = await fs.open("./workspace/c", "w");
          await writing.write(new TextEncoder().encode("abc"), 1, 1);
          codes.push(await codeOf(writing.write("x", 0)));
          return [codes, await fs.readFile("./workspace/a", "utf8"), await fs.readFile("./workspace/c", "utf8")]`;
        expect(await returned(code, echo, { folders: [folder] })).toEqual([
          ["done", "EEXIST", "EEXIST", "done", "TypeError", "EBADF", "EBADF", "TypeError"],
          "old",
          "b",
        ]);
      });

      it("copies a folder beside itself, also to a name that begins alike", async () => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "copies-")) };
        const code = `const fs = __keyhole.modules.fs.promises;
          await fs.mkdir("./workspace/a/b", { recursive: true });
          await fs.writeFile("./workspace/a/b/c.txt", "text");
          await fs.cp("./workspace/a", "./workspace/a-copy", { recursive: true });
          await fs.cp("./workspace/a/b", "./workspace/a/d/e", { recursive: true });
          return fs.readdir("./workspace", { recursive: true })`;
        expect(await returned(code, echo, { folders: [folder] })).toEqual(
          "a a-copy a-copy/b a-copy/b/c.txt a/b a/b/c.txt a/d a/d/e a/d/e/c.txt".split(" "),
        );
      });

      it.each([
        ['readFile("workspace/none")', "ENOENT", 'Cannot read "./workspace/none": no such file'],
        ['readdir("./workspace/none/x")', "ENOENT", 'Cannot list "./workspace/none/x": no such file'],
        ['writeFile("/workspace/none/x", "")', "ENOENT", 'Cannot write "./workspace/none/x": no such file'],
        ['mkdir("./workspace")', "EEXIST", 'Cannot make the folder "./workspace": file exists'],
        ['mkdtemp("./workspace/none/x")', "ENOENT", 'Cannot make a folder in "./workspace/none": no such'],
        ['rm("./workspace/none")', "ENOENT", 'Cannot remove "./workspace/none": no such file'],
        [
          'rename("workspace/none", "workspace/b")',
          "ENOENT",
          '"./workspace/none" to "./workspace/b": no such',
        ],
        [
          'copyFile("workspace/none", "workspace/b")',
          "ENOENT",
          '"./workspace/none" to "./workspace/b": no such',
        ],
        ['open("workspace/none")', "ENOENT", '"./workspace/none": no such file'],
        ['truncate("workspace/none")', "ENOENT", 'Cannot truncate "./workspace/none": no such file'],
      ])("says of %s what is wrong in the program's own paths", async (call, code, message) => {
        const program = `try { await __keyhole.modules.fs.promises.${call} } catch (e) { return [e.code, e.message, e.stack] }`;
        const seen = await returned(program, echo, { folders: [workspace] });
        expect(seen).toEqual([code, expect.stringContaining(message), expect.stringContaining("program:1:")]);
        expect(String(seen)).not.toMatch(/\/folders\/|os error/);
        expect(String(seen)).not.toContain(workspace.dir);
      });

      it("has files in the workspace, and only what is granted", async () => {
        const code = `const fs = __keyhole.modules.fs.promises;
          await fs.mkdir("./workspace/sub", { recursive: true });
          await fs.writeFile("workspace/sub/a.txt", "one"); await fs.appendFile("/workspace/sub/a.txt", " two");
          return [await fs.readFile("./workspace/sub/a.txt", "utf8"), await fs.readdir("workspace/sub"), (await fs.stat("workspace/sub/a.txt")).size]`;
        expect(await returned(code, echo, { folders: [workspace] })).toEqual(["one two", ["a.txt"], 7]);
        expect(await readFile(join(workspace.dir, "sub/a.txt"), "utf8")).toBe("one two");
        const readOnly: Folder = { ...workspace, access: "read" };
        expect(
          await returned(
            'return __keyhole.modules.fs.promises.writeFile("workspace/b", "").catch((e) => e.code)',
            echo,
            {
              folders: [readOnly],
            },
          ),
        ).toBe("EROFS");
        expect(
          await returned('return __keyhole.modules.fs.promises.readFile("workspace/a").catch((e) => e.code)'),
        ).toBe("EACCES");
      });

      it("has folders whose names have two steps, each with its own access and quota", async () => {
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
        const code = `const fs = __keyhole.modules.fs.promises;
          await fs.mkdir("./shared/notes/sub"); await fs.writeFile("/shared/notes/sub/a.txt", "one");
          const code = (work) => work.then(() => "done", (error) => error.code);
          return [await fs.readFile("shared/plans/plan.txt", "utf8"), await code(fs.writeFile("shared/plans/b", "")),
            await code(fs.readFile("shared/notes/../../workspace/../shared/nobody/x")), await code(fs.readdir("shared/others"))]`;
        const folders = [workspace, notes, plans];
        expect(await returned(code, echo, { folders })).toEqual(["plan", "EROFS", "EACCES", "EACCES"]);
        expect(await readFile(join(notes.dir, "sub/a.txt"), "utf8")).toBe("one");
        const held = { ...notes, quota: { bytes: 20_000, entries: 100 } };
        const fill =
          'return __keyhole.modules.fs.promises.writeFile("shared/notes/large", "x".repeat(60_000))';
        expect(await failed(fill, echo, { folders: [workspace, held] })).toMatchObject({ kind: "disk" });
      });

      it.each([
        ["empty lines", 'for (;;) console.log("")'],
        ["empty blocks", "for (;;) emit(null)"],
      ])("ends a flood of %s before it fills the host's memory", async (_what, code) => {
        const kept: unknown[] = [];
        const host: Host = {
          ...echo,
          onLog: (_level, text) => kept.push(text),
          onEmit: (block) => kept.push(block),
        };
        expect(await run(code, host)).toMatchObject({ ok: false, error: { kind: "output" } });
        expect(kept.length).toBeLessThan(200_000);
      });

      it("awaits the promises in what is returned", async () => {
        expect(await returned("return [1, 2].map(async (n) => n * 2)")).toEqual([2, 4]);
        expect(await returned("return { a: Promise.resolve(1), b: 2 }")).toEqual({ a: 1, b: 2 });
      });

      it("passes bytes and 50 MB both ways, where the limits allow it", async () => {
        const most = capabilities.isEmulated ? 5e6 : 50e6;
        const roomy = { limits: { frameBytes: 64e6, outputBytes: 64e6 } };
        const host: Host = {
          callTool: async (_server, tool, args) =>
            tool === "bytes"
              ? new Uint8Array([0, 255])
              : tool === "size"
                ? JSON.stringify(args).length
                : { text: "x".repeat(most) },
        };
        expect(
          await returned("const b = await github.bytes(); return [b instanceof Uint8Array, ...b]", host),
        ).toEqual([true, 0, 255]);
        expect(
          await returned(
            `return [(await github.large()).text.length, await github.size({ t: "y".repeat(${most}) })]`,
            host,
            roomy,
          ),
        ).toEqual([most, most + 8]);
        const whole = await returned(`return "z".repeat(${most})`, echo, roomy);
        expect(typeof whole === "string" && whole.length).toBe(most);
      });

      it("makes 1,000 calls at once, no more in flight than allowed", async () => {
        let open = 0;
        let most = 0;
        const host: Host = {
          callTool: async (_server, _tool, args) => {
            most = Math.max(most, ++open);
            await new Promise((resolve) => setImmediate(resolve));
            open--;
            return args;
          },
        };
        expect(
          await returned(
            "const all = await Promise.all(Array.from({ length: 1000 }, (_, n) => github.x({ n }))); return all.every((r, n) => r.n === n)",
            host,
          ),
        ).toBe(true);
        expect(most).toBe(8);
      });
    });

    testSkills(() => ({ sandbox }));
    if (!capabilities.isTierAlone || process.env["KEYHOLE_TEST_TIERS"] === "all") {
      testHostFolders(() => ({ sandbox, workspace, outside }));
      testSteady(() => ({ sandbox }));
      testEndings(() => ({ sandbox, workspace }));
      testHostileSkills(() => ({ sandbox }));
      testHostileModules(() => ({ sandbox, workspace, outside }), capabilities.copies === true);
    }
    testCalls(() => sandbox, capabilities.cpu);
    testNetwork(() => sandbox);
    testHostileFiles(() => ({ sandbox, workspace, outside }), capabilities.copies === true);

    describe("limits", () => {
      const small: Partial<Limits> = { wallMs: 400, cpuMs: 60_000 };

      if (capabilities.cpu)
        it("ends an endless loop by its CPU time", async () => {
          expect(await failed("for (;;);", echo, { limits: { cpuMs: 200 } })).toMatchObject({ kind: "cpu" });
        });

      it.each([
        ["an endless loop, by the clock", "for (;;);", small, "timeout"],
        ["a timer that never ends", "setInterval(() => {}, 50)", { sleepMs: 300 }, "timeout"],
        [
          "a run that takes too long",
          "await new Promise((r) => setTimeout(r, 9e5))",
          { runMs: 200 },
          "timeout",
        ],
        [
          "a flood of logs",
          'const line = "x".repeat(1e6); for (let n = 0; n < 1000; n++) console.log(line)',
          {},
          "output",
        ],
        ["a flood of blocks", 'for (;;) emit("x".repeat(1e6))', {}, "output"],
        ["a result over the limit", 'return "x".repeat(2e6)', { outputBytes: 1e6 }, "output"],
        ["a frame over the limit", 'await github.x({ a: "x".repeat(2e6) })', { frameBytes: 1e6 }, "frame"],
        ["too many calls", "for (;;) await github.x()", { calls: 50 }, "calls"],
      ] as const)("ends %s", async (_what, code, limits, kind) => {
        const error = await failed(code, echo, { limits });
        expect(error).toMatchObject({ kind, limit: { unit: expect.any(String) } });
        expect("limit" in error && error.limit?.used).toBeGreaterThan(0);
      });

      it("ends 100,000 open calls at the limit of calls", async () => {
        const host: Host = {
          callTool: (_s, _t, _a, signal) =>
            new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        };
        expect(
          await failed(
            "const open = []; for (let n = 0; n < 1e5; n++) open.push(github.x({ n })); await Promise.all(open)",
            host,
          ),
        ).toMatchObject({
          kind: "calls",
          limit: { allowed: 10_000 },
        });
      });

      if (capabilities.memory)
        it.each([
          ["the heap", "const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length))"],
          [
            "strings",
            "const kept = []; for (;;) kept.push(JSON.stringify(new Array(1e6).fill(kept.length)))",
          ],
          ["array buffers", "const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1))"],
          [
            "one shared buffer after another",
            "const kept = []; for (;;) kept.push(new Uint8Array(new SharedArrayBuffer(1e7)).fill(1))",
          ],
          [
            "wasm memory",
            "const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); for (;;) { const before = m.grow(160); new Uint8Array(m.buffer, before * 65536).fill(1) }",
          ],
        ])("ends a program that fills the memory by %s", async (_what, code) => {
          const allowed = (capabilities.isEmulated ? 160 : 512) * 1024 * 1024;
          expect(await failed(code, echo, { limits: { memoryBytes: allowed } })).toMatchObject({
            kind: "memory",
            limit: { allowed },
          });
        });

      it("ends a program that fills the disk", async () => {
        const folder = { ...workspace, dir: await mkdtemp(join(dir, "filled-")) };
        const error = await failed(
          'const part = "x".repeat(5e6); for (let n = 0; ; n++) await __keyhole.modules.fs.promises.writeFile("workspace/fill-" + (n % 40), part)',
          echo,
          { folders: [folder], limits: { diskBytes: 50e6 } },
        );
        expect(error).toMatchObject({ kind: "disk" });
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
        expect(await failed("await github.x()", host, { signal: controller.signal })).toMatchObject({
          kind: "cancelled",
        });
        expect(aborted).toBe(true);
        expect(await failed("return 1", echo, { signal: controller.signal })).toMatchObject({
          kind: "cancelled",
        });
      });

      it("leaves other runs alone while one loops and one floods", async () => {
        const loops = failed("for (;;);", echo, { limits: { wallMs: 1500, cpuMs: 60_000 } });
        const floods = failed('for (;;) console.log("x".repeat(1e5))');
        expect(await returned("return (await github.x({ a: 1 })).args")).toEqual({ a: 1 });
        expect((await floods).kind).toBe("output");
        expect((await loops).kind).toBe("timeout");
      });
    });

    describe("hostile programs", () => {
      /** Each attempt gives what it got; an attempt that fails gives nothing. */
      const attempt = (body: string) =>
        `return await (async () => { ${body} })().then((got) => ["got", got], () => ["refused"])`;

      it.each([
        ["import with type text", 'return (await import("SECRET_FILE", { with: { type: "text" } })).default'],
        [
          "import of a file URL",
          'return (await import("file://SECRET_FILE", { with: { type: "text" } })).default',
        ],
        [
          "import with type bytes",
          'return String((await import("file://SECRET_FILE", { with: { type: "bytes" } })).default)',
        ],
        [
          "import by eval",
          'return (await (0, eval)(\'import("file://SECRET_FILE", { with: { type: "text" } })\')).default',
        ],
        [
          "import by Function",
          'return (await new Function(\'return import("file://SECRET_FILE", { with: { type: "text" } })\')()).default',
        ],
        [
          "import from a data URL",
          `return (await import("data:text/javascript," + encodeURIComponent('import t from "file://SECRET_FILE" with { type: "text" }; export default t'))).default`,
        ],
        [
          "import from a blob URL",
          `return (await import(URL.createObjectURL(new Blob(['import t from "file://SECRET_FILE" with { type: "text" }; export default t'], { type: "text/javascript" })))).default`,
        ],
        [
          "import of the system's passwd",
          'return (await import("/etc/passwd", { with: { type: "text" } })).default',
        ],
        ["fetch of a file", 'return await (await fetch("file://SECRET_FILE")).text()'],
        ["Deno", 'return Deno.readTextFileSync("SECRET_FILE")'],
        ["node:fs", 'return (await import("node:fs")).readFileSync("SECRET_FILE", "utf8")'],
        ["node:sqlite", 'return new (await import("node:sqlite")).DatabaseSync("SECRET_FILE")'],
        ["require", 'return (await import("node:module")).createRequire("file:///")("SECRET_FILE")'],
        ["process", 'return process.getBuiltinModule("fs").readFileSync("SECRET_FILE", "utf8")'],
        [
          "dots",
          'return await __keyhole.modules.fs.promises.readFile("workspace/../outside/secret.txt", "utf8")',
        ],
        ["an absolute path", 'return await __keyhole.modules.fs.promises.readFile("SECRET_FILE", "utf8")'],
        ["/proc", 'return await __keyhole.modules.fs.promises.readFile("/proc/self/environ", "utf8")'],
        [
          "import of /proc",
          'return (await import("file:///proc/self/environ", { with: { type: "text" } })).default',
        ],
      ])("cannot read a file by %s", async (_way, body) => {
        const code = attempt(body.replaceAll("SECRET_FILE", join(outside, "secret.txt")));
        expect(await returned(code, echo, { folders: [workspace] })).toEqual(["refused"]);
      });

      it.each([
        ["the environment by Deno", "return Deno.env.toObject()"],
        ["the environment by process", "return process.env"],
        ["the environment by node:process", 'return { ...(await import("node:process")).default.env }'],
        ["a process by Deno", 'return new Deno.Command("id").outputSync()'],
        ["a process by node", 'return (await import("node:child_process")).execSync("id")'],
        ["a worker", 'return new Worker("data:text/javascript,for(;;);", { type: "module" })'],
        ["a worker thread", 'return new (await import("node:worker_threads")).Worker("", { eval: true })'],
        ["a native library", 'return Deno.dlopen("libc.so.6", {})'],
        ["a native module", 'return (await import("node:process")).dlopen({}, "/lib/x.node")'],
        [
          "the engine's flags",
          'return (await import("node:v8")).setFlagsFromString("--allow-natives-syntax")',
        ],
        ["localStorage", 'localStorage.setItem("a", "b"); return localStorage.getItem("a")'],
        ["caches", 'return await caches.open("a")'],
        ["the GPU", "return await navigator.gpu.requestAdapter()"],
        ["a prompt", 'return prompt("?")'],
        ["the end of the process", "Deno.exit(0)"],
        ["the end of the process by node", 'return (await import("node:process")).exit(0)'],
        ["stdout", "return Deno.stdout.writeSync(new Uint8Array(9))"],
      ])("cannot get at %s", async (_what, body) => {
        expect(await returned(attempt(body))).toEqual(["refused"]);
      });

      it("cannot reach the network by any way Deno has", async () => {
        let reached = 0;
        const server = createServer((_request, response) => response.end(String(++reached)));
        server.on("connection", () => reached++);
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        const ways = [
          `return await fetch("http://127.0.0.1:${port}")`,
          `return await import("http://127.0.0.1:${port}/x.js")`,
          `return await import("https://127.0.0.1:${port}/x.js")`,
          `return await import("npm:left-pad")`,
          `return await import("jsr:@std/path")`,
          `return new WebSocket("ws://127.0.0.1:${port}")`,
          `return new WebSocketStream("ws://127.0.0.1:${port}")`,
          `return new EventSource("http://127.0.0.1:${port}")`,
          `return new WebTransport("https://127.0.0.1:${port}")`,
          `return new XMLHttpRequest()`,
          `return await Deno.connect({ port: ${port} })`,
          `return await Deno.resolveDns("example.com", "A")`,
          `return Deno.listen({ port: 0 })`,
          `return (await import("node:net")).connect(${port})`,
          `return (await import("node:http")).get("http://127.0.0.1:${port}")`,
          `return (await import("node:dgram")).createSocket("udp4")`,
          `return await (await import("node:dns/promises")).lookup("example.com")`,
        ];
        for (const way of ways) expect([way, await returned(attempt(way))]).toEqual([way, ["refused"]]);
        const hint = await returned('return fetch("http://x.test").catch((e) => e.message)');
        expect(hint).toMatch(/programs have no network, since network\.allow .* names no host; call a tool/);
        await new Promise((resolve) => server.close(resolve));
        expect(reached).toBe(0);
      });

      it.each([
        [
          "a link to a file",
          'return await __keyhole.modules.fs.promises.readFile("workspace/link.txt", "utf8")',
        ],
        [
          "a link to a folder",
          'return await __keyhole.modules.fs.promises.readFile("workspace/way-out/secret.txt", "utf8")',
        ],
        [
          "writing through a link",
          'return await __keyhole.modules.fs.promises.writeFile("workspace/way-out/new.txt", "x")',
        ],
        [
          "the list of a linked folder",
          'return await __keyhole.modules.fs.promises.readdir("workspace/way-out")',
        ],
        [
          "import of a link",
          'return (await import(`file://${"LINKED"}/link.txt`, { with: { type: "text" } })).default',
        ],
        [
          "a link, with patched strings",
          'String.prototype.startsWith = () => true; return await __keyhole.modules.fs.promises.readFile("workspace/way-out/secret.txt", "utf8")',
        ],
      ])("cannot leave the workspace by %s", async (_way, body) => {
        const outcome = await run(attempt(body.replaceAll("LINKED", linked.dir)), echo, {
          folders: [linked],
        });
        // A tier may refuse such a folder as a whole.
        if (outcome.ok) expect(outcome.value).toEqual(["refused"]);
        else
          expect(outcome.error).toMatchObject({ kind: "sandbox", message: expect.stringContaining("link") });
      });

      it("cannot reach another run's folder", async () => {
        const other: Folder = { name: "workspace", dir: join(outside, "other"), access: "write" };
        await mkdir(other.dir);
        await writeFile(join(other.dir, "theirs.txt"), SECRET);
        const code = attempt(
          `return await __keyhole.modules.fs.promises.readFile(${JSON.stringify(join(other.dir, "theirs.txt"))}, "utf8")`,
        );
        expect(await returned(code, echo, { folders: [workspace] })).toEqual(["refused"]);
        expect(
          await returned(
            'return __keyhole.modules.fs.promises.readFile("workspace/theirs.txt", "utf8")',
            echo,
            {
              folders: [other],
            },
          ),
        ).toBe(SECRET);
      });

      it("leaves nothing to the next run", async () => {
        await run(
          "globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = null; JSON.stringify = null",
        );
        expect(await returned("return [typeof left, typeof ({}).left, [1].map(String)]")).toEqual([
          "undefined",
          "undefined",
          ["1"],
        ]);
      });

      it("hurts only itself when it breaks the language", async () => {
        for (const code of [
          "Promise.prototype.then = () => {}; return 1",
          "Map.prototype.get = () => { throw 1 }; return await github.x()",
          "Error.prepareStackTrace = () => { throw 1 }; throw new Error('x')",
          "throw { get message() { throw 1 } }",
          "throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } })",
          "return { toJSON() { throw new Error('no') } }",
          "const a = {}; a.a = a; return a",
        ]) {
          expect(
            (await run(code, echo, { limits: { wallMs: 1500, sleepMs: 1500 } })).used.calls,
          ).toBeLessThan(2);
        }
        expect(await returned("return 1")).toBe(1);
      });

      it("cannot set a prototype of the host's by __proto__", async () => {
        const seen: unknown[] = [];
        const host: Host = {
          callTool: async (_server, _tool, args) => {
            seen.push(Object.assign({}, args));
            return null;
          },
          onEmit: (block) => seen.push(Object.assign({}, block)),
        };
        const value = await returned(
          `const evil = JSON.parse('{"__proto__":{"polluted":true},"a":[{"__proto__":{"polluted":true}}]}');
           await github.x(evil); emit(evil); return evil`,
          host,
        );
        seen.push(Object.assign({}, value));
        for (const object of seen) expect(object).toEqual({ a: [{}] });
        expect(seen).toHaveLength(3);
        expect(Reflect.get(seen[0] ?? {}, "polluted")).toBeUndefined();
        expect(Reflect.get({}, "polluted")).toBeUndefined();
        const named: string[] = [];
        await run(
          'await callMCPTool("__proto____constructor"); await callMCPTool("constructor__prototype").catch(() => {})',
          {
            callTool: async (server) => named.push(server),
          },
        );
        expect(Reflect.get({}, "polluted")).toBeUndefined();
      });
    });

    describe("a forged runner", () => {
      let forged: Sandbox;
      beforeAll(() => {
        forged = create({
          guest: FORGER_GUEST,
        });
      });
      afterAll(() => forged.close());
      const patienceMs = capabilities.isEmulated ? 40_000 : 3_000;
      const forge = async (...frames: object[]) =>
        failure(
          await forged.run({ code: JSON.stringify(frames), servers: [] }, echo, {
            limits: { wallMs: patienceMs, sleepMs: patienceMs },
          }),
        );

      it("may have its frames in chunks, those of several mixed with each other and with others", async () => {
        const logs: string[] = [];
        const pieces = ["a", "b", "c"].map((letter) => letter.repeat(CHUNK));
        const frames = pieces.flatMap((piece, at) => [
          chunk({ number: 1, offset: at * CHUNK, piece }),
          { type: 3, id: 1, payload: `between ${at}` },
          chunk({ number: 2, offset: at * CHUNK, piece: piece.toUpperCase() }),
        ]);
        const done = { type: 5, payload: '{"ok":true}' };
        const host: Host = { ...echo, onLog: (_level, text) => logs.push(text) };
        const code = JSON.stringify([...frames, done]);
        expect(await forged.run({ code, servers: [] }, host)).toMatchObject({ ok: true });
        const starts = logs.map((text) => [text.slice(0, 9), text.length]);
        const [small, large] = [9, 3 * CHUNK];
        expect(starts).toEqual([
          ...[0, 1].map((at) => [`between ${at}`, small]),
          ["a".repeat(9), large],
          ["between 2", small],
          ["A".repeat(9), large],
        ]);
        expect(logs[2] === pieces.join("")).toBe(true);
      });

      it.each([
        ["a frame that claims 4 GB", [{ type: 3, claimed: 0xffffffff }], "frame"],
        ["a frame that claims less than its header", [{ type: 3, claimed: 2 }], "protocol"],
        ["a frame that claims more than it sends", [{ type: 5, payload: "{}", claimed: 1000 }], "timeout"],
        ["an unknown type", [{ type: 99 }], "protocol"],
        ["a frame of the host's", [{ type: 17, id: 1, payload: "{}" }], "protocol"],
        ["ready twice", [{ type: 1 }], "protocol"],
        ["a call without an id", [{ type: 2, id: 0, payload: '["a","b",{}]' }], "protocol"],
        [
          "a call with the id of an earlier one",
          [{ type: 2, id: 1, payload: '["a","b",{}]', repeat: 2 }],
          "protocol",
        ],
        ["a call that is no array", [{ type: 2, id: 1, payload: '{"server":"a"}' }], "protocol"],
        ["a call with names that are no strings", [{ type: 2, id: 1, payload: '[{},["b"],{}]' }], "protocol"],
        ["a call that is no JSON", [{ type: 2, id: 1, payload: "[[[" }], "protocol"],
        [
          "a result nested too deep",
          [{ type: 5, payload: `{"ok":true,"value":${"[".repeat(1e5)}${"]".repeat(1e5)}}` }],
          "output",
        ],
        ["a block nested too deep", [{ type: 4, payload: "[".repeat(1e5) }], "output"],
        ["a call with a time-out that is none", [{ type: 2, id: 1, payload: '["a","b",{},-1]' }], "protocol"],
        ["a call with more than there is", [{ type: 2, id: 1, payload: '["a","b",{},1,1]' }], "protocol"],
        ["a cancelled call that was never made", [{ type: 6, id: 1 }], "protocol"],
        [
          "a flood of cancellations",
          [
            { type: 2, id: 1, payload: '["a","b",{}]' },
            { type: 6, id: 1, repeat: 50_000 },
          ],
          "protocol",
        ],
        ["an answer to nothing", [{ type: 7, id: 77 }], "protocol"],
        [
          "a place out of the world",
          [{ type: 5, payload: '{"ok":false,"error":{"stuck":true,"source":{"line":-1,"column":1e99}}}' }],
          "stuck",
        ],
        ["a log of an unknown level", [{ type: 3, id: 7, payload: "x" }], "protocol"],
        ["a result that is no JSON", [{ type: 5, payload: "\u00ff\u00fe" }], "protocol"],
        ["a result without ok", [{ type: 5, payload: '{"__proto__":{"ok":true}}' }], "protocol"],
        [
          "an error of odd types",
          [{ type: 5, payload: '{"ok":false,"error":{"message":7,"stack":{"length":9},"name":[]}}' }],
          "exception",
        ],
        ["a chunk without a header", [{ type: 12, id: 1, payload: "x" }], "protocol"],
        ["a chunk of a chunk", [chunk({ type: 12 })], "protocol"],
        ["a chunk of nothing", [chunk({ total: 0, piece: "" })], "protocol"],
        ["chunks of more than is allowed", [chunk({ total: 0xffffffff })], "frame"],
        ["a chunk that is not the first one", [chunk({ offset: CHUNK })], "protocol"],
        ["the same chunk twice", [chunk({}), chunk({})], "protocol"],
        ["a chunk of another frame", [chunk({}), chunk({ offset: CHUNK, type: 4 })], "protocol"],
        ["a chunk of another length", [chunk({}), chunk({ offset: CHUNK, total: 4 * CHUNK })], "protocol"],
        ["a frame in chunks of one byte", [{ ...chunk({ piece: "x" }), repeat: 10_000 }], "protocol"],
        ["a frame that is never finished", [chunk({})], "timeout"],
        [
          "chunks of many frames at once",
          Array.from({ length: 10 }, (_, number) => chunk({ number })),
          "protocol",
        ],
        ["an exit in the middle", [{ exitCode: 7 }], "exit"],
        ["an exit with code 0", [{ exitCode: 0 }], "exit"],
        [
          "a flood of empty logs",
          [{ type: 3, id: 1, payload: "x".repeat(60_000), repeat: 20_000 }],
          "output",
        ],
      ] as const)("is ended for %s", async (_what, frames, kind) => {
        expect((await forge(...frames)).kind).toBe(kind);
      });
    });
  });
}

const CHUNK = 128 * 1024;

/** A piece of a log, in the forger's words. */
function chunk({ number = 1, type = 3, total = 3 * CHUNK, offset = 0, piece = "x".repeat(CHUNK) }) {
  const header = Buffer.alloc(13);
  header.writeUInt8(type, 0);
  header.writeUInt32LE(1, 1);
  header.writeUInt32LE(total, 5);
  header.writeUInt32LE(offset, 9);
  return { type: 12, id: number, payload: header.toString("latin1") + piece };
}

function failure(outcome: RunOutcome) {
  if (outcome.ok)
    throw new Error(`The program succeeded with ${JSON.stringify(outcome.value)?.slice(0, 200)}`);
  return outcome.error;
}
