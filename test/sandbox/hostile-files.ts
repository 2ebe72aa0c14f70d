import { execFileSync } from "node:child_process";
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Limits } from "../../src/sandbox/limits.ts";
import type { Folder, RunOutcome, Sandbox } from "../../src/sandbox/sandbox.ts";
import { MODULE_NAMES } from "../../src/world/modules.ts";

type World = { readonly sandbox: Sandbox; readonly workspace: Folder; readonly outside: string };

const INSTALLED = fileURLToPath(new URL("../../", import.meta.url));
const MB = 1024 * 1024;

/**
 * What programs try with files and folders: to leave the workspace, to fill the disk, to learn where they are.
 * @param areCopies then there are no links in them, and what has their names is the program's own
 */
export function testHostileFiles(world: () => World, areCopies: boolean): void {
  const run = (
    code: string,
    folder: Folder,
    limits: Partial<Limits> = {},
    more: { countedDirs?: string[] } = {},
  ): Promise<RunOutcome> =>
    world().sandbox.run(
      { code, servers: [], modules: MODULE_NAMES },
      { callTool: async () => null },
      { folders: [folder], limits, ...more },
    );

  /** A folder of its own for each test, beside the others. */
  async function create(fill: (dir: string) => Promise<unknown> = async () => {}): Promise<Folder> {
    const { workspace } = world();
    const dir = await mkdtemp(join(dirname(workspace.dir), "own-"));
    await fill(dir);
    return { ...workspace, dir };
  }

  describe("a folder that a repository brings along", () => {
    const deep = async (dir: string) => {
      await mkdir(join(dir, "a/b/c"), { recursive: true });
      // Inside where it stands; outside, three folders further up.
      await symlink("../../../outside", join(dir, "a/b/c/link"));
    };

    it.each([
      [
        "a link that points out once its folder has been moved up",
        deep,
        `String.prototype.startsWith = () => true;
         try { fs.renameSync("workspace/a/b/c", "workspace/c") } catch {}
         got.push(fs.readFileSync("workspace/c/link/secret.txt", "utf8"))`,
      ],
      [
        "the same by copying, removing and moving in between",
        deep,
        `for (const work of [() => fs.cpSync("workspace/a/b", "workspace/x", { recursive: true }), () => fs.promises.cp("workspace/a", "workspace/y", { recursive: true }), () => fs.promises.rename("workspace/a/b/c/link", "workspace/link")])
           try { await work() } catch {}
         for (const path of ["workspace/x/c/link", "workspace/y/b/c/link", "workspace/link"])
           try { got.push(fs.readdirSync(path)) } catch {}`,
      ],
      [
        "a link, while a read of its place is under way",
        async (dir: string) => {
          await mkdir(join(dir, "real"));
          await writeFile(join(dir, "real/secret.txt"), "own");
          await symlink(world().outside, join(dir, "way"));
        },
        `const reads = [];
         for (let at = 0; at < 200; at++) {
           reads.push(fs.promises.readFile("workspace/real/secret.txt", "utf8"));
           try { fs.renameSync("workspace/real", "workspace/old"); fs.renameSync("workspace/way", "workspace/real") } catch {}
           try { fs.renameSync("workspace/real", "workspace/way"); fs.renameSync("workspace/old", "workspace/real") } catch {}
         }
         for (const { value } of await Promise.allSettled(reads)) if (value !== undefined && value !== "own") got.push(value)`,
      ],
      [
        "a link, by a path that changes while it is looked at",
        async (dir: string) => symlink(world().outside, join(dir, "way")),
        `let n = 0; const path = { toString: () => (n++ % 2 ? "workspace/way/secret.txt" : "workspace/own") };
         fs.writeFileSync("workspace/own", "own");
         for (let at = 0; at < 8; at++) for (const work of [() => fs.readFileSync(path, "utf8"), () => fs.promises.readFile(path, "utf8"), () => fs.promises.open(path).then((h) => h.readFile("utf8"))])
           try { const text = await work(); if (text !== "own") got.push(text) } catch {}`,
      ],
      [
        "a file with a second name outside",
        async (dir: string) => link(join(world().outside, "secret.txt"), join(dir, "hard.txt")),
        `for (const work of [() => fs.readFileSync("workspace/hard.txt", "utf8"), () => fs.writeFileSync("workspace/hard.txt", "x"), () => fs.appendFileSync("workspace/hard.txt", "x"), () => fs.truncateSync("workspace/hard.txt"),
           () => fs.copyFileSync("workspace/hard.txt", "workspace/b"), () => fs.promises.copyFile("workspace/own", "workspace/hard.txt"), async () => (await fs.promises.open("workspace/hard.txt", "a")).write("x")])
           try { await work(); got.push(String(work)) } catch {}`,
      ],
      [
        "a file with a second name outside, where Deno is told that this is Windows",
        async (dir: string) => link(join(world().outside, "secret.txt"), join(dir, "hard.txt")),
        `Object.defineProperty(globalThis, "Deno", { value: { build: { os: "windows" } }, configurable: false });
         got.push(fs.readFileSync("workspace/hard.txt", "utf8"))`,
      ],
      [
        "a file with a second name outside, where looking at it looks at another one in between",
        async (dir: string) => link(join(world().outside, "secret.txt"), join(dir, "hard.txt")),
        `fs.writeFileSync("workspace/plain", "own");
         const own = Date; let isBusy = false;
         globalThis.Date = function (value) {
           if (!isBusy) { isBusy = true; try { fs.lstatSync("workspace/plain") } finally { isBusy = false } }
           return new own(value);
         };
         for (const work of [() => fs.readFileSync("workspace/hard.txt", "utf8"), () => fs.appendFileSync("workspace/hard.txt", "x"), () => fs.promises.readFile("workspace/hard.txt", "utf8")])
           try { await work(); got.push(String(work)) } catch {}`,
      ],
      [
        "a file beside the folder, by a place that every object has",
        async (dir: string) => writeFile(join(dir, "own"), "own"),
        `let n = 0;
         const places = [{ path: "../outside/secret.txt", text: "t", name: "workspace", isHost: false }, { path: "own", text: "t", name: "workspace", isHost: false }];
         Object.defineProperty(Object.prototype, "below", { get: () => places[n++ % 2], configurable: true });
         for (let at = 0; at < 4; at++) try { const text = fs.readFileSync("workspace/own", "utf8"); if (text !== "own") got.push(text) } catch (error) { if (/outside|tmp/.test(error.message)) got.push(error.message) }
         delete Object.prototype.below;`,
      ],
      [
        "a pipe",
        async (dir: string) => {
          execFileSync("sh", ["-c", 'mkfifo "$0"', join(dir, "pipe")]);
        },
        `for (const work of [() => fs.readFileSync("workspace/pipe"), () => fs.writeFileSync("workspace/pipe", "x"), () => fs.promises.readFile("workspace/pipe"), () => fs.promises.appendFile("workspace/pipe", "x")])
           try { await work(); got.push(String(work)) } catch {}`,
      ],
      [
        "a link, by patched options and iterators",
        async (dir: string) => symlink(world().outside, join(dir, "way")),
        `Object.prototype.write = true; Object.prototype.create = true; Object.prototype.recursive = true; Object.prototype.isHost = false;
         const entry = { name: "../outside", isFile: false, isDirectory: true, isSymlink: false };
         const own = Array.prototype[Symbol.iterator];
         Array.prototype[Symbol.iterator] = function () { return this[0]?.isSymlink === undefined ? own.call(this) : own.call([entry]) };
         try { got.push(...fs.readdirSync("workspace", { recursive: true }).filter((name) => name.includes("secret"))) } catch {}
         try { fs.cpSync("workspace", "workspace/x", { recursive: true }) } catch {}
         Array.prototype[Symbol.iterator] = own;
         try { got.push(...fs.readdirSync("workspace/x", { recursive: true }).filter((name) => name.includes("secret"))) } catch {}`,
      ],
    ])("does not lead out of it: %s", async (_what, fill, code) => {
      const { outside } = world();
      const folder = await create(fill);
      const secret = await readFile(join(outside, "secret.txt"), "utf8");
      const before = await readdir(outside);
      const outcome = await run(`const got = []; ${code}; return got`, folder);
      if (outcome.ok && areCopies) expect(JSON.stringify(outcome.value)).not.toContain(secret);
      else if (outcome.ok) expect(outcome.value).toEqual([]);
      // A tier without a wall refuses such a folder as a whole.
      else expect(["sandbox", "exception"]).toContain(outcome.error.kind);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(secret);
      expect(await readdir(outside)).toEqual(before);
    });

    it("does not lead out of it, whatever is said as a path and done with it", async () => {
      const { outside } = world();
      const folder = await create(async (dir) => {
        await symlink(outside, join(dir, "way"));
        await symlink(join(outside, "secret.txt"), join(dir, "file"));
        await link(join(outside, "secret.txt"), join(dir, "hard"));
        execFileSync("sh", ["-c", 'mkfifo "$0"', join(dir, "pipe")]);
      });
      const before = [await readdir(outside), await readFile(join(outside, "secret.txt"), "utf8")];
      const outcome = await run(MATRIX, folder);
      // Where files are copied, some of its ways wait for ever.
      if (!outcome.ok) expect(areCopies ? ["sandbox", "stuck"] : ["sandbox"]).toContain(outcome.error.kind);
      else if (!areCopies) expect(outcome.value).toEqual([]);
      expect([await readdir(outside), await readFile(join(outside, "secret.txt"), "utf8")]).toEqual(before);
    });

    it("is refused, with what to do, where nothing but Deno's permissions would hold", async () => {
      const { sandbox } = world();
      const folder = await create((dir) => symlink("own.txt", join(dir, "inner")));
      const outcome = await run("return 1", folder);
      if (sandbox.missingWall === undefined) return expect(outcome).toMatchObject({ ok: true, value: 1 });
      expect(outcome).toMatchObject({
        error: {
          kind: "sandbox",
          message: expect.stringContaining("inner"),
          hint: expect.stringContaining("Remove it"),
        },
      });
      await rm(join(folder.dir, "inner"));
      expect(await run("return 1", folder)).toMatchObject({ ok: true });
    });
  });

  it("files and folders of programs are the user's alone", async () => {
    const folder = await create();
    await run(
      `fs.mkdirSync("workspace/a/b", { recursive: true }); fs.writeFileSync("workspace/a/b/c", "x"); await fs.promises.copyFile("workspace/a/b/c", "workspace/d");
       fs.mkdtempSync("workspace/e-"); await new Promise((ok) => fs.createWriteStream("workspace/f").on("finish", ok).end("x"))`,
      folder,
    );
    const names = await readdir(folder.dir, { recursive: true });
    expect(names).toHaveLength(6);
    for (const name of names) {
      const stats = await lstat(join(folder.dir, name));
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([name, stats.isDirectory() ? "700" : "600"]);
    }
  });

  describe("the disk limit", () => {
    const error = (outcome: RunOutcome) => (outcome.ok ? undefined : outcome.error);

    it.each([
      ["many empty files", 'for (let n = 0; ; n++) fs.writeFileSync("workspace/" + n, "")'],
      ["many empty folders", 'for (let n = 0; ; n++) fs.mkdirSync("workspace/" + n)'],
      [
        "files that are made and left in one go",
        'for (let n = 0; n < 700; n++) fs.writeFileSync("workspace/" + n, "")',
      ],
      [
        "folders moved into each other until no path is long enough",
        `const name = "d".repeat(200); let inner = "";
         for (let depth = 0; depth < 40; depth++) { const at = "workspace/n" + depth; fs.mkdirSync(at); if (inner) fs.renameSync(inner, at + "/" + name); fs.renameSync(at, "workspace/" + name); inner = "workspace/" + name }
         return 1`,
      ],
      [
        "a file that is made long and holds nothing",
        'fs.writeFileSync("workspace/a", ""); for (let n = 1; n < 4; n++) { fs.writeFileSync("workspace/" + n, ""); fs.truncateSync("workspace/" + n, 4e6) }',
      ],
    ])("ends %s", async (_what, code) => {
      const folder = await create();
      const outcome = await run(code, folder, { diskBytes: 2 * MB });
      // Node's own would find no way into what is that deep.
      execFileSync("rm", ["-rf", folder.dir]);
      expect(error(outcome)).toMatchObject({ kind: "disk", limit: { allowed: 2 * MB, unit: "bytes" } });
    });

    it("lets a full workspace be read and emptied, and written again once there is room", async () => {
      const folder = await create((dir) => writeFile(join(dir, "large"), new Uint8Array(3 * MB)));
      const code = `const codes = [fs.readFileSync("workspace/large").length];
        for (const work of [() => fs.writeFileSync("workspace/new", "x"), () => fs.promises.appendFile("workspace/large", "x"), () => fs.mkdirSync("workspace/d"), () => fs.promises.mkdtemp("workspace/t"),
          () => fs.promises.copyFile("workspace/large", "workspace/b"), () => fs.truncateSync("workspace/large", 9e6), () => fs.renameSync("workspace/large", "workspace/renamed"), () => fs.promises.rm("workspace/renamed")])
          try { await work(); codes.push("done") } catch (e) { codes.push(e.code + (/over its limit|Delete files/.test(e.message) ? "" : e.message)) }
        return codes`;
      const limits = { diskBytes: 2 * MB };
      expect(await run(code, folder, limits)).toMatchObject({
        ok: true,
        value: [3 * MB, ...Array(6).fill("ENOSPC"), "done", "done"],
      });
      expect(await run('fs.writeFileSync("workspace/new", "x"); return 1', folder, limits)).toMatchObject({
        ok: true,
      });
    });

    it("counts what the host keeps beside the workspace", async () => {
      const [folder, kept] = [
        await create(),
        await create((dir) => writeFile(join(dir, "r"), new Uint8Array(3 * MB))),
      ];
      const code = 'try { fs.writeFileSync("workspace/a", "x") } catch (e) { return e.code }';
      const more = { countedDirs: [kept.dir] };
      expect(await run(code, folder, { diskBytes: 2 * MB }, more)).toMatchObject({ value: "ENOSPC" });
      expect(await run(code, folder, { diskBytes: 8 * MB }, more)).toMatchObject({ ok: true });
    });
  });

  describe("imports", () => {
    const NAMES = [
      "nope",
      "./x.js",
      "../sandbox.js",
      "/etc/passwd",
      "https:",
      "ext:core/mod.js",
      "#x",
      "",
      "npm:",
      "file://h/x",
      "data:text/javascript,import 'zz'",
      "data:text/javascript,export default import.meta.resolve('./x')",
      "blob:null/1",
    ];

    it("tell nothing of where Keyhole is installed", async () => {
      const code = `const seen = [];
        const tell = (e) => seen.push(e?.message, e?.stack, String(e?.cause), util.inspect(e, { showHidden: true }));
        for (const name of ${JSON.stringify(NAMES)}) for (const options of [undefined, { with: { type: "text" } }, { with: { type: "json" } }])
          try { seen.push(await import(name, options)) } catch (e) { tell(e) }
        globalThis.tell = tell;
        for (const by of [eval, Function]) try { await by("return import('a')".slice(by === eval ? 7 : 0)) } catch (e) { tell(e) }
        await new Function("return import('b')")().catch(tell);
        setTimeout(eval, 0, "import('c').catch(tell)");
        const own = Map.prototype.set; Map.prototype.set = eval; console.count("import('d').catch(tell)"); Map.prototype.set = own;
        new events().on("x", eval).emit("x", "import('e').catch(tell)");
        stream.Readable.from(["import('f').catch(tell)"]).map(eval).toArray();
        await new Promise((ok) => setTimeout(ok, 50));
        return seen`;
      const outcome = await run(code, await create());
      const text = JSON.stringify(outcome);
      expect(outcome.ok).toBe(true);
      expect(text).toContain("ERR_MODULE_NOT_FOUND");
      expect(text).not.toContain(INSTALLED.slice(0, -1));
    });

    it("give no file of the workspace: what guards files would not be asked", async () => {
      const folder = await create((dir) => writeFile(join(dir, "a.txt"), "text"));
      const code = `const got = [];
        for (const place of ["file://${folder.dir}/a.txt", "${folder.dir}/a.txt", "FILE:${folder.dir}/a.txt", "file:///folders/workspace/a.txt", "/folders/workspace/a.txt"])
          try { got.push((await import(place, { with: { type: "text" } })).default) } catch {}
        return got`;
      expect(await run(code, folder)).toMatchObject({ ok: true, value: [] });
    });
  });
}

/** Each way to say a path, for each way out, with each thing to do. What did not throw is returned. */
const MATRIX = `const p = fs.promises; const got = [];
const ways = ["way/secret.txt", "file", "hard", "pipe", "way", "way/", "way/.", "own/../way/secret.txt", "way/../way/secret.txt"];
const forms = [(s) => "workspace/" + s, (s) => "/workspace/" + s, (s) => new URL("file:///workspace/" + s), (s) => new TextEncoder().encode("workspace/" + s),
  (s) => ({ toString: () => "workspace/" + s }), (s) => ({ [Symbol.toPrimitive]: () => "workspace/" + s }), (s) => new Proxy({}, { get: (_, k) => (k === Symbol.toPrimitive ? () => "workspace/" + s : undefined) }),
  (s) => "workspace/" + s.replaceAll("/", "//"), (s) => new URL("file:///workspace/" + s.replaceAll("/", "%2F"))];
let n = 0;
const works = [(x) => fs.readFileSync(x), (x) => p.readFile(x), (x) => fs.readdirSync(x), (x) => p.readdir(x, { recursive: true }), (x) => p.opendir(x), (x) => fs.statSync(x), (x) => p.access(x), (x) => p.realpath(x),
  (x) => fs.writeFileSync(x, "!"), (x) => p.writeFile(x, "!"), (x) => p.appendFile(x, "!"), (x) => fs.truncateSync(x), (x) => p.truncate(x, { valueOf: () => 0 }), (x) => fs.mkdirSync(x, { recursive: true }), (x) => fs.mkdtempSync(x + "/t"),
  (x) => fs.copyFileSync(x, "workspace/c" + n++), (x) => p.copyFile("workspace/own", x), (x) => fs.cpSync(x, "workspace/d" + n++, { recursive: true }), (x) => p.cp(x, "workspace/d" + n++, { recursive: true }),
  (x) => p.open(x), (x) => p.open(x, "w"), (x) => p.open(x, "a"), (x) => fs.renameSync("workspace/own", x + "/moved"),
  (x) => new Promise((ok, no) => fs.createReadStream(x).on("error", no).on("data", ok)), (x) => new Promise((ok, no) => fs.createWriteStream(x).on("error", no).on("finish", ok).end("!"))];
fs.writeFileSync("workspace/own", "own");
for (const way of ways) for (const form of forms) for (const work of works) try { await work(form(way)); got.push([way, String(form), String(work)]) } catch {}
return got`;
