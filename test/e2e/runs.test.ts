import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { connectKeyhole, keyhole } from "../fixtures/keyhole.ts";
import { fixture, writeProject } from "../fixtures/project.ts";

const WAITS = "console.log('begun'); await cancellable.wait({});";

type Data = {
  status: string;
  runId: string;
  result?: Record<string, unknown>;
  error?: { kind: string; message: string };
};

function open(): Promise<string> {
  return writeProject({
    ".mcp.json": { mcpServers: { cancellable: fixture("cancellable") } },
    "keyhole.config.json": { output: { answerAfterMs: 4_000 } },
  });
}

async function execute(client: Client, code: string): Promise<Data & { text: string; isError: boolean }> {
  const { content, _meta, isError } = await client.callTool({ name: "execute_code", arguments: { code } });
  const data = { ...(_meta?.["keyhole/result"] as object) } as Data;
  return { ...data, text: JSON.stringify(content), isError: isError === true };
}

const fetched = (runId: string) => `return await runs.result("${runId}");`;

describe("a long run", () => {
  it("is answered, told of and fetched in its session alone, and cancelled from another process [runs-long]", async () => {
    const dir = await open();
    const [one, two] = [await connectKeyhole(dir), await connectKeyhole(dir)];
    const [first, second] = await Promise.all([execute(one, WAITS), execute(two, WAITS)]);
    for (const { status, isError, text, runId } of [first, second]) {
      expect([status, isError]).toEqual(["waiting", false]);
      expect(text).toContain("begun");
      expect(text).toContain(runId);
    }
    expect(await execute(two, fetched(first.runId))).toMatchObject({
      status: "failed",
      error: { kind: "tool_error", message: expect.stringContaining(first.runId) },
    });
    const cancelled = await keyhole(dir, ["runs", "cancel", first.runId, "--json"]);
    expect([cancelled.code, JSON.parse(cancelled.stdout)]).toEqual([
      0,
      { runId: first.runId, cancelled: true },
    ]);
    expect((await execute(one, fetched(first.runId))).result).toMatchObject({
      status: "failed",
      error: { kind: "cancelled" },
    });
    expect((await execute(two, fetched(second.runId))).result).toMatchObject({ status: "running", calls: 1 });
    const again = await keyhole(dir, ["runs", "cancel", first.runId]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("has ended already")]);
  });
});

describe("keyhole runs", () => {
  it("lists and shows what ran, told apart by session [runs-list]", async () => {
    const dir = await open();
    const empty = await keyhole(dir, ["runs", "list", "--json"]);
    expect([empty.code, JSON.parse(empty.stdout)]).toEqual([0, { runs: [] }]);
    for (const client of [await connectKeyhole(dir), await connectKeyhole(dir)])
      for (const code of ["return cancellable.most({})", "throw new Error('no')"])
        await execute(client, code);
    await keyhole(dir, ["run", "-e", "return 1"]);
    const { runs } = JSON.parse((await keyhole(dir, ["runs", "list", "--json"])).stdout);
    const shape = {
      runId: expect.stringMatching(/^r_[0-9a-f]{16}$/),
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(runs).toMatchObject([
      { ...shape, status: "done", session: expect.stringMatching(/^cli-/), calls: 0 },
      { ...shape, status: "failed", kind: "exception" },
      { ...shape, status: "done", calls: 1 },
      { ...shape, status: "failed" },
      { ...shape, status: "done" },
    ]);
    const sessions = runs.map(({ session }: { session: string }) => session);
    expect([sessions[1] === sessions[2], sessions[3] === sessions[4], new Set(sessions).size]).toEqual([
      true,
      true,
      3,
    ]);
    const shown = await keyhole(dir, ["runs", "show", runs[2].runId, "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      runId: runs[2].runId,
      made: [{ server: "cancellable", tool: "most", ok: true }],
    });
    const details = (await keyhole(dir, ["runs", "show", runs[2].runId, "--code"])).stdout;
    expect(details.split("\n")).toEqual([
      runs[2].runId,
      "  status    done",
      `  started   ${runs[2].startedAt}`,
      expect.stringMatching(/^ {2}ended {5}\S+Z, after \d+ ms$/),
      `  session   ${runs[2].session}`,
      "  principal local",
      expect.stringMatching(/^ {2}client {4}\S/),
      "  language  typescript",
      "  calls     1",
      expect.stringMatching(/^ {2}receipt {3}the model saw \d+ tokens, \d+ were kept from it, directly \d+$/),
      "  tier      process (by level)",
      expect.stringMatching(/^ {2}cancellable\.most {2}[\d.]+ ms {2}ok$/),
      "",
      "return cancellable.most({})",
      "",
    ]);
    const failed = (await keyhole(dir, ["runs", "show", runs[1].runId])).stdout;
    expect(failed).toContain("failed (exception)");
    expect(failed).not.toContain("throw new Error");
    expect((await keyhole(dir, ["runs"])).stdout).toBe((await keyhole(dir, ["runs", "list"])).stdout);
    const plain = await keyhole(dir, ["runs", "list", "--limit", "1"]);
    expect(plain.stdout.trim().split("\n")).toEqual([expect.stringContaining("done, 0 calls")]);
  });

  it.each([
    [["runs", "remove", "r_0123456789abcdef"]],
    [["runs", "list", "r_0123456789abcdef"]],
    [["runs", "show"]],
    [["runs", "show", "r_0123456789abcdef"]],
    [["runs", "cancel", "../../etc/passwd"]],
  ])("%j is wrong use, and says what to write [runs-list]", async (args) => {
    const { code, stderr } = await keyhole(await open(), args);
    expect(code).toBe(2);
    expect(stderr).not.toBe("");
  });
});
