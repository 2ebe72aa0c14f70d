import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { onCleanup, tempDir } from "../../../test/fixtures/project.ts";
import { openSqlite } from "../../store/database/sqlite.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { type Journal, type JournalOptions, openJournal } from "./journal.ts";
import { tidy } from "./retention.ts";

let dir: string;

beforeEach(async () => {
  dir = await tempDir();
});

async function open(options?: JournalOptions): Promise<Journal> {
  const journal = openJournal(await openStateDir(dir, join(dir, "home")), options);
  onCleanup(() => journal.close());
  return journal;
}

const HOUR_MS = 3_600_000;
const NOW = Date.now();
const session = {
  id: "s_1",
  principal: "local",
  client: { name: "client", version: "2" },
  workspace: "",
  savesFor: "principal" as const,
};
const receipt = {
  seenTokens: 5,
  keptTokens: 1,
  directTokens: 20,
  catalogTokens: 10,
  marginTokens: 0,
  calls: 0,
  mediaBlocks: 0,
  phasesMs: { sandbox: 3 },
};
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Told = { code?: string; startedAt?: number; calls?: number; failed?: number };

async function write(
  journal: Journal,
  id: string,
  { code = "return 1", startedAt = Date.now(), ...told }: Told = {},
) {
  const { calls = 0, failed = 0 } = told;
  journal.runStarted({ id, session, code, language: "typescript", startedAt });
  for (let n = 0; n < calls; n++) {
    const call = `c_${id}_${n}`;
    journal.callStarted({
      id: call,
      runId: id,
      server: "shop",
      tool: "buy",
      argumentsText: `{"n":${n}}`,
      startedAt,
    });
    const ok = n >= failed;
    journal.callEnded({
      id: call,
      ok,
      code: ok ? undefined : "tool_failed",
      resultText: "ünd",
      resultBytes: 4,
      ms: n,
    });
  }
  await journal.runEnded({ id, status: "done", receipt, endedAt: startedAt + 5 });
}

describe("the journal", () => {
  it("tells a run with its code and calls, of which arguments and results are hashes", async () => {
    const code = "return 'a\u0000b \ud800 ü';";
    await write(await open(), "r_1", { code, startedAt: NOW, calls: 2, failed: 1 });
    const run = await (await open()).getRun("r_1");
    expect(run).toMatchObject({
      ...{ id: "r_1", session: "s_1", principal: "local", client: session.client, language: "typescript" },
      ...{ status: "done", startedAt: NOW, endedAt: NOW + 5, receipt, codeBytes: Buffer.byteLength(code) },
      // Nothing is cut off at a zero character; half of a pair is none.
      code: "return 'a\u2400b \ufffd ü';",
    });
    const result = { resultHash: sha256("ünd"), resultBytes: 4 };
    const about = { server: "shop", tool: "buy", startedAt: NOW, argumentsBytes: 7, ...result };
    expect(run?.calls).toEqual([
      { ...about, id: "c_r_1_0", argumentsHash: sha256('{"n":0}'), ms: 0, ok: false, code: "tool_failed" },
      { ...about, id: "c_r_1_1", argumentsHash: sha256('{"n":1}'), ms: 1, ok: true },
    ]);
  });

  it("tells of a run and its calls while they go on", async () => {
    const journal = await open();
    journal.runStarted({ id: "r_1", session, code: "x", language: "typescript", startedAt: NOW });
    journal.callStarted({
      id: "c",
      runId: "r_1",
      server: "a",
      tool: "b",
      argumentsText: "{}",
      startedAt: NOW,
    });
    expect(await journal.listRuns()).toMatchObject([{ id: "r_1", status: "running", calls: 1 }]);
    journal.callEnded({ id: "c", ok: true, resultBytes: 9, ms: 2 });
    expect((await journal.getRun("r_1"))?.calls).toMatchObject([
      { ok: true, resultBytes: 9, resultHash: "" },
    ]);
    await journal.runEnded({ id: "r_1", status: "failed", kind: "timeout", receipt, endedAt: NOW + 9 });
    expect(await journal.listRuns()).toMatchObject([{ status: "failed", kind: "timeout", endedAt: NOW + 9 }]);
  });

  it("lists the newest first, by session and principal", async () => {
    const journal = await open();
    for (const id of ["a", "b", "c"]) await write(journal, id);
    expect((await journal.listRuns({ limit: 2 })).map(({ id }) => id)).toEqual(["c", "b"]);
    expect(await journal.listRuns({ session: "other" })).toEqual([]);
    expect(await journal.listRuns({ principal: "local", session: "s_1" })).toHaveLength(3);
  });

  it("adds up what all processes wrote, the catalogue once for each session", async () => {
    const [one, other] = [await open(), await open()];
    await Promise.all([write(one, "a", { calls: 3, failed: 1 }), write(other, "b", { calls: 2 })]);
    expect(await one.stats()).toEqual({
      runs: 2,
      failed: 0,
      calls: 5,
      tokens: { seen: 10, kept: 2, direct: 30, savedPercent: 66.7 },
      runMs: { p50: 3, p95: 3 },
      tools: [{ server: "shop", tool: "buy", calls: 5, failed: 1, ms: { p50: 1, p95: 2 } }],
    });
  });

  it("counts calls that went well, of earlier processes and of this one, once", async () => {
    await write(await open(), "a", { calls: 3, failed: 1 });
    const journal = await open();
    await write(journal, "b", { calls: 2 });
    await journal.popularity.load();
    await write(journal, "c", { calls: 1 });
    expect(journal.popularity.calls("shop", "buy")).toBe(5);
  });

  it("leaves no trace where it is only read, or turned off", async () => {
    const [reader, off] = [await open(), await open({ enabled: false, onFailure: "stop" })];
    await off.ready();
    await write(off, "a", { calls: 1 });
    await off.warm();
    await reader.popularity.load();
    expect([(await reader.stats()).runs, await off.listRuns()]).toEqual([0, []]);
    expect(existsSync(join(dir, ".keyhole"))).toBe(false);
  });

  it("writes thousands of calls of one moment, and a program of any length", async () => {
    const journal = await open();
    await write(journal, "a", { calls: 3_000, code: "x".repeat(2_000_000) });
    const run = await journal.getRun("a");
    expect([run?.calls.length, run?.code.length, run?.codeBytes]).toEqual([3_000, 256 * 1024, 2_000_000]);
  });
});

describe("what the journal keeps", () => {
  const tidied = async (journal: Journal, rule: { keepMs: number; maxBytes: number }) => {
    const db = await openSqlite(join(dir, ".keyhole/keyhole.db"));
    onCleanup(() => db.close());
    await tidy(db, rule, new AbortController().signal);
    expect(db.all("SELECT count(*) FROM calls WHERE run NOT IN (SELECT id FROM runs)")).toEqual([[0]]);
    return (await journal.listRuns({ limit: 1_000 })).map(({ id }) => id);
  };
  const writeThree = async () => {
    const journal = await open();
    await write(journal, "day", { startedAt: NOW - 24 * HOUR_MS, calls: 2_500 });
    await write(journal, "hours", { startedAt: NOW - 3 * HOUR_MS, calls: 10 });
    await write(journal, "young", { startedAt: NOW - HOUR_MS / 2, calls: 10 });
    return journal;
  };

  it("is what is young enough", async () => {
    const rule = { keepMs: 12 * HOUR_MS, maxBytes: 1e9 };
    expect(await tidied(await writeThree(), rule)).toEqual(["young", "hours"]);
  });

  it("is always what is younger than an hour", async () => {
    expect(await tidied(await writeThree(), { keepMs: 1, maxBytes: 1 })).toEqual(["young"]);
  });

  it("is as much as there is room for, the oldest go first", async () => {
    const journal = await open();
    const ids = Array.from({ length: 100 }, (_, n) => `r_${n}`);
    for (const id of ids)
      await write(journal, id, { startedAt: NOW - 2 * HOUR_MS, code: "x".repeat(10_000) });
    const left = await tidied(journal, { keepMs: 1e12, maxBytes: 600_000 });
    expect(left).toEqual(ids.slice(-left.length).reverse());
    expect([left.length > 20, left.length < 60]).toEqual([true, true]);
  });
});
