import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMetering } from "../../src/engine/audit/read-metering.ts";
import { readJournal } from "../../src/engine/journal/read-journal.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, homeOf } from "../fixtures/project.ts";

const SERVERS = { good: fixture("good", "good", "2") };
const CALL = 'return await good.good0({ value: "1" });';

async function read(
  dir: string,
  by: "day" | "tool" | "model" | "server",
  span: { from?: number; to?: number } = {},
) {
  const notices: string[] = [];
  const metering = await readMetering({
    projectDir: dir,
    by,
    ...span,
    trust: true,
    onNotice: (text) => notices.push(text),
    homeDir: await homeOf(dir),
  });
  return { ...metering, notices };
}

describe("what runs cost", () => {
  it("is read from the audit log: each run and call once, by model, at its price", async () => {
    const { engine, opened } = await openEngine(SERVERS);
    const before = Date.now();
    const first = await engine.run({ code: CALL, model: "anthropic/claude-opus-5.5" });
    await engine.run({ code: CALL, model: "house-model" });
    await engine.run({ code: "throw 1;" });
    await engine.close();
    await opened.close();
    const byModel = await read(opened.dir, "model");
    expect(byModel.notices).toEqual([]);
    expect(byModel.runsFrom).toEqual({ audit: 3, journal: 0 });
    expect(byModel.total).toMatchObject({ runs: 3, failed: 1, calls: 2, failedCalls: 0 });
    expect(byModel.groups.map(({ key, runs }) => [key, runs]).sort()).toEqual([
      ["anthropic/claude-opus-5.5", 1],
      ["house-model", 1],
      ["unknown", 1],
    ]);
    const { seenTokens, codeTokens = 0, directTokens } = first.receipt;
    expect(byModel.total.dollars?.seen).toBeCloseTo(
      (codeTokens * 20 + (seenTokens - codeTokens) * 4) / 1e6,
      12,
    );
    expect(byModel.total.dollars?.direct).toBeCloseTo((directTokens * 4) / 1e6, 12);
    expect(byModel.left).toMatchObject({ unpricedRuns: 2, unpricedModels: ["house-model"] });

    const byTool = await read(opened.dir, "tool");
    expect(byTool.groups).toMatchObject([{ server: "good", key: "good_0", calls: 2 }]);
    expect(byTool.groups[0]?.tokens.direct).toBeGreaterThan(0);
    expect((await read(opened.dir, "day", { to: before })).total.runs).toBe(0);
    expect((await read(opened.dir, "day", { from: before })).total.runs).toBe(3);
  });

  it("has no names that programs made up: what no server has is counted together", async () => {
    const code = `${CALL.replace("return", "await")}
for (const name of ["good__eve_example", "good__me_too", "mallory__x", "good_0"])
  await callMCPTool(name, {}).catch(() => {});`;
    for (const auditLogging of [true, false]) {
      const config = { auditLogging };
      const { engine, opened } = await openEngine(SERVERS, { config, user: config });
      await engine.run({ code });
      await engine.close();
      await opened.close();
      for (const by of ["tool", "server"] as const) {
        const { groups, total } = await read(opened.dir, by);
        expect(total.calls).toBe(5);
        expect(groups.map(({ key, calls }) => [key, calls]).sort()).toEqual([
          [by === "tool" ? "good_0" : "good", expect.any(Number)],
          ["unknown", expect.any(Number)],
        ]);
      }
      const { tools } = await readJournal(opened.dir, (journal) => journal.stats(), await homeOf(opened.dir));
      expect(tools.map(({ server, tool }) => [server, tool]).sort()).toEqual([
        ["good", "good_0"],
        ["unknown", "unknown"],
      ]);
    }
  });

  it("counts calls of servers' tools alone, everywhere: what a program keeps is none", async () => {
    for (const auditLogging of [true, false]) {
      const config = { auditLogging };
      const { engine, opened } = await openEngine(SERVERS, { config, user: config });
      await engine.run({ code: `await state.set("a", 1); await state.set("b", 2); ${CALL}` });
      await engine.close();
      await opened.close();
      const found = await readJournal(opened.dir, (journal) => journal.stats(), await homeOf(opened.dir));
      expect(found).toMatchObject({
        calls: 1,
        tools: [{ server: "good", calls: 1 }],
        sessions: [{ calls: 1 }],
      });
      expect((await read(opened.dir, "tool")).total.calls).toBe(1);
    }
  });

  it("is read from the journal where there is no log, with the user's own prices", async () => {
    const config = { auditLogging: false };
    const user = { auditLogging: false, audit: { model: "house-model" } };
    const { engine, opened } = await openEngine(SERVERS, { config, user });
    const { receipt } = await engine.run({ code: CALL });
    await engine.close();
    await opened.close();
    const own = join(await homeOf(opened.dir), ".config/keyhole");
    await mkdir(own, { recursive: true });
    const models = [{ name: "house-model", input: 1, output: 2 }];
    await writeFile(join(own, "prices.json"), JSON.stringify({ date: "2026-11-01", models }));
    const metering = await read(opened.dir, "day");
    expect(metering).toMatchObject({
      runsFrom: { audit: 0, journal: 1 },
      model: "house-model",
      pricesOf: "2026-11-01",
      total: { runs: 1, calls: 1, tokens: { seen: receipt.seenTokens, direct: receipt.directTokens } },
      left: { uncountedCalls: 1, unpricedRuns: 0 },
    });
    expect(metering.total.dollars?.direct).toBeCloseTo(receipt.directTokens / 1e6, 12);
  });
});
