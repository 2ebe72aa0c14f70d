import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createKeyhole, type Keyhole, type KeyholeOptions, type RunEvent } from "../../src/index.ts";
import { isAlive } from "../fixtures/processes.ts";
import { fixture, fixturePath, onCleanup, tempDir, writeProject } from "../fixtures/project.ts";

afterEach(() => vi.unstubAllEnvs());

const ENDLESS = 'console.log("on"); await good.good0({ value: "x" }); while (true) {}';

async function open(options: KeyholeOptions): Promise<Keyhole> {
  const keyhole = await createKeyhole({ poolSize: 0, trust: true, ...options });
  onCleanup(() => keyhole.close());
  return keyhole;
}

describe("servers given as values", () => {
  it("are all there are, and nothing stays behind [library-servers]", async () => {
    const temporary = await tempDir();
    vi.stubEnv("TMPDIR", temporary);
    // The folder of this repository has a .mcp.json: it is not read.
    const keyhole = await open({ servers: { github: fixture("github") } });
    expect(keyhole.servers()).toEqual([{ name: "github", identifier: "github", status: "ready", tools: 2 }]);
    const saved = await keyhole.run(`
      import { writeFile, readFile } from "node:fs/promises";
      await writeFile("./workspace/a.txt", "kept");
      return await readFile("./workspace/a.txt", "utf8");
    `);
    expect(saved).toMatchObject({ ok: true, status: "done", result: "kept" });
    expect(existsSync("workspace/a.txt")).toBe(false);
    const [folder = ""] = await readdir(temporary);
    // The audit log's keys are for this process, too.
    expect((await readdir(join(temporary, folder))).sort()).toEqual([".keyhole", "user", "workspace"]);
    await keyhole.close();
    expect(await readdir(temporary)).toEqual([]);
  });

  it("keep their workspace and their state where they are told to [library-servers]", async () => {
    const stateDir = join(await tempDir(), "new", "state");
    const servers = { github: fixture("github") };
    const first = await open({ servers, stateDir });
    await first.run('import { writeFile } from "fs/promises"; await writeFile("./workspace/a.txt", "kept");');
    await first.close();
    expect((await readdir(stateDir)).sort()).toEqual([".keyhole", "workspace"]);
    const second = await open({ servers, stateDir });
    const read = 'import { readFile } from "fs/promises"; return readFile("./workspace/a.txt", "utf8");';
    expect(await second.run(read)).toMatchObject({ result: "kept" });
    expect(await second.stats()).toMatchObject({ runs: 2 });
  });

  it("add to those of a project, replace them, and change their settings [library-servers]", async () => {
    const project = await writeProject({
      ".mcp.json": { mcpServers: { first: fixture("good", "first"), second: fixture("good", "second") } },
    });
    const notices: string[] = [];
    const keyhole = await open({
      project,
      servers: { first: { trusted: true }, second: fixture("good", "other"), third: fixture("github") },
      onNotice: (text) => notices.push(text),
    });
    const tools = keyhole.tools().map(({ server, tool, trusted }) => [server, tool, trusted]);
    expect(tools).toEqual([
      ["first", "first_0", true],
      ["second", "other_0", false],
      ["third", "list_issues", false],
      ["third", "create_issue", false],
    ]);
    expect(notices).toEqual([expect.stringContaining('server "second": createKeyhole wins over')]);
  });

  it("take variables from the environment that is given [library-servers]", async () => {
    const servers = { env: { ...fixture("shows-environment"), env: { TOKEN: "${NAME}-1" } } };
    const keyhole = await open({ servers, env: { ...process.env, NAME: "ada" } });
    const [tool] = keyhole.tools();
    const { result } = await keyhole.run(`return callMCPTool("env__${tool?.tool}", {});`);
    expect(JSON.stringify(result)).toContain("ada-1");
  });

  it.each([
    [{ args: ["x"] }, 'createKeyhole: key "servers.a" has settings only'],
    [{ command: "x", arg: ["y"] }, 'createKeyhole: key "servers.a.arg" is not known, did you mean "args"?'],
    [{ command: "x", args: "y" }, 'createKeyhole: key "servers.a.args" must be a list, got a string'],
    [{ command: "x", url: "http://x" }, 'key "servers.a.url" cannot stand together with "command"'],
    [{ command: "x", env: { TOKEN: undefined } }, 'createKeyhole: key "servers.a.env.TOKEN" is undefined'],
    [{ command: () => "x" }, 'createKeyhole: key "servers.a.command" must be plain data, got a function'],
    ["npx x", 'createKeyhole: key "servers.a" must be an object, got a string'],
  ])("%j is refused by the words of the configuration [library-servers]", async (entry, message) => {
    const wrong = createKeyhole({ servers: { a: entry } } as KeyholeOptions);
    await expect(wrong).rejects.toMatchObject({
      name: "KeyholeError",
      code: "config_invalid",
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
  });

  it("may leave keys undefined, as values from elsewhere do [library-servers]", async () => {
    const keyhole = await open({ servers: { good: { ...fixture("good"), cwd: undefined, env: undefined } } });
    expect(keyhole.servers()).toMatchObject([{ status: "ready" }]);
  });

  it("that fail are told with the reason, and the others work [library-servers]", async () => {
    const servers = { dead: fixture("dies-at-once"), off: { ...fixture("good"), enabled: false } };
    const keyhole = await open({ servers: { ...servers, good: fixture("good") } });
    expect(keyhole.servers()).toMatchObject([
      { name: "dead", status: "failed", tools: 0, error: { name: "KeyholeError", server: "dead" } },
      { name: "off", status: "disabled" },
      { name: "good", status: "ready", tools: 1 },
    ]);
    expect(keyhole.tools().map(({ function: name }) => name)).toEqual(["good.good0"]);
    expect(await keyhole.run('return good.good0({ value: "x" });')).toMatchObject({ ok: true });
  });
});

describe("tools()", () => {
  it("has what a caller needs to know of each tool [library-tools]", async () => {
    const keyhole = await open({ servers: { "git-hub": fixture("github") } });
    const [list, create] = keyhole.tools();
    expect(list).toMatchObject({
      server: "git-hub",
      tool: "list_issues",
      description: "Lists the issues of a repository.",
      inputSchema: { required: ["owner", "repo"] },
      outputSchema: { required: ["issues"] },
      readOnly: true,
    });
    expect(create).toMatchObject({ readOnly: false, destructive: true, trusted: false });
    const { result } = await keyhole.run(
      `return (await ${list?.function}({ owner: "a", repo: "b" })).issues.length;`,
    );
    expect(result).toBe(2);
  });
});

describe("limits of one run", () => {
  const servers = { good: fixture("good") };

  it.each([
    ["timeout", "while (true) {}", { timeoutMs: 300 }],
    ["calls", 'for (;;) await good.good0({ value: "x" });', { calls: 3 }],
    ["timeout", "await new Promise((done) => setTimeout(done, 60_000));", { sleepMs: 200 }],
    ["calls", 'await good.good0({ value: "x" });', { calls: 0 }],
    [
      "memory",
      "const all = []; for (;;) all.push(new Uint8Array(1_000_000).fill(1));",
      { memoryBytes: 128 * 2 ** 20 },
    ],
  ])("hold: %s by %j [library-limits]", async (kind, code, limits) => {
    const keyhole = await open({ servers });
    expect(await keyhole.run(code, { limits })).toMatchObject({
      ok: false,
      status: "failed",
      error: { kind },
    });
    expect(await keyhole.run("return 1", { limits: { timeoutMs: undefined } })).toMatchObject({ result: 1 });
  });

  it("hold for all runs when they are given at the start, unless one says otherwise [library-limits]", async () => {
    const keyhole = await open({ servers, limits: { timeoutMs: 300, calls: 1 } });
    const call = 'for (let n = 0; n < 2; n++) await good.good0({ value: "x" });';
    expect(await keyhole.run(call)).toMatchObject({ error: { kind: "calls", limit: { allowed: 1 } } });
    expect(await keyhole.run(call, { limits: { calls: 2 } })).toMatchObject({ ok: true });
    const endless = "while (true) {}";
    const limits = { timeoutMs: 600 };
    expect(await keyhole.run(endless)).toMatchObject({ error: { kind: "timeout", limit: { allowed: 300 } } });
    expect(await keyhole.run(endless, { limits })).toMatchObject({ error: { limit: { allowed: 600 } } });
  });

  it("bound what the model sees [library-limits]", async () => {
    const keyhole = await open({ servers });
    const code = 'return Array.from({ length: 2000 }, (_, n) => "line " + n);';
    const [short, long] = await Promise.all(
      [100, 4000].map((outputTokens) => keyhole.run(code, { limits: { outputTokens } })),
    );
    expect(short?.text.length).toBeLessThan(600);
    expect(long?.text.length).toBeGreaterThan(600);
  });

  it("can't take more memory than is set aside for each program [library-limits]", async () => {
    const keyhole = await open({ servers, limits: { memoryBytes: 256 * 2 ** 20 } });
    await expect(keyhole.run("return 1", { limits: { memoryBytes: 2 ** 30 } })).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringContaining("createKeyhole"),
    });
  });

  it("can be set by a signal, before the run and during it; events tell how far it is [library-limits]", async () => {
    const keyhole = await open({ servers, maxConcurrentTasks: 1 });
    const stop = new AbortController();
    const events: RunEvent[] = [];
    const running = keyhole.run(ENDLESS, {
      signal: stop.signal,
      onEvent(event) {
        events.push(event);
        if (event.kind === "called") stop.abort();
      },
    });
    const waiting = keyhole.run("return 1", { signal: stop.signal });
    expect(await running).toMatchObject({ ok: false, error: { kind: "cancelled" }, calls: [{ ok: true }] });
    expect(await waiting).toMatchObject({ ok: false, error: { kind: "cancelled" }, calls: [] });
    expect(await keyhole.run("return 1", { signal: stop.signal })).toMatchObject({
      error: { kind: "cancelled" },
    });
    expect(events.map(({ kind }) => kind)).toEqual(["log", "call", "called"]);
  });
});

describe("a listener for notices", () => {
  it.each([
    ["throws", () => fail()],
    ["fails later", async () => fail()],
  ])("that %s is nobody else's trouble [library-notices]", async (_, onNotice) => {
    const project = await writeProject({ ".mcp.json": { mcpServers: { good: fixture("good") } } });
    await writeFile(join(project, ".keyhole"), "in the way");
    const told = vi.fn(onNotice);
    const keyhole = await open({ project, onNotice: told, auditLogging: false });
    expect(await keyhole.run("return 1")).toMatchObject({ status: "done", result: 1 });
    expect(told).toHaveBeenCalledWith(expect.stringContaining("not written down"));
  });
});

function fail(): never {
  throw new Error("The listener's own fault");
}

it("takes a language by any of its names, and no other", async () => {
  const keyhole = await open({ servers: { good: fixture("good") } });
  expect(await keyhole.run("return 1", { language: "js" })).toMatchObject({ result: 1 });
  expect(await keyhole.run("[2 ** 10]", { language: "py" })).toMatchObject({ result: [1024] });
  await expect(keyhole.run("puts 1", { language: "ruby" as "py" })).rejects.toThrow(
    'must be one of "typescript"',
  );
  expect((await keyhole.search("good", { language: "py" })).text).toContain("good.good_0");
});

describe("close()", () => {
  it("ends every process and what runs, once and for all [library-close]", async () => {
    const dir = await tempDir();
    const pidFile = join(dir, "pid");
    const server = join(dir, "server.mjs");
    const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\nawait import(${JSON.stringify(fixturePath("good"))});`;
    await writeFile(server, code);
    const keyhole = await open({
      servers: { good: { command: process.execPath, args: [server] } },
      poolSize: 1,
    });
    const events = new EventEmitter();
    const running = keyhole.run(ENDLESS, { onEvent: ({ kind }) => events.emit(kind) });
    await once(events, "called");
    const pid = Number(await readFile(pidFile, "utf8"));
    expect(isAlive(pid)).toBe(true);
    const closing = keyhole.close();
    expect(keyhole.close()).toBe(closing);
    await closing;
    expect(await running).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    expect(isAlive(pid)).toBe(false);
    await keyhole.close();
  });

  it("is the end: what is asked afterwards is refused with the way out [library-close]", async () => {
    const keyhole = await open({ servers: { good: fixture("good") } });
    await keyhole.close();
    const closed = {
      code: "usage",
      message: "This Keyhole is closed",
      hint: expect.stringContaining("createKeyhole"),
    };
    await expect(keyhole.run("return 1")).rejects.toMatchObject(closed);
    await expect(keyhole.search("x")).rejects.toMatchObject(closed);
    await expect(keyhole.executeTask({ code: "return 1" })).rejects.toMatchObject(closed);
    await expect(keyhole.stats()).rejects.toMatchObject(closed);
    await expect(keyhole.getStats()).rejects.toMatchObject(closed);
    expect(() => keyhole.tools()).toThrow("closed");
    expect(() => keyhole.servers()).toThrow("closed");
  });
});

describe("its numbers", () => {
  it("say how much there is and how much goes on [library-stats]", async () => {
    const keyhole = await open({
      servers: { good: fixture("good", "good", "3"), gone: { command: "no-such-command" } },
      maxConcurrentTasks: 1,
    });
    const before = { servers: 2, readyServers: 1, tools: 3, activeTasks: 0, queuedTasks: 0, runs: 0 };
    expect(await keyhole.getStats()).toMatchObject({
      ...before,
      ...{ skills: 0, maxConcurrentTasks: 1, failedRuns: 0 },
    });
    const skill = { name: "one", description: "Gives one.", code: "export const one = () => 1;" };
    await keyhole.saveSkill(skill);
    expect(await keyhole.getStats()).toMatchObject({ skills: 1 });
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stop = new AbortController();
    const first = keyhole.run('console.log("here"); await new Promise((r) => setTimeout(r, 50_000))', {
      signal: stop.signal,
      onEvent: ({ kind }) => kind === "log" && begun(),
    });
    await running;
    const second = keyhole.run("return 1", { signal: stop.signal });
    expect(await keyhole.getStats()).toMatchObject({ activeTasks: 1, queuedTasks: 1 });
    stop.abort();
    await Promise.all([first, second]);
    expect(await keyhole.getStats()).toMatchObject({
      activeTasks: 0,
      queuedTasks: 0,
      runs: 2,
      failedRuns: 2,
    });
  });
});

describe("wrong use", () => {
  it.each([
    [{ projct: "." }, 'createKeyhole: key "projct" is not known, did you mean "project"?'],
    [{ project: 5 }, 'createKeyhole: key "project" must be a text that is not empty, got 5'],
    [{ project: "/no/such/folder" }, 'Cannot use "/no/such/folder" as the project\'s folder'],
    [{ servers: [] }, 'createKeyhole: key "servers" must be an object, got a list'],
    [{ servers: {} }, "No MCP server is configured"],
    [
      { outputTokens: 500 },
      'createKeyhole: key "outputTokens" is not known, did you mean "limits.outputTokens"?',
    ],
    [{ limits: { timeout: 5 } }, 'key "limits.timeout" is not known, did you mean "timeoutMs"?'],
    [{ limits: { timeoutMs: "5s" } }, 'key "limits.timeoutMs" must be a whole number from 1 to'],
    [{ limits: 5 }, 'createKeyhole: key "limits" must be an object, got 5'],
    [{ onNotice: "log" }, 'createKeyhole: key "onNotice" must be a function, got a string'],
    ["folder", "createKeyhole: takes an object, got a string"],
    [{ ready: true }, 'createKeyhole: key "ready" is not known'],
  ])("createKeyhole(%j) says what to write instead [library-usage]", async (options, message) => {
    await expect(createKeyhole(options as KeyholeOptions)).rejects.toMatchObject({
      name: "KeyholeError",
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/./),
    });
  });

  it("of a run, a search or a task says what to write instead, and nothing runs [library-usage]", async () => {
    const keyhole = await open({ servers: { good: fixture("good") } });
    const loose: { [method: string]: (...args: unknown[]) => Promise<unknown> } = { ...keyhole } as never;
    const cases: [string, unknown[], string][] = [
      ["run", ["return 1", { timeout: 5 }], 'run: key "timeout" is not known'],
      ["run", ["return 1", { timeoutMs: 5 }], 'did you mean "limits.timeoutMs"?'],
      ["run", ["return 1", { signal: {} }], 'run: key "signal" must be an AbortSignal, got an object'],
      [
        "run",
        ["return 1", { limits: { calls: -1 } }],
        'run: key "limits.calls" must be a whole number from 0',
      ],
      ["run", [], "There is no program to run"],
      [
        "search",
        ["x", { detail: "all" }],
        'search: key "detail" must be one of "name", "description", "full"',
      ],
      ["search", [5], '"query" must be a string'],
      ["executeTask", [{ code: "return 1", requiredTools: "x" }], '"requiredTools" must be a list of texts'],
      ["executeTask", [{ code: "return 1", requiredTools: ["good__good9"] }], 'has no tool "good9"'],
      ["executeTask", [], "executeTask: takes an object, got nothing"],
      ["executeTask", [{}], "There is no program to run"],
    ];
    for (const [method, args, message] of cases) {
      await expect(loose[method]?.(...args), `${method} ${JSON.stringify(args)}`).rejects.toMatchObject({
        name: "KeyholeError",
        message: expect.stringContaining(message),
      });
    }
    expect(await keyhole.stats()).toMatchObject({ runs: 0 });
  });
});
