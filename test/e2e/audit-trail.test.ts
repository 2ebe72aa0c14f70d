import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventsOf, only } from "../fixtures/audit/events-of.ts";
import { untrustingKeyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

const PERSON = expect.any(String);

it("commands tell the audit log what they ran, and what a person did by them [audit-trail]", async () => {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { crm: fixture("crm", join(await tempDir(), "crm.jsonl")) } },
    "keyhole.config.json": {
      permissions: {
        rules: [
          { server: "crm", tool: "add_note", decision: "ask" },
          { server: "crm", tool: "*", decision: "allow" },
        ],
      },
      approval: { holdMs: 1_000, channels: ["cli"] },
    },
  });
  expect(await untrustingKeyhole(dir, ["trust", "--yes"])).toMatchObject({ code: 0 });
  const code = `const { id } = await crm.createContact({ name: "Zoe Quimby", email: "zoe@canary.example" });
    await crm.addNote({ id, note: "a" });`;
  const waiting = await untrustingKeyhole(dir, ["run", "--json", "-e", code]);
  const { runId, for: waitsFor } = JSON.parse(waiting.stdout);
  const [{ approvalId }] = waitsFor;
  expect(await untrustingKeyhole(dir, ["approvals", "deny", approvalId])).toMatchObject({ code: 0 });
  const shown = await untrustingKeyhole(dir, ["run", "-e", 'return "zoe@canary.example"']);
  const [token = ""] = /\[EMAIL_\d+\]/.exec(shown.stdout) ?? [];
  await writeFile(join(dir, "letter.txt"), `To ${token}`);
  expect((await untrustingKeyhole(dir, ["privacy", "reveal", "letter.txt"])).stdout).toBe(
    "To zoe@canary.example",
  );
  expect(await untrustingKeyhole(dir, ["privacy", "forget", token, "--yes"])).toMatchObject({ code: 0 });
  expect(await untrustingKeyhole(dir, ["trust", "--revoke"])).toMatchObject({ code: 0 });
  const doctor = await untrustingKeyhole(dir, ["doctor", "--quick", "--json"]);
  expect(JSON.parse(doctor.stdout).checks).toContainEqual(
    expect.objectContaining({ id: "audit", status: "ok", detail: expect.stringContaining("audit.db") }),
  );

  const events = await eventsOf(dir);
  const given = only(events, "trust.given").map(({ server, details }) => [server, details.channel]);
  expect(given).toEqual([
    [undefined, "cli"],
    ["crm", "cli"],
  ]);
  expect(only(events, "trust.revoked")).toHaveLength(2);
  const ofRun = events
    .filter(({ run }) => run === runId)
    .map(({ action, outcome }) => `${action} ${outcome}`);
  expect(ofRun.filter((one) => !one.startsWith("pii."))).toEqual([
    "run.started ok",
    "call.sent ok",
    "call.ended ok",
    "approval.asked asked",
    "call.ended waiting",
    "run.ended waiting",
    "approval.answered denied",
  ]);
  expect(only(events, "run.started")[0]).toMatchObject({
    principal: "local",
    client: { name: "keyhole run" },
    details: { tier: "process" },
  });
  expect(only(events, "session.opened")[0]?.details.front).toBe("cli");
  expect(only(events, "approval.answered")[0]?.details).toMatchObject({
    approval: approvalId,
    status: "denied",
    channel: "cli",
    person: PERSON,
  });
  expect(only(events, "pii.shown")).toMatchObject([
    { principal: "local", details: { classes: { EMAIL: 1 }, person: PERSON } },
  ]);
  expect(only(events, "pii.forgotten")).toMatchObject([{ details: { classes: { EMAIL: 1 } } }]);
});
