import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newLogPlace, openAuditAt, readEvents } from "../../../test/fixtures/audit/audit-in.ts";
import { DAY, HOUR, MINUTE, MONDAY } from "../../../test/fixtures/audit/stream.ts";
import { onCleanup } from "../../../test/fixtures/project.ts";
import { toParty } from "../../audit/anomaly/detector.ts";
import type { AuditLog } from "../../audit/audit-log.ts";
import { type LogPlace, toLogFolder } from "../../audit/log-place.ts";
import type { AuditSettings } from "../../audit/settings.ts";
import { isSigned } from "../../network/webhook/signature.ts";
import { PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import { HOLD_MS, openAnomalyParties } from "./anomaly-parties.ts";
import { isReleased, releaseSession } from "./anomaly-releases.ts";
import { createAnomalyWebhook } from "./anomaly-webhook.ts";
import { createAnomalyHeed } from "./heed-anomaly.ts";
import { type AnomalyVerdicts, watchAudit } from "./watch-audit.ts";

const SETTINGS: AuditSettings["anomalies"] = { enabled: true, action: "log", rules: {}, webhook: undefined };

const createHeedOf = (watch: AnomalyVerdicts) => ({ heed: createAnomalyHeed(watch) });
afterEach(() => vi.useRealTimers());

/** A session of hers, with a client of this name. */
const by = (id: string, client = "editor") => ({ id, principal: "ana", client: { name: client } });

async function open(settings: Partial<AuditSettings["anomalies"]>, known?: LogPlace) {
  const place = known ?? (await newLogPlace());
  const { audit } = await openAuditAt(place);
  const stopped: string[] = [];
  const notices: string[] = [];
  const watch = watchAudit({
    log: audit,
    settings: { ...SETTINGS, ...settings },
    onStop: (session) => stopped.push(session),
    onNotice: (notice) => notices.push(notice),
    command: PLAIN_COMMAND,
    parties: openAnomalyParties(place, audit.hash),
    isReleased: (session, since) => isReleased(place, session, since),
  });
  onCleanup(() => watch.close());
  return { audit, place, watch, stopped, notices, heed: createAnomalyHeed(watch) };
}

function removeMany(audit: Pick<AuditLog, "add">, session: string, count = 10, what = session): void {
  for (let index = 0; index < count; index++)
    audit.add({
      action: "call.ended",
      session,
      principal: "ana",
      client: { name: "editor", version: "1.2" },
      run: `r_${session}`,
      server: "crm",
      tool: "delete_contact",
      call: `c_${what}_${index}`,
      outcome: "ok",
      details: {
        input: { hash: `${what}${index}`, bytes: 20 },
        isWrite: true,
        isSent: true,
        directTokens: 4,
        shape: "s",
      },
    });
}

describe("the watch", () => {
  it("writes down what it finds, beside the events that it was found in", async () => {
    const { audit, place, watch, stopped } = await open({});
    removeMany(audit, "s_1", 6);
    await watch.close();
    await audit.commit();
    await audit.settled();
    const events = await readEvents(place);
    const found = events.filter(({ action }) => action === "anomaly.found");
    expect(found).toMatchObject([
      {
        session: "s_1",
        principal: "ana",
        client: { name: "editor", version: "1.2" },
        run: "r_s_1",
        tool: "delete_contact",
        outcome: "ok",
        details: { rule: "mass-delete", severity: "warning", action: "log" },
      },
    ]);
    const ids = new Set(events.map(({ id }) => id));
    const [anomaly] = found;
    expect(anomaly?.action === "anomaly.found" && anomaly.details.events.every((id) => ids.has(id))).toBe(
      true,
    );
    expect([watch.verdictOf(by("s_1")), stopped]).toEqual([undefined, []]);
  });

  it("stops a session by its rule's action, until a person releases it", async () => {
    const { audit, place, watch, stopped, notices, heed } = await open({ rules: { "mass-delete": "stop" } });
    removeMany(audit, "s_1");
    expect([stopped, watch.verdictOf(by("s_1"))]).toMatchObject([["s_1"], { verdict: "stop" }]);
    expect(notices[0]).toContain("keyhole audit anomalies --release s_1");
    expect(() => heed.assertGoing(by("s_1"))).toThrow(
      "This session was stopped for what it did (mass-delete: ",
    );
    expect(heed.objectionTo(by("s_1"))).toMatchObject({
      decision: "deny",
      by: { kind: "anomaly", rule: "mass-delete", session: "s_1" },
      message: expect.stringContaining("This session was stopped"),
    });
    heed.assertGoing(by("s_2", "other"));
    await releaseSession(place, "s_1");
    expect(watch.verdictOf(by("s_1"))).toBeUndefined();
    heed.assertGoing(by("s_1"));
  });

  it("stops a session again that does the same after its release, and not for what it did before", async () => {
    const { audit, place, watch, stopped } = await open({ action: "stop" });
    for (let round = 0; round < 3; round++) {
      removeMany(audit, "s_1", 10, `round ${round}`);
      expect(watch.verdictOf(by("s_1"))).toMatchObject({ verdict: "stop" });
      await releaseSession(place, "s_1");
      expect(watch.verdictOf(by("s_1"))).toBeUndefined();
    }
    removeMany(audit, "s_1", 4, "a few");
    expect([stopped, watch.verdictOf(by("s_1"))]).toEqual([["s_1", "s_1", "s_1"], undefined]);
  });

  it("acts where a rule holds again for somebody, also while it is not told again", async () => {
    vi.setSystemTime(MONDAY);
    const { audit, watch, stopped } = await open({ rules: { "unusual-hour": "stop" } });
    for (let day = 0; day < 10; day++)
      for (let run = 0; run < 10; run++) {
        vi.setSystemTime(MONDAY + day * DAY + run * MINUTE);
        audit.add({
          ...{ action: "run.started", outcome: "ok", risk: "low", principal: "ana", session: "s_0" },
          details: { code: { hash: "c", bytes: 1 }, language: "typescript", tier: "process" },
        });
      }
    vi.setSystemTime(MONDAY + 10 * DAY + 12 * HOUR);
    for (const session of ["s_1", "s_2"]) removeMany(audit, session, 1);
    expect(watch.verdictOf(by("s_2"))).toMatchObject({ verdict: "stop" });
    expect(stopped).toEqual(["s_1", "s_2"]);
  });

  it("has a person asked for what the session writes", async () => {
    const { audit, watch, stopped, heed } = await open({ action: "ask" });
    removeMany(audit, "s_1");
    expect([watch.verdictOf(by("s_1")), stopped]).toMatchObject([{ verdict: "ask" }, []]);
    expect(heed.objectionTo(by("s_1"))).toMatchObject({
      decision: "ask",
      by: { kind: "anomaly", rule: "mass-delete", session: "s_1" },
      reason: expect.stringContaining("what this session did was unusual (mass-delete: "),
    });
    expect(heed.objectionTo(by("s_2", "other"))).toBeUndefined();
    heed.assertGoing(by("s_1"));
  });

  it("has a person asked where a rule that stops has found what may still be ordinary", async () => {
    const { audit, watch, stopped, notices } = await open({ action: "stop" });
    removeMany(audit, "s_1", 6);
    expect([watch.verdictOf(by("s_1")), stopped]).toMatchObject([{ verdict: "ask" }, []]);
    expect(notices).toEqual([expect.stringContaining("needs a person's word")]);
    removeMany(audit, "s_1", 4, "more");
    expect([watch.verdictOf(by("s_1")), stopped]).toMatchObject([{ verdict: "stop" }, ["s_1"]]);
  });

  it("looks at what was written beside the calls, at the latest when a run ends, or after eight", async () => {
    const { audit, stopped } = await open({ action: "stop" });
    removeMany(audit, "s_1", 10);
    expect(stopped).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toEqual(["s_1"]);
    const other = await open({ action: "stop" });
    for (const half of ["one", "other"]) removeMany(other.audit, "s_2", 5, half);
    other.audit.add({
      ...{ action: "run.ended", session: "s_2", principal: "ana", run: "r_s_2", outcome: "ok" },
      details: {
        status: "done",
        code: { hash: "c", bytes: 1 },
        output: { hash: "o", bytes: 1 },
        tier: "process",
        usage: { seenTokens: 1, keptTokens: 0, directTokens: 0, catalogTokens: 0 },
        calls: 10,
        failedCalls: 0,
      },
    });
    expect(other.stopped).toEqual(["s_2"]);
  });

  it("leaves out rules that are off", async () => {
    const { audit, watch } = await open({ action: "stop", rules: { "mass-delete": "off" } });
    removeMany(audit, "s_1");
    expect(watch.verdictOf(by("s_1"))).toBeUndefined();
  });
});

describe("whoever comes back", () => {
  it("is held in another session and another process, until a person releases what they were stopped for", async () => {
    const { audit, place, watch } = await open({ rules: { "mass-delete": "stop" } });
    removeMany(audit, "s_1");
    expect(watch.verdictOf(by("s_1"))).toMatchObject({ verdict: "stop" });
    const again = await open({ action: "stop" }, place);
    for (const { heed } of [createHeedOf(watch), again]) {
      expect(() => heed.assertGoing(by("s_2"))).toThrow(
        "An earlier session of this client was stopped for what it did (mass-delete, in session s_1)",
      );
      expect(heed.objectionTo(by("s_2"))).toMatchObject({ decision: "deny" });
      heed.assertGoing(by("s_2", "other"));
      heed.assertGoing({ ...by("s_2"), principal: "bob" });
    }
    await releaseSession(place, "s_1");
    for (const { heed } of [createHeedOf(watch), again])
      for (const session of ["s_1", "s_2"]) heed.assertGoing(by(session));
  });

  it("is held for a quarter of an hour", async () => {
    const { audit, place, watch } = await open({ action: "ask" });
    removeMany(audit, "s_1");
    expect(watch.verdictOf(by("s_1"))).toMatchObject({ verdict: "ask" });
    const parties = openAnomalyParties(place, audit.hash);
    const party = toParty("ana", "editor");
    const { heed } = await open({}, place);
    expect(heed.objectionTo(by("s_2"))).toMatchObject({
      by: { rule: "mass-delete", session: "s_1" },
      reason: expect.stringContaining("what an earlier session of this client did was unusual"),
    });
    vi.setSystemTime(Date.now() + HOLD_MS - 60_000);
    expect(parties.holdOf(party)).toMatchObject({ verdict: "ask", rule: "mass-delete", sessions: ["s_1"] });
    vi.setSystemTime(Date.now() + 61_000);
    expect([parties.holdOf(party), heed.objectionTo(by("s_2"))]).toEqual([undefined, undefined]);
  });

  it("is counted on for, in another process", async () => {
    const { audit, place, watch } = await open({ action: "stop" });
    removeMany(audit, "s_1", 4);
    await watch.close();
    const again = await open({ action: "stop" }, place);
    removeMany(again.audit, "s_2", 1);
    expect(again.watch.verdictOf(by("s_2"))).toMatchObject({ verdict: "ask", session: "s_2" });
    removeMany(again.audit, "s_2", 5, "more");
    expect(again.watch.verdictOf(by("s_2"))).toMatchObject({ verdict: "stop" });
    expect(again.stopped).toEqual(["s_2"]);
    await releaseSession(place, "s_2");
    const last = await open({ action: "stop" }, place);
    removeMany(last.audit, "s_3", 4);
    expect(last.watch.verdictOf(by("s_3"))).toBeUndefined();
  });

  it("is named by no file, and what can't be read holds nobody", async () => {
    const { audit, place, watch } = await open({ action: "stop" });
    removeMany(audit, "s_1");
    expect(watch.verdictOf(by("s_1"))).toMatchObject({ verdict: "stop" });
    const folder = join(toLogFolder(place), "parties");
    const [name = ""] = await readdir(folder);
    const kept = await readFile(join(folder, name), "utf8");
    expect(`${name} ${kept}`).not.toMatch(/ana|editor|delete_contact/);
    for (const broken of ["{", "[]", '{"hold":{"verdict":"stop"},"notes":[{"rule":1}]}', kept.repeat(900)]) {
      await writeFile(join(folder, name), broken);
      const parties = openAnomalyParties(place, audit.hash);
      const party = toParty("ana", "editor");
      expect([parties.holdOf(party), parties.read(party)]).toEqual([undefined, []]);
    }
  });
});

describe("the webhook", () => {
  async function listen(statuses: number[]) {
    const secret = "0123456789abcdef";
    const bodies: { body: string; isRight: boolean }[] = [];
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const {
        "keyhole-timestamp": timestamp,
        "keyhole-nonce": nonce,
        "keyhole-signature": signature,
      } = request.headers;
      const signed = { timestamp: String(timestamp), nonce: String(nonce), body };
      bodies.push({ body, isRight: isSigned(secret, "anomaly", signed, String(signature)) });
      response.writeHead(statuses.shift() ?? 200).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onCleanup(async () => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    return { target: { url: new URL(`http://127.0.0.1:${port}/hook`), secret }, bodies };
  }

  const toEvent = (id: string) => ({
    id,
    at: 1,
    action: "anomaly.found" as const,
    session: "s_1",
    outcome: "ok" as const,
    details: { rule: "mass-delete", severity: "critical", text: "x", action: "notify", events: [] } as const,
  });

  it("is told of each, signed, in their order, again where it fails; what comes too much is counted", async () => {
    const { target, bodies } = await listen([500]);
    const notices: string[] = [];
    const webhook = createAnomalyWebhook(target, {
      onNotice: (notice) => notices.push(notice),
      retryAfterMs: [0],
    });
    for (let index = 0; index < 205; index++) webhook.notify(toEvent(`e_${index}`));
    await webhook.settled();
    expect(bodies.every(({ isRight }) => isRight)).toBe(true);
    expect(bodies.slice(0, 3).map(({ body }) => JSON.parse(body).id)).toEqual(["e_0", "e_0", "e_1"]);
    expect(JSON.parse(bodies[0]?.body ?? "")).toMatchObject({
      type: "anomaly",
      rule: "mass-delete",
      session: "s_1",
    });
    expect(bodies.length).toBeLessThan(204);
    expect(notices).toEqual([expect.stringMatching(/was not told of \d+ anomalies: too many/)]);
  });
});
