import { join } from "node:path";
import { expect, it } from "vitest";
import { describeDecision } from "../../src/audit/query/decision.ts";
import { releaseSession } from "../../src/engine/audit/anomaly-releases.ts";
import { createSession } from "../../src/session.ts";
import { eventsOf, logPlaceOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const POLL = `for (let index = 0; index < 40; index++) await crm.findContact({ email: "nobody@example.com" }).catch(() => {});
return "all";`;
const WRITE = `return (await crm.createContact({ name: "Some One", email: "some.one@example.com" })).id;`;

async function open(action: string, approval = {}) {
  const config = {
    permissions: { rules: [{ server: "crm", tool: "*", decision: "allow" }] },
    approval: { mode: "call", ...approval },
    audit: { anomalies: { rules: { "runaway-polling": action } } },
  };
  const servers = { crm: fixture("crm", join(await tempDir(), "crm.jsonl")) };
  const notices: string[] = [];
  const { engine, opened } = await openEngine(servers, { config, onNotice: (text) => notices.push(text) });
  const session = createSession({ client: { name: "editor" } });
  return { engine, opened, session, notices };
}

it("stops a session: its run ends, no other is taken, until a person releases it", async () => {
  const { engine, opened, session, notices } = await open("stop");
  expect(await engine.run({ code: POLL, session })).toMatchObject({
    ok: false,
    error: {
      kind: "cancelled",
      message: expect.stringContaining(
        "The run was cancelled: This session was stopped for what it did (runaway-polling: ",
      ),
      hint: expect.stringContaining(`audit anomalies --release ${session.id}`),
    },
    text: expect.stringContaining("was stopped for what it did (runaway-polling: "),
  });
  expect(notices.join("\n")).toContain("Anomaly (runaway-polling)");
  await expect(engine.run({ code: "return 1", session })).rejects.toMatchObject({
    code: "denied",
    message: expect.stringContaining("This session was stopped for what it did (runaway-polling: "),
    hint: expect.stringContaining(`audit anomalies --release ${session.id}`),
  });
  const other = createSession({ client: { name: "other" } });
  expect(await engine.run({ code: "return 1", session: other })).toMatchObject({ result: 1 });
  const again = createSession({ client: { name: "editor" } });
  await expect(engine.run({ code: "return 1", session: again })).rejects.toMatchObject({
    code: "denied",
    message: expect.stringContaining("An earlier session of this client was stopped"),
    hint: expect.stringContaining(`audit anomalies --release ${session.id}`),
  });
  await releaseSession(await logPlaceOf(opened.dir), session.id);
  for (const released of [session, again])
    expect(await engine.run({ code: "return 1", session: released })).toMatchObject({ result: 1 });
  await engine.close();
  await opened.close();
  const events = await eventsOf(opened.dir);
  expect(only(events, "run.refused")).toMatchObject([
    { session: session.id, outcome: "denied", error: expect.stringContaining("was stopped") },
    { session: again.id, details: { kind: "denied" } },
  ]);
  const found = only(events, "anomaly.found");
  expect(found).toMatchObject([
    { session: session.id, outcome: "denied", details: { rule: "runaway-polling", action: "stop" } },
  ]);
});

it("has a person asked for what a conspicuous session writes, and lets it read", async () => {
  const { engine, session } = await open("ask");
  const { askPerson, asked } = person(() => ({ decision: "approve", scope: "once" }));
  expect(await engine.run({ code: WRITE, session, askPerson })).toMatchObject({ ok: true });
  expect(await engine.run({ code: POLL, session, askPerson })).toMatchObject({ result: "all" });
  expect(asked).toHaveLength(0);
  expect(await engine.run({ code: WRITE, session, askPerson })).toMatchObject({ ok: true });
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).toContain("what this session did was unusual (runaway-polling: ");
});

it("tells of what was denied after an anomaly as that, not as the rule that allows it", async () => {
  const { engine, opened, session } = await open("ask");
  const { askPerson } = person(() => ({ decision: "deny" }));
  await engine.run({ code: POLL, session });
  const CAUGHT = `return await crm.createContact({ name: "Some One", email: "some.one@example.com" }).catch((error) => error.message);`;
  const denied = await engine.run({ code: CAUGHT, session, askPerson });
  expect(JSON.stringify(denied)).toContain(
    "is denied: a person said no (they were asked since what this session did was unusual (runaway-polling: ",
  );
  const { engine: alone, opened: closed, session: other } = await open("ask", { channels: [] });
  await alone.run({ code: POLL, session: other });
  expect(await alone.run({ code: WRITE, session: other })).toMatchObject({
    ok: false,
    error: {
      message: expect.stringMatching(
        new RegExp(
          `what this session did was unusual .runaway-polling: .*audit anomalies --release ${other.id}`,
        ),
      ),
    },
  });
  await engine.close();
  await opened.close();
  await alone.close();
  await closed.close();
  const told = [...(await eventsOf(opened.dir)), ...(await eventsOf(closed.dir))];
  const byAnomaly = { decision: "ask", by: 'the anomaly "runaway-polling"' };
  expect(only(told, "call.denied").map(({ details }) => details.leave)).toEqual([
    { ...byAnomaly, approval: expect.any(String), channel: "a", person: "test" },
    byAnomaly,
  ]);
  expect(only(told, "call.denied").map(describeDecision)).toEqual([
    'denied by test through a, asked for by the anomaly "runaway-polling"',
    'denied: nobody could be asked, as the anomaly "runaway-polling" wants',
  ]);
});
