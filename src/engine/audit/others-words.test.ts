import { beforeAll, describe, expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { maskingPrivacy } from "../../../test/fixtures/audit/masking-privacy.ts";
import { KeyholeError } from "../../errors.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import type { RunFailure } from "../../run-failure.ts";
import { createSession } from "../../session.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import { createRun } from "../run/run-record.ts";
import { toReceipt } from "../run/show.ts";
import { tellRefused } from "./call-events.ts";
import { tellCommandDenied } from "./command-events.ts";
import { tellConnection } from "./network-events.ts";
import { tellEnded, tellStarted } from "./run-events.ts";
import { createRunTrail } from "./run-trail.ts";
import { createShapes } from "./shape.ts";
import type { AuditTrail } from "./trail.ts";

const MAIL = "plant14@secretmail.example";
const KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

let privacy: WorkspacePrivacy;
beforeAll(async () => {
  privacy = await maskingPrivacy();
});

async function runOf(contents: AuditTrail["contents"]) {
  const list = listTrail(contents);
  const session = createSession({ client: { name: "test" } });
  const request = { code: "1", session, model: `gpt ${KEY}` };
  const trail = createRunTrail(list.trail, createShapes(list.trail.hash), { id: "r_1", ...request });
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const { signal } = new AbortController();
  const run = createRun({ id: "r_1", request, signal, book, trail, privacy, tell: () => {} });
  return { run, ...list };
}

async function endOf(contents: AuditTrail["contents"], error: RunFailure) {
  const { run, events } = await runOf(contents);
  tellStarted(run, { name: "process", by: "level" });
  tellEnded(run, { status: "failed", receipt: toReceipt(run, "", []), text: "", error });
  const ended = events.find(({ action }) => action === "run.ended");
  return { ended, text: JSON.stringify(events) };
}

const THROWN: RunFailure = { kind: "exception", message: `secret plan of Zanzibar, ${MAIL}` };
const FAILED: RunFailure = { kind: "tool_error", code: "tool_failed", message: "Access denied: /etc/passwd" };
const SYNTAX: RunFailure = { kind: "syntax", message: "Unexpected Zanzibar" };
const REFUSED: RunFailure = { kind: "denied", message: 'no "Zanzibar"', findings: [ruleAt("eval")] };

function ruleAt(rule: string) {
  return { rule, line: 1, column: 1, message: "", fix: "" };
}

describe("what a run ended with", () => {
  it.each([
    ["none", THROWN, "The program threw an error that it did not catch"],
    ["code", THROWN, "The program threw an error that it did not catch"],
    ["all", THROWN, "secret plan of Zanzibar, [EMAIL]"],
    ["code", FAILED, "A call failed, and the program did not catch that (tool_failed)"],
    ["all", FAILED, "Access denied: /etc/passwd"],
    ["none", SYNTAX, "The program can't be read"],
    ["code", SYNTAX, "Unexpected Zanzibar"],
    ["none", REFUSED, "Validation refused the program"],
  ] as const)("is told with contents %s: %o", async (contents, error, told) => {
    const { ended, text } = await endOf(contents, error);
    expect(ended).toMatchObject({
      error: told,
      details: { kind: error.kind, message: told, model: "unnamed" },
    });
    for (const plant of [MAIL, KEY]) expect(text).not.toContain(plant);
  });
});

it.each(["base64", "base64url", "hex"] as const)("a value that is written in %s is masked", (written) => {
  const text = Buffer.from(`to ${MAIL}`).toString(written);
  expect(privacy.mask(`send("${text}", createSomethingVeryLong)`, "typescript").text).toBe(
    'send("[EMAIL]", createSomethingVeryLong)',
  );
});

describe("names that a program makes up", () => {
  it.each([MAIL, KEY])("are masked: %s", async (plant) => {
    const { run, events } = await runOf("none");
    const denied = new KeyholeError("denied", `"${plant}" is not on the list`);
    tellCommandDenied(run, { command: plant, args: [], cwd: "", input: new Uint8Array() }, denied);
    const unknown = new KeyholeError("tool_unknown", `There is no "${plant}"`);
    tellRefused({ id: "c_1", run, server: "crm", tool: plant, args: {} }, unknown, "{}");
    const connection = { port: 443, decision: "deny", sentBytes: 0, receivedBytes: 0, ms: 1 } as const;
    for (const host of ["4111111111111111.evil.example", "10.0.0.1"])
      tellConnection(run, { ...connection, host } as Parameters<typeof tellConnection>[1]);
    const mask = plant === MAIL ? "[EMAIL]" : "[API_KEY]";
    expect(events).toMatchObject([
      { action: "command.denied", details: { command: mask } },
      { action: "call.ended", tool: mask, error: "There is no such tool" },
      { action: "egress.refused", details: { host: "[CREDIT_CARD].evil.example" } },
      { action: "egress.refused", details: { host: "10.0.0.1" } },
    ]);
    expect(JSON.stringify(events)).not.toContain(plant);
  });
});
