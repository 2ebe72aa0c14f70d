import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyhole, startKeyhole } from "../fixtures/keyhole.ts";
import { isAlive, pidsFrom, until } from "../fixtures/processes.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";
import { hasTerminal, keyholeOnTerminal } from "../fixtures/terminal.ts";

const CTRL_C = "\u0003";

async function setUp(extra: Record<string, unknown> = {}) {
  const file = join(await tempDir(), "pids");
  const servers = { stubborn: fixture("stubborn", file), ...extra };
  return { dir: await writeProject({ ".mcp.json": { mcpServers: servers } }), file };
}

async function interrupt(child: ChildProcess, pids: readonly number[]): Promise<unknown> {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const [code, signal] = await ended;
  await until(() => !pids.some(isAlive), `the end of ${pids.join(", ")}`);
  return { code, signal };
}

function said(child: ChildProcess, words: string): Promise<string> {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  return until(() => (text.includes(words) ? text : undefined), words);
}

describe("Ctrl-C ends with 130 and leaves no process", () => {
  it.each([
    [["servers"]],
    [["tools", "--wait"]],
    [["generate", "--wait"]],
    [["search", "files"]],
    [["run", "-e", "return 1"]],
  ])("%j, while a server is silent [ctrl-c]", async (args) => {
    const { dir, file } = await setUp({ hang: fixture("hang") });
    const child = await startKeyhole(dir, args);
    expect(await interrupt(child, await pidsFrom(file))).toEqual({ code: 130, signal: null });
  });

  it("doctor, while it tries the machine", async () => {
    const { dir } = await setUp({ hang: fixture("hang") });
    const child = await startKeyhole(dir, ["doctor"]);
    await said(child, "Trying");
    expect(await interrupt(child, [])).toEqual({ code: 130, signal: null });
  });

  it("run, while its program runs", async () => {
    const { dir, file } = await setUp();
    const code = 'await (await import("node:fs/promises")).writeFile("./workspace/begun", ""); for (;;);';
    const child = await startKeyhole(dir, ["run", "-e", code]);
    const pids = await pidsFrom(file);
    const begun = () =>
      readFile(join(dir, "workspace", "begun"), "utf8").then(
        () => true,
        () => undefined,
      );
    await until(begun, "the program");
    const words = said(child, "cancelled");
    expect(await interrupt(child, pids)).toEqual({ code: 130, signal: null });
    await words;
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("run, by %s, ends its program and writes that down", async (signal, code) => {
    const { dir } = await setUp();
    const child = await startKeyhole(dir, [
      "run",
      "-e",
      "await new Promise((end) => setTimeout(end, 60_000))",
    ]);
    const runs = async () => JSON.parse((await keyhole(dir, ["runs", "--json"])).stdout).runs;
    while ((await runs())[0]?.status !== "running");
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(await runs()).toMatchObject([{ status: "failed", kind: "cancelled" }]);
  });

  it.each([[["serve"]], [["serve", "--http", "0"]]])("%j", async (args) => {
    const { dir, file } = await setUp();
    const child = await startKeyhole(dir, args, {}, "pipe");
    expect(await interrupt(child, await pidsFrom(file))).toEqual({ code: 130, signal: null });
  });

  it.skipIf(!hasTerminal)("init, at each of its questions", async () => {
    const { dir } = await setUp();
    const choosing = await keyholeOnTerminal(dir, ["init"]);
    await until(() => choosing.shown().includes("Which servers"), "the question");
    choosing.type(CTRL_C);
    expect(await choosing.ended).toBe(130);
    const writing = await keyholeOnTerminal(dir, ["init", "--write", "--all"]);
    await until(() => writing.shown().includes("Write this?"), "the question");
    writing.type(CTRL_C);
    expect(await writing.ended).toBe(130);
  });
});

describe("on a terminal", () => {
  it.skipIf(!hasTerminal)("serve says what it is, and Ctrl-C stops it [serve-terminal]", async () => {
    const { dir } = await setUp();
    const serve = await keyholeOnTerminal(dir, ["serve"]);
    await until(() => serve.shown().includes("Ctrl-C stops it"), "its words");
    serve.type(CTRL_C);
    expect(await serve.ended).toBe(130);
  });

  it.skipIf(!hasTerminal)("init --write shows the change and writes when told so [init-write]", async () => {
    const { dir } = await setUp();
    const refused = await keyholeOnTerminal(dir, ["init", "--write", "--all"]);
    await until(() => refused.shown().includes("Write this?"), "the question");
    refused.type("n");
    expect(await refused.ended).toBe(1);
    const taken = await keyholeOnTerminal(dir, ["init", "--write", "--all"]);
    await until(() => taken.shown().includes("Write this?"), "the question");
    taken.type("y");
    // The servers stood in a file of the folder, which is not trusted by that.
    await until(() => taken.shown().includes("Trust "), "the question of trust");
    taken.type("y");
    expect(await taken.ended).toBe(0);
    expect(taken.shown()).toContain("keyhole init --undo");
  });
});
