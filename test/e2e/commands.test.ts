import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { running, until } from "../fixtures/processes.ts";
import { fixture, homeOf, writeProject } from "../fixtures/project.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const suite = hasBubblewrap ? describe : describe.skip;

type Files = Record<string, unknown>;

async function open(config: unknown, files: Files = {}, userConfig?: unknown): Promise<string> {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { good: fixture("good") } },
    ...(config === undefined ? {} : { "keyhole.config.json": config }),
    ...files,
  });
  if (userConfig === undefined) return dir;
  const own = join(await homeOf(dir), ".config/keyhole");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "config.json"), JSON.stringify(userConfig));
  return dir;
}

async function run(dir: string, code: string) {
  const { stdout, stderr } = await keyhole(dir, ["run", "--json", "-e", code]);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const result = async (dir: string, code: string) => {
  const answer = await run(dir, code);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.result;
};

/** What the program is told when it is refused. */
const refusal = (dir: string, call: string) =>
  result(dir, `try { await ${call}; return "ran" } catch (error) { return [error.code, error.message] }`);

const ALLOW = [
  { command: "git", args: ["init -q", "add .", ["commit", "-qm", "*"], "status *", "log *"] },
  { command: "cat", args: ["*"] },
  { command: "sort", args: ["*"], readOnly: true },
  { command: "head", args: ["-c * *"] },
  { command: "touch", args: ["*"] },
  { command: "sleep", args: ["*"] },
];

describe("runCommand", () => {
  it("is off, and says by which key it is switched on [commands-off]", async () => {
    const call = 'runCommand("git", ["status"])';
    const told = [
      "denied",
      'Commands are switched off. The user can allow it in "commands.allow" of keyhole.config.json: {"command":"git","args":[["status"]]}',
    ];
    expect(await refusal(await open(undefined), call)).toEqual(told);
    const { error } = await run(await open({}), `return ${call}`);
    expect(error).toMatchObject({
      kind: "tool_error",
      server: "keyhole",
      tool: "runCommand",
      code: "denied",
    });
  });

  it("refuses what is not on the list, with the reason [commands-refused]", async () => {
    const dir = await open({ commands: { allow: ALLOW } });
    const code = `const told = [];
      for (const [command, args] of [["rm", ["-rf", "."]], ["git", ["push"]], ["git", ["-c", "core.pager=sh", "log"]], ["git", ["log", "--output=x"]],
        ["/bin/cat", ["x"]], ["./cat", []], ["cat x", []], ["cat", "x"], ["cat", [{}]], ["cat", ["a\\0b"]], [5, []], ["cat", ["x".repeat(2e5)]]])
        told.push(await runCommand(command, args).then(() => "ran", (error) => error.code + ": " + error.message));
      return told`;
    const file = "keyhole.config.json";
    const told = await result(dir, code);
    expect(JSON.stringify(told)).not.toContain(dir);
    expect(told).toEqual([
      expect.stringContaining(`denied: "rm" is not among the commands that ${file} allows`),
      expect.stringContaining(
        `denied: ${file} allows "git" with other arguments than these. The user can allow it`,
      ),
      expect.stringContaining('"-c" is an option'),
      expect.stringContaining('"--output=x" is an option'),
      ...[
        "a bare name",
        "a bare name",
        "there is no shell",
        "a list",
        "a list of texts",
        "a list of texts",
        "the name",
        "shorter",
      ].map((text) => expect.stringMatching(new RegExp(`^bad_arguments: .*${text}`))),
    ]);
  });

  it("is refused as a config that leaves open what is run, with file, key and fix [commands-wrong]", async () => {
    for (const [entry, told] of [
      [{ command: "sh", args: ["-c *"] }, 'must be exact, without "*"'],
      [{ command: "git", args: ["**"] }, 'cannot end with "**"'],
      [{ command: "./x" }, "must be the bare name of a command"],
      [{ command: "git", args: ["log | sh"] }, "there is no shell"],
    ] as const) {
      const { code, stderr } = await keyhole(await open({ commands: { allow: [entry] } }), [
        "run",
        "-e",
        "1",
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain("keyhole.config.json");
      expect(stderr).toContain("commands.allow[0]");
      expect(stderr).toContain(told);
    }
  });
});

suite(`runCommand in its walls${hasBubblewrap ? "" : " (bwrap is not installed: apt install bubblewrap)"}`, () => {
  it("works on the files of the program, and is in the journal [commands-run]", async () => {
    const dir = await open({ commands: { allow: ALLOW } });
    const code = `import { writeFile, mkdir } from "node:fs/promises";
      await mkdir("./workspace/repo"); await writeFile("./workspace/repo/a.txt", "b\\na\\n");
      const git = (...args: string[]) => runCommand("git", args, { cwd: "./workspace/repo" });
      for (const made of [await git("init", "-q"), await git("add", "."), await git("commit", "-qm", "a b; c")]) if (made.code !== 0) throw new Error(made.stderr);
      const { stdout } = await git("log", "--format=%s", "-1");
      const sorted = await runCommand("sort", ["repo/a.txt"]);
      const said = await runCommand("cat", [], { input: "hello" });
      const bytes = await runCommand("cat", ["-"], { input: new Uint8Array([0, 255, 10]), encoding: "buffer" });
      const text = await runCommand("cat", ["-"], { input: new Uint8Array([104, 255, 10]) });
      const long = await runCommand("head", ["-c", 2000000, "/dev/zero"]);
      const together = await Promise.all([1, 2, 3].map((n) => runCommand("cat", [], { input: String(n) })));
      if (together.map(({ stdout }) => stdout).join("") !== "123") throw new Error("another order");
      const failed = await runCommand("cat", ["nothing"]);
      return [stdout, sorted.stdout, said, [...bytes.stdout], text, long.stdout.length, long.cut, failed.code]`;
    expect(await result(dir, code)).toEqual([
      "a b; c\n",
      "a\nb\n",
      { code: 0, stdout: "hello", stderr: "" },
      [0, 255, 10],
      { code: 0, stdout: "h\ufffd\n", stderr: "", isBinary: true },
      1_048_576,
      { stdout: 951_424 },
      1,
    ]);
    expect(await readFile(join(dir, "workspace/repo/a.txt"), "utf8")).toBe("b\na\n");
    const { stdout: listed } = await keyhole(dir, ["runs", "list", "--json"]);
    const [{ runId }] = JSON.parse(listed).runs;
    const { stdout: shown } = await keyhole(dir, ["runs", "show", runId, "--json"]);
    const made = JSON.parse(shown).made as { server: string; tool: string }[];
    expect(made).toHaveLength(13);
    expect(made[0]).toMatchObject({ server: "keyhole", tool: "runCommand" });
  });

  it("sees nothing of the project but the workspace [commands-walls]", async () => {
    const dir = await open({ commands: { allow: ALLOW } }, { "secret.txt": "secret" });
    const code = `const told = [];
      for (const path of ["../secret.txt", "../.mcp.json", "../.keyhole/keyhole.db", ${JSON.stringify(join(dir, "secret.txt"))}, "/etc/shadow", "/proc/1/environ"])
        told.push((await runCommand("cat", [path])).code);
      for (const path of ["../x", "../.keyhole/x", "/x"]) told.push((await runCommand("touch", [path])).code);
      return told`;
    expect(await result(dir, code)).toEqual(Array(9).fill(1));
    expect(await refusal(dir, 'runCommand("cat", ["x"], { cwd: ".." })')).toMatchObject([
      "bad_arguments",
      /without/,
    ]);
  });

  it("is bounded by time, and cancelled by a signal or with its run [commands-end]", async () => {
    const dir = await open({ commands: { allow: ALLOW, timeoutMs: 1_000 } });
    const code = `const slow = await runCommand("sleep", ["600"], { timeoutMs: 300 });
      const capped = await runCommand("sleep", ["600"], { timeoutMs: 1e9 });
      const cancelled = await runCommand("sleep", ["600"], { signal: AbortSignal.timeout(300) }).catch((error) => error.code);
      void runCommand("sleep", ["600"]);
      return [slow, capped.stoppedBy, cancelled]`;
    expect(await result(dir, code)).toEqual([
      { code: null, stdout: "", stderr: "", stoppedBy: "time" },
      "time",
      "cancelled",
    ]);
    const long = await open({ commands: { allow: ALLOW, timeoutMs: 600_000 } });
    const child = await startKeyhole(long, ["run", "-e", 'await runCommand("sleep", ["14142.1"])']);
    await until(() => running("14142.1").length > 0, "the command");
    child.kill("SIGINT");
    await until(() => running("14142.1").length === 0, "its end");
  });

  it("follows levels and rules, one of which can ask; a command that only reads can't write [commands-levels]", async () => {
    const files = { "workspace/a.txt": "b\na\n" };
    const level = await open({ commands: { allow: ALLOW }, permissions: { level: "read_only" } }, files);
    expect(await result(level, 'return (await runCommand("sort", ["a.txt"])).stdout')).toBe("a\nb\n");
    expect(await refusal(level, 'runCommand("cat", ["a.txt"])')).toEqual([
      "denied",
      expect.stringContaining("read_only"),
    ]);

    const rules = [
      { tool: "runCommand", args: { "$.command": { equals: "cat" } }, decision: "deny", reason: "not today" },
      { server: "keyhole", tool: "runCommand", args: { "$.command": { equals: "touch" } }, decision: "ask" },
      { tool: "runCommand", args: { "$.input": { matches: "DROP" } }, decision: "deny", reason: "no tables" },
    ];
    const ruled = await open(
      {
        commands: { allow: ALLOW },
        permissions: { rules },
        approval: { channels: ["terminal"] },
      },
      files,
    );
    expect(await refusal(ruled, 'runCommand("cat", ["a.txt"])')).toEqual([
      "denied",
      expect.stringContaining("not today"),
    ]);
    expect(await refusal(ruled, 'runCommand("touch", ["x"])')).toEqual([
      "denied",
      expect.stringContaining("needs the word of a person"),
    ]);
    expect(await refusal(ruled, 'runCommand("sort", ["a.txt"])')).toBe("ran");
    for (const input of [
      '"DROP x"',
      'Buffer.from("DROP x")',
      'Buffer.concat([Buffer.from("DROP x"), Buffer.of(255)])',
    ])
      expect(await refusal(ruled, `runCommand("sort", [], { input: ${input} })`)).toEqual([
        "denied",
        expect.stringContaining("no tables"),
      ]);

    const asked = await open({
      commands: { allow: ALLOW },
      permissions: { rules },
      approval: { holdMs: 300 },
    });
    expect(await run(asked, 'await runCommand("touch", ["x y"])')).toMatchObject({ status: "waiting" });
    const { stdout } = await keyhole(asked, ["approvals", "list", "--json"]);
    expect(JSON.parse(stdout).approvals).toMatchObject([
      { calls: [{ server: "keyhole", tool: "runCommand", commandLine: 'touch "x y"' }] },
    ]);

    const writes = [{ command: "touch", args: ["*"], readOnly: true }];
    const held = await open({ commands: { allow: writes } }, files);
    expect(await result(held, 'return (await runCommand("touch", ["x"])).code')).toBe(1);
  });

  it("must be allowed by the user's own config too, where that speaks of commands [commands-stricter]", async () => {
    const mine = { commands: { allow: [{ command: "cat", args: ["a.txt"] }] } };
    const dir = await open({ commands: { allow: ALLOW } }, { "workspace/a.txt": "a" }, mine);
    expect(await refusal(dir, 'runCommand("cat", ["a.txt"])')).toBe("ran");
    expect(await refusal(dir, 'runCommand("cat", ["b.txt"])')).toEqual([
      "denied",
      expect.stringContaining("keyhole/config.json allows"),
    ]);
    expect(await refusal(dir, 'runCommand("git", ["log"])')).toEqual([
      "denied",
      expect.stringContaining('"git" is not among'),
    ]);
  });

  it("is tried by doctor [commands-doctor]", async () => {
    const { stdout } = await keyhole(await open({}), ["doctor", "--json"]);
    const { checks } = JSON.parse(stdout) as { checks: { id: string }[] };
    expect(checks.find(({ id }) => id === "commands")).toMatchObject({ status: "ok" });
  });
});
