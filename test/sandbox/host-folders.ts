import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  Folder,
  FolderAnswer,
  FolderRequest,
  Host,
  Sandbox,
  SandboxRunOptions,
} from "../../src/sandbox/sandbox.ts";

const noTools: Host["callTool"] = () => Promise.reject(new Error("There are no servers here"));

/** The part of the conformance suite about folders that only the host knows (`Program.hostFolders`). */
export function testHostFolders(world: () => { sandbox: Sandbox; workspace: Folder; outside: string }): void {
  describe("a folder of the host's", () => {
    const files = new Map([
      ["github/createIssue.ts", "// für alle\n"],
      ["github/index.ts", "export {};\n"],
      ["memory/index.ts", ""],
    ]);
    let asked: FolderRequest[] = [];
    /** Answers from a map, as any host must: the path is the program's word. */
    const library: Host = {
      callTool: noTools,
      callOwn: async (tool, args): Promise<FolderAnswer> => {
        expect(tool).toBe("readFolder");
        const request = args as FolderRequest;
        asked.push(request);
        const text = files.get(request.path);
        if (text !== undefined) return { kind: "file", text };
        const below = [...files.keys()].filter((path) => path.startsWith(`${request.path}/`));
        const names = below.map((path) => path.slice(request.path.length + 1));
        if (request.path === "huge") return { kind: "refused", message: "Read less." };
        if (request.path !== "")
          return names.length > 0
            ? { kind: "folder", files: names, folders: [] }
            : { kind: "missing", message: "Did you mean 'github'?" };
        return {
          kind: "folder",
          files: request.recursive ? [...files.keys()] : [],
          folders: ["memory", "github"],
        };
      },
    };
    const inLibrary = async (code: string, host = library, options: SandboxRunOptions = {}) => {
      asked = [];
      const program = {
        code: `const fs = __keyhole.modules.fs.promises;\n${code}`,
        servers: [],
        modules: ["fs"],
        hostFolders: ["servers"],
      };
      const { sandbox, workspace } = world();
      const outcome = await sandbox.run(program, host, { folders: [workspace], ...options });
      if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
      return outcome.value;
    };

    it.each([
      "./servers/github/createIssue.ts",
      "servers/github/createIssue.ts",
      "/servers/github/createIssue.ts",
      "./servers//github/./createIssue.ts",
      "./servers/memory/../github/createIssue.ts",
      "./workspace/../servers/github/createIssue.ts",
    ])("is read by promises as %s", async (path) => {
      expect(await inLibrary(`return fs.readFile(${JSON.stringify(path)}, "utf8")`)).toBe("// für alle\n");
      expect(asked).toEqual([{ folder: "servers", path: "github/createIssue.ts", recursive: false }]);
    });

    it("is read by URL, and as bytes or in any encoding", async () => {
      const code = `const path = new URL("file:///servers/github/createIssue.ts");
      const bytes = await fs.readFile(path);
      return [bytes instanceof Uint8Array, bytes.length, String(bytes), bytes.toString("hex").slice(0, 4),
        await fs.readFile(path, { encoding: "base64" }), await fs.readFile(path, { encoding: "utf-8" })]`;
      const base64 = Buffer.from("// für alle\n").toString("base64");
      expect(await inLibrary(code)).toEqual([true, 13, "// für alle\n", "2f2f", base64, "// für alle\n"]);
    });

    it("is listed, plainly, with kinds, and as a whole", async () => {
      expect(
        await inLibrary('return [await fs.readdir("./servers"), await fs.readdir("servers/github/")]'),
      ).toEqual([
        ["github", "memory"],
        ["createIssue.ts", "index.ts"],
      ]);
      const kinds = `const all = await fs.readdir("./servers/", { withFileTypes: true, recursive: true });
      return all.map((e) => [e.parentPath, e.name, e.isFile(), e.isDirectory(), e.isSymbolicLink()])`;
      expect(await inLibrary(kinds)).toEqual([
        ["./servers", "github", false, true, false],
        ["./servers/github", "createIssue.ts", true, false, false],
        ["./servers/github", "index.ts", true, false, false],
        ["./servers", "memory", false, true, false],
        ["./servers/memory", "index.ts", true, false, false],
      ]);
      expect(asked).toHaveLength(1);
      const opened =
        'const names = []; for await (const e of await fs.opendir("./servers/github")) names.push(e.name)';
      expect(await inLibrary(`${opened}; return names`)).toEqual(["createIssue.ts", "index.ts"]);
    });

    it("tells what a path is, and opens it to read", async () => {
      const code = `const [file, folder] = [await fs.stat("./servers/github/createIssue.ts"), await fs.lstat("servers")];
      await fs.access("./servers/github", fs.constants.R_OK);
      const handle = await fs.open("./servers/github/createIssue.ts");
      const { bytesRead, buffer } = await handle.read(new Uint8Array(2));
      const rest = await handle.read({ buffer: new Uint8Array(99) });
      const lines = []; for await (const line of handle.readLines()) lines.push(line);
      await handle.close();
      return [file.isFile(), file.size, file.isDirectory(), folder.isDirectory(), bytesRead, [...buffer], rest.bytesRead,
        lines, await fs.realpath("servers/memory/../github")]`;
      expect(await inLibrary(code)).toEqual([
        ...[true, 13, false, true, 2, [47, 47], 11],
        ...[["// für alle"], "/servers/github"],
      ]);
    });

    it("is asked for once by each handle, however often that reads", async () => {
      const code = `const handle = await fs.open("./servers/github/createIssue.ts");
      const parts = [];
      for (;;) {
        const { bytesRead, buffer } = await handle.read(new Uint8Array(3));
        if (bytesRead === 0) break;
        parts.push(...buffer.subarray(0, bytesRead));
      }
      (await handle.readFile()).fill(0);
      return [new TextDecoder().decode(new Uint8Array(parts)), await handle.readFile("utf8"), (await handle.stat()).size]`;
      expect(await inLibrary(code)).toEqual(["// für alle\n", "// für alle\n", 13]);
      expect(asked).toHaveLength(1);
    });

    it.each(["0", "fs.constants.O_RDONLY", '"rs"', "undefined", "null", "0o2000000"])(
      "is opened to read by the flags %s",
      async (flags) => {
        const code = `const handle = await fs.open("./servers/github/index.ts", ${flags}); return handle.readFile("utf8")`;
        expect(await inLibrary(code)).toBe("export {};\n");
      },
    );

    it("is copied from into the workspace", async () => {
      const code = `await fs.copyFile("./servers/github/createIssue.ts", "./workspace/one.ts");
      await fs.cp("./servers/github", "./workspace/all", { recursive: true });
      return [await fs.readFile("./workspace/one.ts", "utf8"), await fs.readdir("./workspace/all")]`;
      expect(await inLibrary(code)).toEqual(["// für alle\n", ["createIssue.ts", "index.ts"]]);
    });

    it("is there by callbacks, and what would block names the way that works", async () => {
      const code = `const whole = __keyhole.modules.fs;
      const text = await new Promise((resolve) => whole.readFile("./servers/github/index.ts", "utf8", (error, text) => resolve([error, text])));
      const missing = await new Promise((resolve) => whole.readdir("./servers/x", (error) => resolve(error.code)));
      const there = await new Promise((resolve) => whole.exists("./servers/github", resolve));
      try { whole.readFileSync("./servers/github/index.ts", "utf8") } catch (error) { return [text, missing, there, error.code, error.message] }`;
      expect(await inLibrary(code)).toEqual([
        ...[[null, "export {};\n"], "ENOENT", true, "ENOSYS"],
        expect.stringContaining('await readFile(…) of "node:fs/promises"'),
      ]);
    });

    it("says what is missing or refused in the host's words, at the program's line", async () => {
      const seen = (call: string) =>
        inLibrary(`return await ${call}.catch((e) => [e.code, e.message, e.path])`);
      expect(await seen('fs.readFile("./servers/githb/x.ts")')).toEqual([
        "ENOENT",
        "ENOENT: There is no \"./servers/githb/x.ts\". Did you mean 'github'?",
        "./servers/githb/x.ts",
      ]);
      expect(await seen('fs.stat("./servers/huge")')).toContain(
        'EDQUOT: Cannot read "./servers/huge". Read less.',
      );
      expect(await seen('fs.readFile("./servers/github")')).toContain("EISDIR");
      expect(await seen('fs.readdir("./servers/github/index.ts")')).toContain("ENOTDIR");
      const program = {
        code: '\nawait __keyhole.modules.fs.promises.readdir("./servers/x")',
        servers: [],
        modules: ["fs"],
        hostFolders: ["servers"],
      };
      expect(await world().sandbox.run(program, library)).toMatchObject({
        ok: false,
        error: { kind: "exception", location: { line: 2 } },
      });
    });

    it.each([
      'writeFile("./servers/github/index.ts", "x")',
      'writeFile("./servers/new.ts", "x", { flag: "wx" })',
      'appendFile("servers/github/index.ts", "x")',
      'mkdir("./servers/mine", { recursive: true })',
      'mkdtemp("./servers/mine-")',
      'rm("./servers", { recursive: true, force: true })',
      'unlink("./servers/github/index.ts")',
      'rmdir("/servers/github")',
      'rename("./servers/github/index.ts", "./workspace/index.ts")',
      'rename("./workspace/one.ts", "./servers/one.ts")',
      'copyFile("./workspace/one.ts", "./servers/one.ts")',
      'cp("./servers/github/index.ts", "./servers/one.ts")',
      'truncate("./servers/github/index.ts")',
      'symlink("./workspace/one.ts", "./servers/one.ts")',
      'link("./workspace/one.ts", "./servers/one.ts")',
      'open("./servers/github/index.ts", "w")',
      'open("./servers/github/index.ts", "r+")',
      'open("./servers/github/index.ts", 1)',
      'open("./servers/github/index.ts", 2)',
      'open("./servers/new.ts", fs.constants.O_RDONLY | fs.constants.O_CREAT)',
      'open("./servers/new.ts", fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC)',
      'open("./servers/github/index.ts", NaN)',
      'open("./servers/github/index.ts").then((handle) => handle.write("x"))',
      'access("./servers/github/index.ts", fs.constants.W_OK)',
    ])("cannot be changed by %s", async (call) => {
      const code = `await fs.writeFile("./workspace/one.ts", "one"); return fs.${call}.then(() => "done", (e) => [e.code, e.message])`;
      expect(await inLibrary(code)).toEqual([
        "EROFS",
        expect.stringContaining('is read-only; write to "./workspace"'),
      ]);
    });

    it("is the only thing that paths into it can reach", async () => {
      const { outside } = world();
      await writeFile(join(outside, "index.ts"), "the secret");
      const paths = [
        "./servers/../../etc/passwd",
        "./servers/../outside/secret.txt",
        "./servers/../../outside/secret.txt",
        `./servers/${"../".repeat(50)}etc/passwd`,
        `./servers/${outside}/secret.txt`,
        "./servers/%2e%2e/%2e%2e/etc/passwd",
        "./servers/..%2f..%2fetc%2fpasswd",
        "./servers/..\\..\\etc\\passwd",
        "./servers\\..\\workspace",
        "./servers/github/index.ts\0.txt",
        "./servers\0",
        `./servers/${"x".repeat(100_000)}`,
        `./servers/${"x/".repeat(1_000)}`,
        "./servers/__proto__/constructor.ts",
        "./servers/constructor",
        "./servers/github/__proto__",
        "./Servers/github/index.ts",
        "file:///servers/github/index.ts",
      ];
      const code = `const paths = ${JSON.stringify(paths)};
      const urls = ["file:///servers/%2e%2e/etc/passwd", "file:///servers/..%2f..%2fetc%2fpasswd"].map((text) => new URL(text));
      const codes = [];
      for (const path of [...paths, ...urls, undefined, null, {}, Symbol.iterator])
        for (const name of ["readFile", "readdir", "stat", "open"])
          codes.push(await (async () => fs[name](path))().then((got) => ["got", got], (e) => e.code ?? e.name));
      return [...new Set(codes.map(String))].sort()`;
      expect(await inLibrary(code)).toEqual(["EACCES", "ENAMETOOLONG", "ENOENT"]);
      for (const { folder, path } of asked) {
        expect(folder).toBe("servers");
        expect(path.split("/")).not.toContain("..");
        expect(path.length).toBeLessThan(5_000);
      }
    });

    it("is read many times at once, and bounded as calls are", async () => {
      const many = 'const read = () => fs.readFile("./servers/github/index.ts", "utf8")';
      const all = await inLibrary(
        `${many}; return (await Promise.all(Array.from({ length: 500 }, read))).length`,
      );
      expect(all).toBe(500);
      expect(asked).toHaveLength(500);
      const endless = inLibrary(`${many}; for (;;) await read()`, library, { limits: { calls: 50 } });
      await expect(endless).rejects.toThrow(/^calls: /);
    });

    it("is not there unless it is granted, and then nobody is asked", async () => {
      asked = [];
      const code = 'return __keyhole.modules.fs.promises.readdir("./servers").catch((e) => e.message)';
      const { sandbox, workspace } = world();
      const outcome = await sandbox.run({ code, servers: [], modules: ["fs"] }, library, {
        folders: [workspace],
      });
      const value = 'EACCES: Cannot use "./servers": programs have "./workspace" only';
      expect(outcome).toMatchObject({ ok: true, value });
      expect(asked).toEqual([]);
    });

    it("that fails at the host is an error that can be caught", async () => {
      const host: Host = { callTool: noTools, callOwn: () => Promise.reject(new Error("no such thing")) };
      expect(await inLibrary('return fs.readdir("./servers").catch((e) => e.message)', host)).toBe(
        "no such thing",
      );
    });

    describe("that lies in the workspace", () => {
      const bytes = new Uint8Array(10_000_001).fill(65);
      bytes.set(new TextEncoder().encode("ü"), 4_999_999);
      /** Answers in pieces, as for files of any size. */
      const results: Host = {
        callTool: noTools,
        callOwn: async (_tool, args): Promise<FolderAnswer | Uint8Array> => {
          const { folder, path, from } = args as FolderRequest;
          expect(folder).toBe("workspace/results");
          if (path === "") return { kind: "folder", files: ["big.txt", "both.txt"], folders: [] };
          if (path !== "big.txt" && path !== "both.txt") return { kind: "missing", message: "It is gone." };
          const all = path === "big.txt" ? bytes : new TextEncoder().encode("the host's");
          if (from === undefined) return { kind: "file", bytes: all.length };
          return all.subarray(from, from + 1_000_000);
        },
      };
      const FILES = { "workspace/results": [["big.txt", bytes.length] as const, ["both.txt", 10] as const] };
      const inWorkspace = async (code: string, host = results) => {
        const { sandbox, workspace } = world();
        await mkdir(join(workspace.dir, "results"), { recursive: true });
        await writeFile(join(workspace.dir, "results/both.txt"), "the disk's");
        await writeFile(join(workspace.dir, "results/old.txt"), "from before");
        const program = {
          code: `const fs = __keyhole.modules.fs.promises;\n${code}`,
          servers: [],
          modules: ["fs"],
          hostFolders: ["servers", "workspace/results"],
          hostFiles: host === results ? FILES : {},
        };
        const outcome = await sandbox.run(program, host, { folders: [workspace] });
        if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
        return outcome.value;
      };

      it("is read in pieces, before what the disk has, which is read where the host has nothing", async () => {
        const code = `const big = await fs.readFile("./workspace/results/big.txt", "utf8");
        const read = (name) => fs.readFile("./workspace/x/../results/" + name, "utf8");
        const handle = await fs.open("./workspace/results/old.txt");
        await fs.copyFile("./workspace/results/both.txt", "./workspace/copy.txt");
        return [big.length, big.indexOf("ü"), (await fs.stat("workspace/results/big.txt")).size, await read("both.txt"),
          await read("old.txt"), await handle.readFile("utf8"), await fs.readFile("./workspace/copy.txt", "utf8"),
          await read("none.txt").catch((error) => error.code)]`;
        expect(await inWorkspace(code)).toEqual([
          ...[10_000_000, 4_999_999, 10_000_001, "the host's", "from before", "from before", "the host's"],
          "ENOENT",
        ]);
      });

      it("is listed with what the disk has, and in the workspace", async () => {
        const code = `return [await fs.readdir("./workspace/results"), (await fs.readdir("./workspace")).includes("results"),
          (await fs.readdir("./workspace", { recursive: true })).filter((name) => name.startsWith("results"))]`;
        expect(await inWorkspace(code)).toEqual([
          ["big.txt", "both.txt", "old.txt"],
          true,
          ["results", "results/big.txt", "results/both.txt", "results/old.txt"],
        ]);
        const none: Host = {
          callTool: noTools,
          callOwn: async () => ({ kind: "missing", message: "Nothing." }),
        };
        expect(await inWorkspace('return fs.readdir("./workspace/results")', none)).toEqual([
          "both.txt",
          "old.txt",
        ]);
      });

      it.each([
        'writeFile("./workspace/results/big.txt", "x")',
        'appendFile("./workspace/./results/both.txt", "x")',
        'rm("./workspace/results/big.txt", { recursive: true, force: true })',
        'unlink("./workspace/results/both.txt")',
        'rename("./workspace/results/both.txt", "./workspace/moved")',
        'rename("./workspace/copy.txt", "./workspace/results/both.txt")',
        'copyFile("./workspace/copy.txt", "./workspace/results/both.txt")',
        'open("./workspace/results/both.txt", "w")',
        'access("./workspace/results/both.txt", 2)',
        'truncate("./workspace/results/both.txt")',
      ])("is the host's where the host has a file, and not written to by %s", async (call) => {
        const code = `await fs.writeFile("./workspace/copy.txt", "x");
        return fs.${call}.then(() => "done", (error) => [error.code, error.message])`;
        expect(await inWorkspace(code)).toEqual([
          "EROFS",
          expect.stringContaining("it is a saved result, and read-only. Use another name"),
        ]);
      });

      it("is the program's where the host has no file", async () => {
        const code = `const { readFileSync, writeFileSync } = __keyhole.modules.fs;
        await fs.mkdir("./workspace/results/mine", { recursive: true });
        await fs.writeFile("./workspace/results/mine/a.txt", "a");
        await fs.appendFile("./workspace/results/old.txt", "!");
        await fs.rename("./workspace/results/mine/a.txt", "./workspace/results/b.txt");
        await fs.rm("./workspace/results/mine", { recursive: true });
        return [readFileSync("./workspace/results/b.txt", "utf8"), readFileSync("./workspace/results/old.txt", "utf8"),
          await fs.readFile("./workspace/results/both.txt", "utf8"), await fs.readdir("./workspace/results")]`;
        expect(await inWorkspace(code)).toEqual([
          ...["a", "from before!", "the host's"],
          ["b.txt", "big.txt", "both.txt", "old.txt"],
        ]);
      });

      it("is known to functions that block, by name and size", async () => {
        const code = `const f = __keyhole.modules.fs;
        f.rmSync("./workspace/results", { recursive: true });
        const before = [f.existsSync("./workspace/results"), f.existsSync("./workspace/results/big.txt"), f.existsSync("./workspace/results/no.txt"),
          f.statSync("./workspace/results/big.txt").size, f.statSync("./workspace/results").isDirectory(),
          f.readdirSync("./workspace/results"), f.readdirSync("./workspace").includes("results"), f.readdirSync("./workspace", { recursive: true }).includes("results/big.txt")];
        const codes = [];
        for (const work of [() => f.readFileSync("./workspace/results/no.txt"), () => f.writeFileSync("./workspace/results/big.txt", ""), () => f.readFileSync("./workspace/results/big.txt")])
          try { work() } catch (error) { codes.push(error.code) }
        f.writeFileSync("./workspace/results/own.txt", "own");
        await fs.rm("./workspace/results", { recursive: true });
        await fs.rm("./workspace/results", { recursive: true });
        await fs.writeFile("./workspace/results/own.txt", "again");
        return [before, codes, f.readFileSync("./workspace/results/own.txt", "utf8"), f.readdirSync("./workspace/results")]`;
        expect(await inWorkspace(code)).toEqual([
          [true, true, false, 10_000_001, true, ["big.txt", "both.txt"], true, true],
          ["ENOENT", "EROFS", "ENOSYS"],
          "again",
          ["big.txt", "both.txt", "own.txt"],
        ]);
      });

      it("says how to wait for it where a function can't", async () => {
        const code = `try { __keyhole.modules.fs.readFileSync("./workspace/results/big.txt") } catch (error) { return error.message }`;
        expect(await inWorkspace(code)).toContain('use await readFile(…) of "node:fs/promises"');
      });
    });
  });
}
