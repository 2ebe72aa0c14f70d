import { join } from "node:path";
import { expect, it } from "vitest";
import { cancelRun } from "../../src/engine/runs/cancel-run.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { openEngine } from "../fixtures/engine.ts";
import { fixture, homeOf, tempDir } from "../fixtures/project.ts";

const CODE = 'return await crm.createContact({ name: "Some One", email: "some.one@example.com" })';
const RULES = [{ server: "crm", tool: "create_contact", decision: "ask" }];

async function open() {
  const servers = { crm: fixture("crm", join(await tempDir(), "crm.jsonl")) };
  const config = { permissions: { rules: RULES }, approval: { mode: "call", holdMs: 60_000 } };
  return openEngine(servers, { config });
}

type Opened = Awaited<ReturnType<typeof open>>;

/** How a run that is held for a person is ended, and what is told of that. */
async function told({ engine, opened }: Opened, end: (runId: string, stop: AbortController) => unknown) {
  const stop = new AbortController();
  let id = "";
  const run = engine.run({
    code: CODE,
    signal: stop.signal,
    onStart: (runId) => {
      id = runId;
    },
  });
  await expect.poll(() => engine.runs.isAsking(id), { timeout: 20_000 }).toBe(true);
  await end(id, stop);
  await run.catch(() => {});
  await engine.close();
  await opened.close();
  const events = await eventsOf(opened.dir);
  return { ended: only(events, "run.ended"), calls: only(events, "call.ended"), events };
}

it("says by which way a held run was cancelled, by whom, and what became of the call that waited", async () => {
  const byClient = await told(await open(), (_, stop) => stop.abort());
  expect(byClient.ended).toMatchObject([
    { outcome: "cancelled", details: { cancelled: { channel: "client" } } },
  ]);
  expect(byClient.calls).toMatchObject([
    { tool: "create_contact", outcome: "cancelled", details: { isSent: false } },
  ]);
  const cli = await open();
  const byCommand = await told(cli, async (runId) =>
    cancelRun(cli.opened.dir, runId, await homeOf(cli.opened.dir)),
  );
  expect(byCommand.ended).toMatchObject([
    { outcome: "cancelled", details: { cancelled: { channel: "cli", person: expect.any(String) } } },
  ]);
  expect(byCommand.calls).toMatchObject([{ tool: "create_contact", outcome: "cancelled" }]);
});
