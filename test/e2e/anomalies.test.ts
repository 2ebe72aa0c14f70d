import { join } from "node:path";
import { expect, it } from "vitest";
import { keyhole } from "../fixtures/keyhole.ts";
import { fixture, tempDir, writeProject } from "../fixtures/project.ts";

const POLL = `for (let index = 0; index < 12; index++) await crm.findContact({ email: "nobody@example.com" }).catch(() => {});
return "all";`;

it("what was unusual is found again in history, beside what was found then; a session is released [audit-anomalies]", async () => {
  const dir = await writeProject({
    ".mcp.json": { mcpServers: { crm: fixture("crm", join(await tempDir(), "crm.jsonl")) } },
  });
  const ran = await keyhole(dir, ["run", "-e", POLL, "--json"]);
  expect(ran.code).toBe(0);
  const found = await keyhole(dir, ["audit", "anomalies", "--from", "1h", "--json"]);
  expect(found.code).toBe(0);
  const { anomalies, live } = JSON.parse(found.stdout);
  expect(anomalies).toMatchObject([{ rule: "runaway-polling", severity: "warning", tool: "find_contact" }]);
  expect(live).toMatchObject([{ rule: "runaway-polling", action: "log", session: anomalies[0].session }]);
  expect(live[0].events).toEqual(anomalies[0].events);
  const shown = await keyhole(dir, ["audit", "anomalies"]);
  expect(shown.stdout).toContain("runaway-polling");
  const { session } = anomalies[0];
  const released = await keyhole(dir, ["audit", "anomalies", "--release", session]);
  expect([released.code, released.stdout]).toEqual([0, expect.stringContaining("goes on")]);
  const unknown = await keyhole(dir, ["audit", "anomalies", "--release", "s_none"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("No anomaly was found in a session"),
  ]);
});
