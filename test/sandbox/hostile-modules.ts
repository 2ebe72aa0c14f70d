import { link, mkdir, mkdtemp, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Folder, Sandbox } from "../../src/sandbox/sandbox.ts";
import { MODULE_NAMES } from "../../src/world/modules.ts";

type World = {
  readonly sandbox: Sandbox;
  readonly workspace: Folder;
  readonly outside: string;
};

const GUEST = fileURLToPath(new URL("../../src/sandbox/guest/javascript", import.meta.url));

/**
 * What programs with every module try to get at.
 * @param areCopies then there are no links in folders, and what has their names is the program's own
 */
export function testHostileModules(world: () => World, areCopies: boolean): void {
  describe("hostile programs with Node's modules", () => {
    const run = async (code: string, folder?: Folder) => {
      const { sandbox, workspace } = world();
      return sandbox.run(
        { code, servers: ["github"], modules: MODULE_NAMES, hostFolders: ["servers"] },
        { callTool: async () => null, callOwn: async () => ({ kind: "missing", message: "" }) },
        { folders: [folder ?? workspace] },
      );
    };
    const returned = async (code: string) => {
      const outcome = await run(code);
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    };
    /** Each attempt gives what it got; an attempt that fails gives nothing. */
    const attempt = (body: string) =>
      `return await (async () => { ${body} })().then((got) => ["got", got], () => ["refused"])`;
    /** Has `eval` called by somebody else's code, whose imports may be allowed more. */
    const byEval = (use: string, specifier = "node:fs") =>
      `return await new Promise((ok, no) => { Object.assign(globalThis, { ok, no }); const text = 'import("${specifier}").then(ok, no)'; ${use}; setTimeout(no, 300) })`;

    it.each([
      ["the real process by binding", "return process.binding('fs')"],
      ["the real process by its main module", "return process.mainModule.require('fs')"],
      ["built-in modules by process", "return process.getBuiltinModule('fs').readFileSync"],
      ["built-in modules by the module's class", "return module.constructor._load('fs')"],
      ["built-in modules by require", "return require('node:child_process').execSync"],
      ["other modules by require", "return require('module').createRequire"],
      ["a file by require", "return require('/etc/passwd')"],
      ["the inherited names of require", "return require('__proto__').constructor || require('constructor')"],
      ["native code", "return process.dlopen({}, 'x')"],
      ["signals", "return process.kill(process.ppid, 0)"],
      ["the engine's flags", "return require('v8').setFlagsFromString('--x')"],
      [
        "Deno by the constructor of a native handle",
        "return zlib.createGzip()._handle.constructor.constructor('return Deno')()",
      ],
      [
        "Deno while a file is looked at",
        "let seen; Object.defineProperty(globalThis, 'Deno', { set(v) { seen = v }, get: () => ({ build: {} }), configurable: true }); fs.statSync('workspace'); return seen.readFile",
      ],
      [
        "Deno while a path is made text",
        "const seen = []; const path = { toString() { seen.push(typeof Deno); return 'workspace' } }; fs.statSync(path); if (seen.includes('object')) return seen; throw 0",
      ],
      ["an import by eval", "return await (0, eval)('import(\"node:path\")')"],
      ["an import by a function", "return await new Function('return import(\"node:path\")')()"],
      [
        "an import by an emitter that calls eval",
        byEval("const e = new events(); e.on('x', eval); e.emit('x', text)"),
      ],
      [
        "an import by a stream that calls eval",
        byEval("new stream.Writable({ objectMode: true, write: eval }).write(text)"),
      ],
      [
        "an import by a transform that calls eval",
        byEval("new stream.Transform({ objectMode: true, transform: eval }).write(text)"),
      ],
      ["an import by a mapped stream", byEval("stream.Readable.from([text]).map(eval).toArray()")],
      ["an import by a timer that calls eval", byEval("setTimeout(eval, 0, text)")],
      ["an import by a tick that calls eval", byEval("process.nextTick(eval, text)")],
      [
        "an import by a line that is evaluated",
        byEval("readline.createInterface({ input: stream.Readable.from([text + '\\n']) }).on('line', eval)"),
      ],
      ["an import by promisify", byEval("util.promisify(eval)(text)")],
      [
        "an import by a patched method that the runner calls",
        byEval(
          "Map.prototype.set = eval; String.prototype.replaceAll = eval; Array.prototype.push = eval; console.count(text); console.log(text, '%s')",
        ),
      ],
      [
        "Deno's own scripts by an emitter",
        byEval("const e = new events(); e.on('x', eval); e.emit('x', text)", "ext:core/mod.js"),
      ],
      [
        "Deno's own scripts by a transform",
        byEval("new stream.Transform({ objectMode: true, transform: eval }).write(text)", "ext:core/mod.js"),
      ],
      ["the loaders of the runner", loaderImport("built-in-loaders.js", "m.takeLoaders().crypto")],
      ["new loaders of the runner", loaderImport("built-in-loaders.js?again", "m.takeLoaders().crypto")],
      [
        "what was taken from the global object",
        loaderImport(
          "globals.js",
          "(() => { let seen; const back = m.removeGlobals(); return back(async () => { seen = Deno }).then(() => seen.readFile) })()",
        ),
      ],
      [
        "globals by a second loader",
        loaderImport(
          "load-modules.js",
          "(async () => { let seen; const l = m.createModuleLoader({ crypto: async () => { seen = Deno } }); await l.load({ modules: ['crypto'], builtIn: ['crypto'], files: {}, entries: [] }, {}); return seen.readFile })()",
        ),
      ],
      ["a link by symlinkSync", "fs.symlinkSync('/etc', 'workspace/etc'); return 1"],
      ["a process's standard input", "for await (const part of process.stdin) return part; throw 0"],
    ])("cannot get at %s", async (_what, body) => {
      expect(await returned(attempt(body))).toEqual(["refused"]);
    });

    it("learn nothing of the machine or of its user", async () => {
      const seen =
        await returned(`return [process.env, process.argv, process.execPath, process.cwd(), process.title, process.versions,
        os.hostname(), os.userInfo(), os.homedir(), os.networkInterfaces(), os.cpus(), os.release(), os.totalmem(), util.parseArgs({ strict: false, allowPositionals: true }),
        __filename, __dirname, require.main, module, Object.keys(process)]`);
      const text = JSON.stringify(seen);
      for (const secret of [GUEST, "/keyhole", process.env["HOME"], process.env["PATH"], process.version])
        expect(text).not.toContain(secret);
      expect(await returned("return Object.keys(process.env).length + (process.env.PATH ?? '').length")).toBe(
        0,
      );
    });

    it.each([
      "stream.Readable.from(1)",
      "zlib.gunzipSync('x')",
      "crypto.createHash('none')",
      "fs.readFileSync('./workspace/none')",
      "fs.readFileSync('/etc/passwd')",
      "assert.deepEqual(1, 2)",
      "new events().emit('error', new Error('x'))",
      "path.join(1)",
      "Error.prepareStackTrace = (_, sites) => sites.map((s) => [s.getFileName(), s.getEvalOrigin(), String(s), s.getThis()]); throw new Error('x')",
      "Error.stackTraceLimit = 1000; zlib.inflateSync('x')",
      "const own = Array.prototype[Symbol.iterator]; const seen = []; Array.prototype[Symbol.iterator] = function () { for (let i = 0; i < this.length; i++) if (this[i]?.getFileName) seen[seen.length] = this[i].getFileName(); return own.call(this) }; void new Error('x').stack; Array.prototype[Symbol.iterator] = own; throw new Error(seen.join())",
    ])("see no file of this machine in the stack of %s", async (body) => {
      const code = `try { ${body} } catch (e) { return [e.stack, e.message, util.inspect(e, { showHidden: true }), Object.entries(e)] }`;
      const text = JSON.stringify(await returned(code));
      expect(text).not.toMatch(/keyhole\/guest|runner\.js|file:\/\/|ext:/);
      expect(text).not.toContain(GUEST);
      expect(text).not.toContain(world().workspace.dir);
    });

    it.each([
      [
        "Array.prototype.find",
        "const own = Array.prototype.find; Array.prototype.find = function (f) { for (let i = 0; i < this.length; i++) note(this[i]); return own.call(this, f) }",
      ],
      [
        "Array.prototype[Symbol.iterator]",
        "const own = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { for (let i = 0; i < this.length; i++) note(this[i]); return own.call(this) }",
      ],
      ["Reflect.get", "const own = Reflect.get; Reflect.get = (o, k, r) => { note(o); return own(o, k, r) }"],
      [
        "Error[Symbol.hasInstance]",
        "Object.defineProperty(Error, Symbol.hasInstance, { value(e) { note(e); return true } })",
      ],
      [
        "Promise.prototype.then",
        "const own = Promise.prototype.then; try { Promise.prototype.constructor = function () {} } catch {} Promise.prototype.then = function (a, b) { return own.call(this, (v) => { note(v); return a?.(v) }, (e) => { note(e); throw e }) }",
      ],
      [
        "String.prototype",
        "for (const name of ['split', 'slice', 'startsWith', 'lastIndexOf', 'charAt', 'indexOf', 'includes']) { const own = String.prototype[name]; String.prototype[name] = function (...a) { note(this); note(a[0]); return Reflect.apply(own, this, a) } }",
      ],
      [
        "Uint8Array.prototype.subarray",
        "const all = Object.getPrototypeOf(Uint8Array.prototype); const own = all.subarray; all.subarray = function (...a) { note(new TextDecoder().decode(this)); return own.apply(this, a) }; await github.a()",
      ],
    ])("do not learn where the workspace lies by patching %s", async (_what, patch) => {
      const { workspace } = world();
      const code = `let seen = ""; const note = (value) => { seen += " " + (value && (value.message ?? value.dir)) + " " + (typeof value === "string" ? value : "") + (value instanceof String ? "" + value : "") };
        fs.mkdirSync("./workspace/from", { recursive: true });
        ${patch};
        const tries = [() => fs.readFileSync("./workspace/none"), () => fs.promises.readFile("./workspace/none"), () => fs.promises.readdir("./workspace/none"),
          () => fs.renameSync("./workspace/none", "./workspace/other"), () => fs.mkdtempSync("./workspace/made-"), () => fs.promises.mkdtemp("./workspace/made-"),
          () => fs.cpSync("./workspace/from", "./workspace/to", { recursive: true }), () => fs.promises.cp("./workspace/from", "./workspace/to", { recursive: true })];
        for (let at = 0; at < tries.length; at++) try { await tries[at]() } catch {}
        return seen`;
      for (const modules of [MODULE_NAMES, ["fs"]]) {
        const outcome = await world().sandbox.run(
          { code, servers: ["github"], modules, hostFolders: ["servers"] },
          { callTool: async () => null },
          { folders: [workspace] },
        );
        const text = JSON.stringify(outcome.ok ? outcome.value : outcome.error);
        expect(text).not.toContain(workspace.dir);
        expect(text).not.toContain("/folders/");
      }
    });

    it("find nothing of others in the memory of a Buffer", async () => {
      const code = `const texts = [Buffer.allocUnsafe(8192), Buffer.from("a"), crypto.randomBytes(4), Buffer.allocUnsafeSlow(65536)].map((b) => Buffer.from(b.buffer).toString("latin1"));
        return texts.some((text) => /keyhole|servers|wanted|DENO/.test(text))`;
      expect(await returned(code)).toBe(false);
    });

    /** Every way of `fs` to a path, each with what it would give away. */
    const WAYS = [
      "fs.readFileSync(PATH, 'utf8')",
      "fs.readdirSync(PATH)",
      "fs.statSync(PATH).size",
      "fs.lstatSync(PATH).size",
      "fs.accessSync(PATH) ?? 'there'",
      "fs.realpathSync(PATH)",
      "fs.writeFileSync(PATH, 'x') ?? 'written'",
      "fs.appendFileSync(PATH, 'x') ?? 'written'",
      "fs.truncateSync(PATH) ?? 'cut'",
      "fs.mkdirSync(PATH + '/new') ?? 'made'",
      "fs.mkdtempSync(PATH + '/new')",
      "fs.rmSync(PATH, { recursive: true }) ?? 'gone'",
      "fs.unlinkSync(PATH) ?? 'gone'",
      "fs.rmdirSync(PATH) ?? 'gone'",
      "fs.renameSync(PATH, 'workspace/stolen') ?? 'moved'",
      "fs.copyFileSync(PATH, 'workspace/stolen') ?? 'copied'",
      "fs.copyFileSync('workspace/own', PATH) ?? 'copied'",
      "fs.cpSync(PATH, 'workspace/stolen', { recursive: true }) ?? 'copied'",
      "require('stream/consumers').text(fs.createReadStream(PATH))",
      "new Promise((ok, no) => fs.createWriteStream(PATH).on('error', no).on('finish', ok).end('x'))",
      "new Promise((ok, no) => fs.createWriteStream(PATH, { flags: 'a' }).on('error', no).on('finish', ok).end('x'))",
      "new Promise((ok, no) => fs.readFile(PATH, 'utf8', (e, t) => (e ? no(e) : ok(t))))",
      "fs.readFile(PATH, 'utf8')",
      "fs.promises.open(PATH).then((h) => h.readFile('utf8'))",
    ];

    it.each(WAYS)("cannot leave the workspace by %s", async (way) => {
      const { outside } = world();
      const before = await readdir(outside);
      const targets = [
        JSON.stringify(join(outside, "secret.txt")),
        JSON.stringify("./workspace/../outside/secret.txt"),
        JSON.stringify("/proc/self/environ"),
        `new URL("file://${outside}/secret.txt")`,
        `new TextEncoder().encode(${JSON.stringify(join(outside, "secret.txt"))})`,
        `{ n: 0, toString() { return this.n++ ? ${JSON.stringify(join(outside, "secret.txt"))} : "/etc/passwd" } }`,
      ];
      const code = `fs.writeFileSync("workspace/own", "x"); const got = [];
        for (const path of [${targets}]) try { got.push([String(path), await (${way.replace("PATH", "path")})]) } catch {}
        return got`;
      expect(await returned(code)).toEqual([]);
      expect(await readdir(outside)).toEqual(before);
      expect(await readFile(join(outside, "secret.txt"), "utf8")).not.toBe("x");
    });

    /** What these give of a link is of the link itself: how long it is, and that it is gone. */
    const OF_THE_LINK = /^fs\.(lstatSync|rmSync|unlinkSync|rmdirSync)/;

    it.each(WAYS)("cannot follow a link out of the workspace by %s", async (way) => {
      const { outside } = world();
      const linked = await createLinked(world());
      const secret = await readFile(join(outside, "secret.txt"), "utf8");
      // A second name of a file leads nowhere else when it is moved.
      const hard = way.startsWith("fs.renameSync") ? [] : ["workspace/hard.txt"];
      const links = ["workspace/link.txt", "workspace/way-out", "workspace/nowhere", ...hard];
      const paths = ["./workspace/way-out/secret.txt", ...(OF_THE_LINK.test(way) ? [] : links)];
      const code = `const got = []; const paths = ${JSON.stringify(paths)};
        for (let at = 0; at < paths.length; at++) { const path = paths[at]; try { got[got.length] = [path, await (${way.replace("PATH", "path")})] } catch {} }
        return got`;
      const patches = `Array.prototype[Symbol.iterator] = function* () {}; String.prototype.startsWith = () => true;
        Object.defineProperty(Object.prototype, "name", { get: () => "workspace", configurable: true });`;
      for (const program of [code, patches + code]) {
        const outcome = await run(program, linked);
        // A tier may refuse such a folder as a whole.
        if (outcome.ok && areCopies) expect(JSON.stringify(outcome.value)).not.toContain(secret);
        else if (outcome.ok) expect(outcome.value).toEqual([]);
        else expect(["sandbox", "exception"]).toContain(outcome.error.kind);
      }
      expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe(secret);
      expect(await readdir(outside)).not.toContain("made-by-a-link");
    });

    it.each([
      "fs.rmSync('./workspace', { recursive: true, force: true })",
      "fs.rmdirSync('workspace', { recursive: true })",
      "fs.promises.rm('/workspace/.', { recursive: true })",
      "fs.promises.rmdir('./workspace/../workspace', { recursive: true })",
      "fs.renameSync('./workspace', './workspace/inner')",
      "fs.promises.rename('./workspace/own', './workspace')",
    ])("leave the workspace to the next program after %s", async (way) => {
      const code = `fs.writeFileSync("workspace/own", "kept"); let said = "did it";
        try { await (${way}) } catch (e) { said = e.code }
        try { fs.writeFileSync("workspace", "a file in its place") } catch {}
        return [said, fs.readFileSync("workspace/own", "utf8")]`;
      expect(await returned(code)).toEqual(["EBUSY", "kept"]);
    });

    if (!areCopies)
      it("list links as links, and can remove them, but not move them", async () => {
        const { outside } = world();
        const linked = await createLinked(world());
        await mkdir(join(linked.dir, "deep/er"), { recursive: true });
        const code = `const kinds = fs.readdirSync("workspace", { withFileTypes: true }).map((e) => e.name + (e.isSymbolicLink() ? "@" : ""));
        const codes = [];
        for (const work of [() => fs.renameSync("workspace/way-out", "workspace/x"), () => fs.renameSync("workspace/deep", "workspace/x"),
          () => fs.cpSync("workspace", "workspace/deep/copy", { recursive: true }), () => fs.cpSync("workspace/way-out", "workspace/x", { recursive: true }),
          () => fs.statSync("workspace/hard.txt"), () => fs.renameSync("workspace/hard.txt", "workspace/moved.txt"), () => fs.unlinkSync("workspace/moved.txt"),
          () => fs.rmSync("workspace/way-out", { recursive: true }), () => fs.unlinkSync("workspace/nowhere"), () => fs.unlinkSync("workspace/link.txt")])
          try { work(); codes.push("done") } catch (e) { codes.push(e.code) }
        return [kinds, codes, fs.readdirSync("workspace")]`;
        const outcome = await run(code, linked);
        if (outcome.ok)
          expect(outcome.value).toEqual([
            ["deep", "hard.txt", "link.txt@", "nowhere@", "way-out@"],
            ["EPERM", "EPERM", "EINVAL", "EACCES", "EACCES", "done", "done", "done", "done", "done"],
            ["deep"],
          ]);
        else
          expect(outcome.error).toMatchObject({ kind: "sandbox", message: expect.stringContaining("link") });
        expect(await readdir(outside)).toContain("secret.txt");
      });

    it("are told by what blocks what to use in a folder of the host's", async () => {
      const code = `const said = [];
        for (const work of [() => fs.readFileSync("./servers/a"), () => fs.readdirSync("servers"), () => fs.existsSync("/servers/x"), () => fs.statSync("./servers")])
          try { work() } catch (e) { said.push(e.code + " " + /await \\w+/.exec(e.message)) }
        try { fs.writeFileSync("./servers/a", "x") } catch (e) { said.push(e.code) }
        return said`;
      expect(await returned(code)).toEqual([
        "ENOSYS await readFile",
        "ENOSYS await readdir",
        "ENOSYS await access",
        "ENOSYS await stat",
        "EROFS",
      ]);
    });

    it("end a flood by process.stdout at the limits", async () => {
      expect(await run("for (;;) process.stdout.write('x'.repeat(1e5) + '\\n')")).toMatchObject({
        ok: false,
        error: { kind: "output" },
      });
    });
  });
}

/** A folder as a repository or an archive might bring it along. */
async function createLinked({ workspace, outside }: World): Promise<Folder> {
  const dir = await mkdtemp(join(dirname(workspace.dir), "linked-"));
  await symlink(outside, join(dir, "way-out"));
  await symlink(join(outside, "secret.txt"), join(dir, "link.txt"));
  await symlink(join(outside, "made-by-a-link"), join(dir, "nowhere"));
  await link(join(outside, "secret.txt"), join(dir, "hard.txt"));
  return { ...workspace, dir };
}

/** Imports a file of the runner's, where each tier may have put it. */
function loaderImport(file: string, use: string): string {
  const handed = [3, 4, 5].map((at) => `file:///dev/fd/${at}/${file}`);
  const places = [`file://${GUEST}/${file}`, `file:///keyhole/guest/${file}`, `./${file}`, ...handed];
  return `for (const place of ${JSON.stringify(places)}) {
    const m = await import(place).catch(() => undefined);
    let got; try { got = m && (await ${use}) } catch {}
    if (got) return got;
  } throw 0`;
}
