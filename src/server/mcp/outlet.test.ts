import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createOutbox } from "../../result/outbox/outbox.ts";
import { createOutgoingServer, createStdioTransport, type Wire } from "./outlet.ts";

const INFO = { name: "test", title: "Test", version: "1" };
const hide = (text: string) => text.replaceAll("secret", "[hidden]");

it("hands nothing to a client that has not passed the outbox, by its type", () => {
  const sent: unknown[] = [];
  const wire: Wire = { send: async (message) => void sent.push(message) };
  // @ts-expect-error: it has not passed the outbox
  void wire.send({ jsonrpc: "2.0", id: 1, result: {} });
  void wire.send(createOutbox().message({ jsonrpc: "2.0" as const, id: 1, result: {} }));
  expect(sent).toHaveLength(2);
});

it("sends what a server and what the SDK say through the outbox, in order", async () => {
  const outbox = createOutbox([hide]);
  const output = new PassThrough();
  const input = new PassThrough();
  const transport = createStdioTransport(outbox, input, output, 1_000_000);
  const server = createOutgoingServer(outbox, INFO, {
    capabilities: { tools: {} },
    instructions: "a secret",
  });
  server.setRequestHandler("tools/list", () => {
    throw new Error("the secret of a stack");
  });
  await server.connect(transport);
  const ask = (id: number, method: string, params: unknown) =>
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const clientInfo = { name: "c", version: "1" };
  ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  ask(2, "tools/list", {});
  let text = "";
  for await (const chunk of output) {
    text += String(chunk);
    if (text.split("\n").length > 2) break;
  }
  await server.close();
  const [first = "", second = ""] = text.split("\n");
  expect(JSON.parse(first)).toMatchObject({ id: 1, result: { instructions: "a [hidden]" } });
  expect(JSON.parse(second)).toMatchObject({ id: 2, error: { message: "the [hidden] of a stack" } });
});
