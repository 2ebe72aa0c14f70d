import { describe, expect, it } from "vitest";
import { listTrail } from "../../../test/fixtures/audit/list-trail.ts";
import { serverRecord, toolRecord } from "../../../test/fixtures/codegen/records.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import { KeyholeError } from "../../errors.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { createSession } from "../../session.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import { announce } from "../call/announce.ts";
import { type NextStage, toCall } from "../call/call.ts";
import { createRecord } from "../call/record.ts";
import { createRun } from "../run/run-record.ts";
import { createRunTrail } from "./run-trail.ts";
import { createShapes } from "./shape.ts";

/** Longer than what can wait does. */
const told = () => new Promise((resolve) => setTimeout(resolve, 40));

const session = createSession({ client: { name: "test" } });
const FULL = new KeyholeError("store_unusable", "the disk is full", { hint: "Make room" });

async function callOf(name: string) {
  const tool = toolRecord({ server: "shop", name });
  const { identifiers, folder } = serverRecord("shop", [tool]);
  const server: CatalogEntry = {
    name: "shop",
    identifiers,
    folder,
    status: "ready",
    warnings: [],
    changes: [],
  };
  const list = listTrail();
  const trail = createRunTrail(list.trail, createShapes(list.trail.hash), { id: "r_1", session, code: "" });
  const book = createReceiptBook(await loadTokenCounter(), () => 0);
  const { signal } = new AbortController();
  const run = createRun({ id: "r_1", request: { code: "", session }, signal, book, trail, tell: () => {} });
  const broken: string[] = [];
  const gate = { breakOff: ({ message }: KeyholeError) => broken.push(message) };
  const calling = { ...run, gate: gate as unknown as NonNullable<typeof run.gate> };
  const call = toCall({ run: calling, session, server, tool, args: { id: 1 }, signal });
  const sent: string[] = [];
  const send: NextStage = async ({ trace, id }) => {
    sent.push(list.events.map(({ action }) => action).join());
    trace.isSent = true;
    return { value: 1, content: [], from: { server: "shop", tool: name, callId: id } };
  };
  const make = (next: NextStage = send) => createRecord(undefined)(call, (one) => announce(one, next));
  return { ...list, trail, make, sent, broken, send };
}

describe("a call", () => {
  it("that writes is told before it is sent, and after it a moment later", async () => {
    const { make, events, sent, commits } = await callOf("delete_order");
    await make();
    expect([events.length, commits()]).toEqual([1, 1]);
    await told();
    expect(sent).toEqual(["call.sent"]);
    expect(events.map(({ action }) => action)).toEqual(["call.sent", "call.ended"]);
    expect(commits()).toBe(2);
  });

  it("that reads is told once", async () => {
    const { make, events, sent } = await callOf("list_orders");
    await make();
    await told();
    expect(sent).toEqual([""]);
    expect(events.map(({ action }) => action)).toEqual(["call.ended"]);
  });

  it("that reads has what another server told on the disk before it is sent", async () => {
    const { make, trail, commits } = await callOf("list_orders");
    trail.heardOf = "shop";
    await make();
    expect(commits()).toBe(0);
    trail.heardOf = "bank";
    await make();
    expect(commits()).toBe(1);
  });

  it("that can't be told is not sent", async () => {
    const { make, sent, fail } = await callOf("delete_order");
    fail(FULL);
    await expect(make()).rejects.toMatchObject({ code: "store_unusable", hint: "Make room" });
    expect(sent).toEqual([]);
  });

  it("that was sent, and whose end can't be told, ends the run and says what was done", async () => {
    const { make, broken, fail, send } = await callOf("delete_order");
    const full: NextStage = async (call) => {
      const result = await send(call);
      fail(FULL);
      return result;
    };
    const failure =
      '"delete_order" of server "shop" was sent, and its effect was made as far as is known, but that can\'t be written down: the disk is full';
    await make(full);
    expect(broken).toEqual([]);
    await told();
    expect(broken).toEqual([failure]);
  });
});
