import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forgetInVault } from "../../src/engine/privacy/vault-of-project.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf } from "../fixtures/audit/events-of.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { fixture, homeOf, tempDir } from "../fixtures/project.ts";

const MINUTE = 60_000;
const KEPT = { cache: { rules: [{ server: "board", tool: "get_*", ttlMs: MINUTE }] } };
const GET = "return await board.getNote({ id: 'a' })";
const SET = "return await board.setNote({ id: 'a', text: 'new' })";

async function open(config: object = KEPT) {
  const folder = await tempDir();
  const { engine, opened } = await openEngine({ board: fixture("board", folder) }, { config });
  const calls = () =>
    existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").trim().split("\n") : [];
  const run = async (code: string, request: object = {}) => {
    const result = await engine.run({ code, ...request });
    expect(result.error).toBeUndefined();
    return result;
  };
  const say = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const unsay = (name: string) => rmSync(join(folder, name));
  return { engine, opened, folder, calls, run, say, unsay };
}

const cached = ({ calls }: { readonly calls: readonly { readonly cached?: true }[] }) =>
  calls.map((call) => call.cached === true);

describe("the result cache", () => {
  it("answers a call by what an equal one returned, in later runs and later processes, and says so", async () => {
    const { opened, calls, run, say } = await open();
    say("note-a", "first");
    expect(cached(await run(GET))).toEqual([false]);
    say("note-a", "second");
    const again = await run("return await board.getNote({ id: 'a' })");
    expect([again.result, cached(again)]).toEqual([{ id: "a", text: "first" }, [true]]);
    const other = await reopenEngine(opened.dir);
    const later = await other.engine.run({ code: GET });
    expect([later.result, cached(later)]).toEqual([{ id: "a", text: "first" }, [true]]);
    expect(calls()).toHaveLength(1);
  });

  it("keeps nothing where neither the user nor a trusted server says for how long", async () => {
    const { calls, run } = await open({ servers: { board: { trusted: true } } });
    await run(GET);
    expect(cached(await run(GET))).toEqual([false]);
    expect(calls()).toHaveLength(2);
  });

  it("keeps what a trusted server says that it holds, and believes no other", async () => {
    for (const [trusted, sent] of [
      [true, 2],
      [false, 4],
    ] as const) {
      const { calls, run, say } = await open({ servers: { board: { trusted } } });
      say("ttl", String(MINUTE));
      // By the first one it is known that the server says it.
      for (let n = 0; n < 4; n++) await run(GET);
      expect(calls()).toHaveLength(sent);
    }
  });

  it("takes an absurd time for an hour, a wrong one for none, and the shorter of two", async () => {
    for (const [ttl, sent] of [
      ["1e308", 2],
      ["1.5e300", 2],
      ["-5", 4],
      ['"60000"', 4],
      ["{}", 4],
    ] as const) {
      const { calls, run, say } = await open({ servers: { board: { trusted: true } } });
      say("ttl", ttl);
      for (let n = 0; n < 4; n++) await run(GET);
      expect([ttl, calls().length]).toEqual([ttl, sent]);
    }
    const { calls, run, say } = await open();
    say("ttl", "0");
    for (let n = 0; n < 2; n++) await run(GET);
    expect(calls()).toHaveLength(2);
  });

  it("believes no annotation of a server that is not trusted, and no rule with a wildcard about a tool that may write", async () => {
    const { calls, run } = await open({ cache: { rules: [{ server: "*", tool: "*", ttlMs: MINUTE }] } });
    await run(
      "await board.ponder({}); await board.ponder({}); await board.setNote({}); await board.setNote({})",
    );
    expect(calls()).toHaveLength(4);
  });

  it("keeps a tool that the user names as a whole, whatever its name says", async () => {
    const { calls, run } = await open({ cache: { rules: [{ tool: "ponder", ttlMs: MINUTE }] } });
    await run("await board.ponder({}); await board.ponder({})");
    expect(calls()).toHaveLength(1);
  });

  it("forgets what a server returned when one of its tools may have written, in this and in other processes", async () => {
    const { opened, run } = await open();
    const other = await reopenEngine(opened.dir);
    await run(GET);
    await other.engine.run({ code: SET });
    const after = await run(GET);
    expect([after.result, cached(after)]).toEqual([{ id: "a", text: "new" }, [false]]);
    await run("await board.setNote({ id: 'a', text: 'newer' })");
    expect(await other.engine.run({ code: GET })).toMatchObject({ result: { text: "newer" } });
  });

  it("forgets what a rule names, also of other tools, and nothing where it says so", async () => {
    const rules = [
      { tool: "set_note", invalidates: [{ tool: "get_picture" }] },
      { tool: "ponder", invalidates: [] },
      ...KEPT.cache.rules,
    ];
    const { run } = await open({ cache: { rules } });
    await run("await board.getNote({ id: 'a' }); await board.getPicture({})");
    await run("await board.setNote({}); await board.ponder({})");
    expect(cached(await run("await board.getNote({ id: 'a' }); await board.getPicture({})"))).toEqual([
      true,
      false,
    ]);
  });

  it("keeps nothing that was read while something was written", async () => {
    const { run, say, unsay, calls, folder } = await open();
    say("hold", "");
    const both = run(
      "await Promise.all([board.getNote({ id: 'a' }), board.setNote({ id: 'a', text: 'new' })])",
    );
    await untilCalled(calls, 2);
    unsay("hold");
    await both;
    expect(readFileSync(join(folder, "note-a"), "utf8")).toBe("new");
    expect(await run(GET)).toMatchObject({ result: { text: "new" } });
  });

  it("sends one call for equal ones that are made at the same time, in whatever run", async () => {
    const { run, calls, say, unsay } = await open();
    say("hold", "");
    const runs = [
      run(GET),
      run(GET),
      run("return await Promise.all([1, 2, 3].map(() => board.getNote({ id: 'a' })))"),
    ];
    await untilCalled(calls, 1);
    unsay("hold");
    const results = await Promise.all(runs);
    expect(calls()).toHaveLength(1);
    expect(results.flatMap(cached).filter((isCached) => !isCached)).toHaveLength(1);
  });

  it("does not cancel others with the one that is cancelled", async () => {
    const { engine, run, calls, say, unsay } = await open();
    say("hold", "");
    const cancel = new AbortController();
    const first = engine.run({ code: GET, signal: cancel.signal });
    await untilCalled(calls, 1);
    const second = run(`${GET};`);
    await untilStarted(engine, 2);
    cancel.abort();
    expect(await first).toMatchObject({ ok: false, error: { kind: "cancelled" } });
    unsay("hold");
    expect(await second).toMatchObject({ result: { text: "empty" } });
  });

  it("keeps no failure", async () => {
    const { run, calls } = await open();
    const code = "for (const n of [1, 2]) await board.getFailure({}).catch(() => n)";
    await run(code);
    expect(calls()).toHaveLength(2);
  });

  it("tells arguments, principals, versions and definitions apart, and not the order of keys", async () => {
    const { run, calls } = await open();
    await run("await board.getNote({ id: 'a', text: 'x' })");
    expect(cached(await run("await board.getNote({ text: 'x', id: 'a' })"))).toEqual([true]);
    expect(cached(await run("await board.getNote({ id: 'b', text: 'x' })"))).toEqual([false]);
    const session = createSession({ client: { name: "test" }, principal: "ada" });
    expect(cached(await run("await board.getNote({ id: 'a', text: 'x' })", { session }))).toEqual([false]);
    expect(calls()).toHaveLength(3);
  });

  it("hands pictures, links and large results on as they came", async () => {
    const { run, calls } = await open();
    for (const code of [
      "return await board.getPicture({})",
      "return (await board.getLarge({})).lines.length",
    ]) {
      const sent = await run(code);
      const kept = await run(code);
      expect([cached(sent), cached(kept)]).toEqual([[false], [true]]);
      expect(kept.result).toEqual(sent.result);
      expect(kept.receipt.directTokens).toBe(sent.receipt.directTokens);
    }
    await run("await board.getLarge({ text: '2000000' }); await board.getLarge({ text: '2000000' })");
    expect(calls()).toHaveLength(4);
  });

  it("decides on each call: what is denied is denied though it was kept", async () => {
    const { opened, run } = await open();
    await run(GET);
    const rules = [{ tool: "get_note", decision: "deny", reason: "no more" }];
    writeFileSync(
      join(opened.dir, "keyhole.config.json"),
      JSON.stringify({ ...KEPT, permissions: { rules } }),
    );
    const { engine } = await reopenEngine(opened.dir);
    expect(await engine.run({ code: GET })).toMatchObject({ ok: false, error: { code: "denied" } });
  });

  it("is off by one word, and what is written then is known to the others all the same", async () => {
    const { opened, calls, run } = await open();
    await run(GET);
    const off = await reopenEngine(opened.dir, { cache: false });
    expect(cached(await off.engine.run({ code: GET }))).toEqual([false]);
    await off.engine.run({ code: SET });
    expect(await run(GET)).toMatchObject({ result: { text: "new" } });
    expect(calls()).toHaveLength(4);
  });

  it("lets nobody read at rest what is kept, and takes nothing that was changed there", async () => {
    const { opened, folder, run, engine } = await open();
    writeFileSync(join(folder, "note-a"), "ada.lovelace@example.com");
    await run(GET);
    await engine.close();
    await opened.close();
    const bytes = ["", "-wal"].map((part) => join(opened.dir, `.keyhole/cache.db${part}`)).filter(existsSync);
    expect(bytes.length).toBeGreaterThan(0);
    for (const file of bytes) expect(readFileSync(file, "latin1")).not.toContain("lovelace");
  });

  it("conceals a kept result as one that has come", async () => {
    const { folder, run } = await open({ ...KEPT, privacy: { mode: "boundary" } });
    writeFileSync(join(folder, "note-a"), "ada.lovelace@example.com");
    const sent = await run(GET);
    const kept = await run(`${GET} // again`);
    expect(cached(kept)).toEqual([true]);
    expect(kept.text).toContain("[EMAIL_1]");
    expect(kept.text).toBe(sent.text);
  });

  it("is forgotten with the values that somebody wants forgotten", async () => {
    const { opened, folder, run } = await open();
    writeFileSync(join(folder, "note-a"), "ada.lovelace@example.com");
    await run(GET);
    expect(cached(await run(GET))).toEqual([true]);
    const place = { projectDir: opened.dir, homeDir: await homeOf(opened.dir), onNotice: () => {} };
    const subject = "ada.lovelace@example.com";
    expect(await forgetInVault(place, "local", { subject })).toHaveLength(1);
    expect(cached(await run(GET))).toEqual([false]);
  });

  it("is asked by a run that goes on no more than the first time, and by a plan as by the run itself", async () => {
    const ask = { rules: [{ tool: "set_note", decision: "ask" }] };
    const { engine, run, calls, say } = await open({
      ...KEPT,
      permissions: ask,
      approval: { channels: ["cli", "elicitation"], holdMs: 500 },
    });
    await run(GET);
    say("note-a", "changed past Keyhole");
    const code =
      "const { text } = await board.getNote({ id: 'a' }); await board.setNote({ id: 'b', text }); return text";
    const waiting = await engine.run({ code });
    expect([waiting.status, cached(waiting)]).toEqual(["waiting", [true, false]]);
    const [{ approvalId = "" } = {}] = (waiting.for ?? []).filter((one) => one.kind === "approval");
    await engine.approvals.answer(approvalId, { decision: "approve", scope: "once" }, "a test");
    expect(await engine.run({ code })).toMatchObject({ status: "done", result: "empty" });
    expect(calls()).toEqual(['get_note {"id":"a"}', 'set_note {"id":"b","text":"empty"}']);
    const answer = { decision: "approve", scope: "once" } as const;
    const askPerson = { channel: "elicitation", ask: async () => ({ answer, by: "a test" }) } as const;
    const planned = await engine.run({ code: `${code} // again`, plan: true, askPerson });
    expect(planned).toMatchObject({ status: "done", result: "changed past Keyhole" });
    expect(calls().slice(2)).toEqual([
      'get_note {"id":"a"}',
      'set_note {"id":"b","text":"changed past Keyhole"}',
    ]);
  });

  it("is in the audit log and in the figures", async () => {
    const { engine, opened, run } = await open();
    await run(GET);
    await run(GET);
    expect((await engine.stats()).cache).toEqual({ calls: 2, hits: 1, hitPercent: 50 });
    await engine.close();
    await opened.close();
    const ended = (await eventsOf(opened.dir)).filter(({ action }) => action === "call.ended");
    expect(ended.map(({ details }) => details)).toMatchObject([
      { isSent: true },
      { isSent: false, isCached: true },
    ]);
  });
});

async function untilCalled(calls: () => readonly string[], count: number): Promise<void> {
  await expect.poll(() => calls().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
}

async function untilStarted(engine: { runs: { list(): readonly { calls: unknown }[] } }, count: number) {
  await expect.poll(() => engine.runs.list().filter(({ calls }) => Number(calls) > 0).length).toBe(count);
}
