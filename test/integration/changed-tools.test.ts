import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tellAccepted } from "../../src/engine/audit/trail-of-project.ts";
import { openExplainer } from "../../src/engine/policy/explain-tool.ts";
import { eventsOf } from "../fixtures/audit/events-of.ts";
import { openEngine, reopenEngine } from "../fixtures/engine.ts";
import { person } from "../fixtures/person.ts";
import { fixture, tempDir } from "../fixtures/project.ts";

const RULES = { permissions: { rules: [{ tool: "change", decision: "allow" }] } };
const CALL = "return await changing.change({})";
const ONCE = { decision: "approve", scope: "once" } as const;

async function open(rules: object = RULES) {
  const memory = join(await tempDir(), "changed");
  const { engine, opened } = await openEngine({ changing: fixture("changing", memory) }, { config: rules });
  return {
    engine,
    change: () => writeFileSync(memory, "changed"),
    /** As another process would: the same project, with the catalogue that is kept. */
    async again() {
      const { engine: next, opened: project } = await reopenEngine(opened.dir);
      return { project, engine: next };
    },
  };
}

it("is in the audit log as changed before the first call that meets it, and before it is accepted", async () => {
  const { again, change } = await open({});
  const first = await again();
  await first.engine.close();
  await first.project.close();
  change();
  const { engine, project } = await again();
  expect(project.catalog.entry("changing")).toMatchObject({ from: "cache" });
  const { askPerson } = person(() => ONCE);
  expect(await engine.run({ code: CALL, askPerson })).toMatchObject({ status: "done" });
  await engine.close();
  await project.close();
  const events = await eventsOf(project.dir);
  const changed = events.findIndex(
    ({ action, details }) => action === "tool.changed" && "change" in details && details.change === "changed",
  );
  const ended = events.findIndex(({ action }) => action === "call.ended");
  expect(changed).toBeGreaterThan(0);
  expect(ended).toBeGreaterThan(changed);
});

it("that is accepted before any run met it is told as changed before it is told as accepted", async () => {
  const { engine, again, change } = await open();
  await engine.close();
  change();
  const { project } = await again();
  await tellAccepted(
    project,
    () => {},
    async () => (await openExplainer(project)).accept("changing.change"),
  );
  await project.close();
  const told = (await eventsOf(project.dir)).filter(({ tool }) => tool === "change");
  expect(told.map(({ action }) => action)).toEqual(["tool.changed", "policy.changed"]);
});

describe("a tool that a rule allowed", () => {
  it("asks from the call on that follows its server's word that tools changed", async () => {
    const { engine } = await open();
    const { asked, askPerson } = person(() => ({ decision: "deny" }));
    const code = `await changing.change({});
      try { await changing.change({}); return "made"; } catch (error) { return error.code; }`;
    expect(await engine.run({ code, askPerson })).toMatchObject({ result: "denied" });
    expect(asked).toHaveLength(1);
  });

  it("asks where its server, started for the call, lists another one than the catalogue remembers", async () => {
    const { again, change } = await open();
    const first = await again();
    // Nobody tells of it: it is only there when the server is asked.
    await (await openExplainer(first.project)).accept("changing.change");
    await first.engine.close();
    await first.project.close();
    change();
    const { engine, project } = await again();
    expect(project.catalog.entry("changing")).toMatchObject({ from: "cache" });
    const { asked, askPerson } = person(() => ONCE);
    expect(await engine.run({ code: CALL, askPerson })).toMatchObject({ status: "done" });
    expect(asked).toHaveLength(1);
    const [reason] = asked.flatMap(({ calls }) => calls.map((call) => call.reason));
    expect(reason).toContain('description was "Changes the tools.", is now "Now says something else."');
    expect(reason).toContain("inputSchema.properties.force was nothing");
    // The person has seen it: it is the allowed one from now on.
    expect(await engine.run({ code: CALL, askPerson })).toMatchObject({ status: "done" });
    expect(asked).toHaveLength(1);
  });

  it("that has changed before the program began is waited for, and the run goes on", async () => {
    const { again, change } = await open({ ...RULES, approval: { holdMs: 300 } });
    const first = await again();
    await (await openExplainer(first.project)).accept("changing.change");
    await first.engine.close();
    await first.project.close();
    change();
    const { engine } = await again();
    const { runId, status } = await engine.run({ code: CALL });
    expect(status).toBe("waiting");
    const [question] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(question?.id ?? "", ONCE, "a test");
    expect(await engine.run({ code: CALL })).toMatchObject({ status: "done", runId });
  });

  it("at some hours only is one that may ask, so that its run can go on", async () => {
    const rules = [{ tool: "change", time: { hours: "00:00-24:00" }, decision: "allow" }];
    const { engine } = await open({ permissions: { rules }, approval: { holdMs: 300 } });
    const code = "await changing.change({}); return await changing.change({})";
    const { runId, status } = await engine.run({ code });
    expect(status).toBe("waiting");
    const [question] = await engine.approvals.list({ status: "pending" });
    await engine.approvals.answer(question?.id ?? "", ONCE, "a test");
    expect(await engine.run({ code })).toMatchObject({ status: "done", runId });
  });

  it("is accepted as its server lists it now, not as the catalogue remembers it", async () => {
    const { again, change } = await open();
    const before = await again();
    await (await openExplainer(before.project)).accept("changing.change");
    await before.engine.close();
    await before.project.close();
    change();
    const { engine, project } = await again();
    expect(await (await openExplainer(project)).accept("changing.change")).toMatchObject({
      detail: expect.stringContaining("Now says something else."),
    });
    const { asked, askPerson } = person(() => ({ decision: "deny" }));
    expect(await engine.run({ code: CALL, askPerson })).toMatchObject({ status: "done" });
    expect(asked).toEqual([]);
  });

  it("is not called where its server does not list it any more", async () => {
    const { again, change } = await open({
      permissions: { rules: [{ tool: "leaves", decision: "allow" }] },
    });
    change();
    const { engine } = await again();
    const code = `try { await changing.leaves({}); return "made"; } catch (error) { return error.code; }`;
    expect(await engine.run({ code })).toMatchObject({ result: "tool_unknown" });
  });
});
