import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../src/language/languages.ts";
import type { Tiers } from "../../src/sandbox/tiers/tiers.ts";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { makeContacts } from "../fixtures/contacts.js";
import { openEngine } from "../fixtures/engine.ts";
import { startHttp } from "../fixtures/network.ts";
import { fixture, onCleanup, tempDir } from "../fixtures/project.ts";
import { listRealTiers } from "../fixtures/real-tiers.ts";
import { TIER_PROGRAMS } from "../fixtures/tier-programs.ts";

const isDemanded = process.env["KEYHOLE_TEST_DEMAND"] !== undefined;
const [contact] = makeContacts(1);
const rules = [
  { tool: "move_mail", decision: "deny", reason: "mails stay" },
  { tool: "send_mail", decision: "ask" },
  { tool: "*", decision: "allow" },
];

type Place = { readonly tier: string; readonly tiers: Tiers; readonly language: string };

/** All that is behind a run in one tier and one language. */
async function open({ tier, tiers, language }: Place, privacy: string) {
  const dir = await tempDir();
  const server = await startHttp((_asked, response) => void response.end('{"answer":42}'));
  onCleanup(server.close);
  const place = `127.0.0.1:${server.port}`;
  const files = { sent: join(dir, "sent"), crm: join(dir, "crm") };
  const servers = {
    mailbox: fixture("mailbox"),
    post: fixture("postbox", files.sent),
    sheet: fixture("sheet", "1"),
    crm: fixture("crm", files.crm),
  };
  const { engine, opened } = await openEngine(servers, {
    tiers,
    config: {
      sandboxMode: tier,
      permissions: { rules },
      approval: { mode: "call", holdMs: 200 },
      network: { allow: [place] },
      privacy: { mode: privacy },
    },
  });
  const lines = (path: string) =>
    existsSync(path)
      ? readFileSync(path, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  return {
    engine,
    place,
    sent: () => lines(files.sent),
    contacts: () => lines(files.crm).map(({ args }) => args),
    run: async (code: string) => engine.run({ code, language }),
    async events() {
      await engine.close();
      await opened.close();
      return eventsOf(opened.dir);
    },
  };
}

for (const { name: tier, why, tiers, start, stop } of await listRealTiers()) {
  const isLeftOut = why !== undefined && !isDemanded;
  describe(`in the tier ${tier}${why === undefined ? "" : ` (${why})`}`, () => {
    beforeAll(async () => {
      if (!isLeftOut) await start();
    });
    afterAll(stop);

    describe.each(LANGUAGES)("$title", ({ name: language }) => {
      const programs = TIER_PROGRAMS[language];
      const place = { tier, tiers, language };

      it.skipIf(isLeftOut)("policy, approval with resume, egress, privacy and audit hold", async () => {
        if (programs === undefined) return expect.unreachable(`There are no programs in ${language}`);
        const office = await open(place, "egress");
        const denied = await office.run(programs.denied);
        expect(denied, denied.text).toMatchObject({ result: "denied", receipt: { tier: { name: tier } } });

        const waiting = await office.run(programs.letter);
        expect(waiting, waiting.text).toMatchObject({ status: "waiting" });
        expect(office.sent()).toEqual([]);
        const [asked] = await office.engine.approvals.list({ runId: waiting.runId });
        await office.engine.approvals.answer(
          asked?.id ?? "",
          { decision: "approve", scope: "once" },
          "a test",
        );
        const done = await office.run(programs.letter);
        expect(done, done.text).toMatchObject({ status: "done", runId: waiting.runId });
        // It began anew, and all that it had seen was the same.
        expect(office.sent()).toEqual([{ to: "ada", at: done.result, read: 1 }]);

        const reached = await office.run(programs.reach(office.place));
        expect(reached, reached.text).toMatchObject({
          result: [42, "refused"],
          receipt: { network: { connections: 1, denied: 1 } },
        });

        const moved = await office.run(programs.move);
        expect(moved, moved.text).toMatchObject({
          result: [false, expect.stringMatching(/^\[EMAIL_\d+\]$/)],
        });
        expect(moved.text).not.toContain(contact?.email);
        expect(office.contacts()).toEqual([{ name: contact?.name, email: contact?.email }]);

        const events = await office.events();
        const runs = new Set([denied, waiting, reached, moved].map(({ runId }) => runId));
        for (const { run, details } of only(events, "run.ended"))
          expect([runs.has(run ?? ""), details.tier]).toEqual([true, tier]);
        for (const { details } of only(events, "run.started"))
          expect(details).toMatchObject({ tier, tierBy: "mode", language });
        const toRun = (action: Parameters<typeof only>[1]) => only(events, action).map(({ run }) => run);
        expect(toRun("run.started")).toHaveLength(5);
        expect(toRun("call.denied")).toEqual([denied.runId]);
        expect(toRun("approval.asked")).toEqual([waiting.runId]);
        expect(toRun("approval.answered")).toEqual([waiting.runId]);
        expect(toRun("egress.opened")).toEqual([reached.runId]);
        expect(toRun("egress.refused")).toEqual([reached.runId]);
        expect(toRun("pii.found")).toContain(moved.runId);
        expect(JSON.stringify(events)).not.toContain(contact?.email);
      });

      it.skipIf(isLeftOut)("a program in a world of tokens sees tokens, and tools get values", async () => {
        if (programs === undefined) return expect.unreachable(`There are no programs in ${language}`);
        const { run, contacts } = await open(place, "boundary");
        const moved = await run(programs.move);
        expect(moved, moved.text).toMatchObject({
          result: [true, expect.stringMatching(/^\[EMAIL_\d+\]$/)],
          receipt: { tier: { name: tier } },
        });
        expect(contacts()).toEqual([{ name: contact?.name, email: contact?.email }]);
      });
    });
  });
}
