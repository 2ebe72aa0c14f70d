import { beforeAll, describe, expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { maskingPrivacy } from "../../../test/fixtures/audit/masking-privacy.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import { createRun } from "../run/run-record.ts";
import { toReceipt } from "../run/show.ts";
import { tellConnection, tellNoNetwork, tellOpening } from "./network-events.ts";
import { tellEnded, tellStarted } from "./run-events.ts";
import { createRunTrail } from "./run-trail.ts";
import { createShapes } from "./shape.ts";

let privacy: WorkspacePrivacy;
beforeAll(async () => {
  privacy = await maskingPrivacy();
});

async function openRun() {
  const list = listTrail();
  const request = { code: "1", session: createSession({ client: { name: "test" } }) };
  const trail = createRunTrail(list.trail, createShapes(list.trail.hash), { id: "r_1", ...request });
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const { signal } = new AbortController();
  return {
    ...list,
    run: createRun({ id: "r_1", request, signal, book, trail, privacy, tell: () => {} }),
  };
}

const MOVED = { runId: "r_1", protocol: "https", sentBytes: 5, receivedBytes: 7, ms: 1 } as const;

describe("a connection", () => {
  it("is told and kept before it is opened, and at its end by the same name", async () => {
    const { run, events, commits } = await openRun();
    tellOpening(run, { id: "n_1", host: "4111111111111111.api.test", port: 443 });
    expect(commits()).toBe(1);
    tellConnection(run, { ...MOVED, id: "n_1", host: "api.test", port: 443, decision: "allow" });
    expect(events).toMatchObject([
      {
        action: "egress.opened",
        run: "r_1",
        details: { connection: "n_1", host: "[CREDIT_CARD].api.test", port: 443 },
      },
      { action: "egress.connected", details: { connection: "n_1", sentBytes: 5 } },
    ]);
  });

  it("that can't be told throws, so that it is not made", async () => {
    const { run, fail } = await openRun();
    fail(new Error("The disk is full"));
    expect(() => tellOpening(run, { id: "n_1", host: "api.test", port: 443 })).toThrow("The disk is full");
  });

  it.each([
    ["https://evil.example.net/exfil?x=1", "evil.example.net", 443],
    ["http://10.0.0.1:8080/", "10.0.0.1", 8080],
    ["http://a.test/", "a.test", 80],
    ["file:///etc/passwd", "", 0],
    ["no address", "", 0],
  ])("is told as refused where a program has no network: %s", async (url, host, port) => {
    const { run, events } = await openRun();
    tellNoNetwork(run, url);
    expect(events).toMatchObject([
      { action: "egress.refused", outcome: "denied", details: { host, port, reason: "denied" } },
    ]);
  });

  it("of a flood that is refused is one of a hundred events, and one that counts the rest", async () => {
    const { run, events } = await openRun();
    tellStarted(run, { name: "process", by: "level" });
    for (let time = 0; time < 250; time++) tellNoNetwork(run, `https://x${time}.test/`);
    tellEnded(run, { status: "done", receipt: toReceipt(run, "", []), text: "" });
    const refused = events.filter(({ action }) => action === "egress.refused");
    expect(refused).toHaveLength(101);
    expect(refused.at(-1)).toMatchObject({ details: { more: 150 } });
  });
});
