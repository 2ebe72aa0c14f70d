import { describe, expect, it } from "vitest";
import { toMessages } from "./envelope.ts";

const RESULT = { jsonrpc: "2.0", id: 1, result: { a: 1 } };

describe("toMessages", () => {
  it.each([
    ["a null error beside a result", { ...RESULT, error: null }, [RESULT]],
    ["an extra key", { ...RESULT, extra: true }, [RESULT]],
    ["no version", { id: 1, result: { a: 1 } }, [RESULT]],
    ["a batch", [RESULT, { ...RESULT, id: 2 }], [RESULT, { ...RESULT, id: 2 }]],
    ["a null result", { jsonrpc: "2.0", id: 1, result: null }, [{ ...RESULT, result: {} }]],
    [
      "an error that is a text",
      { jsonrpc: "2.0", id: 1, error: "boom" },
      [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "boom" } }],
    ],
    ["null params", { jsonrpc: "2.0", method: "m", params: null }, [{ jsonrpc: "2.0", method: "m" }]],
  ])("accepts %s", (_name, written, messages) => {
    expect(toMessages(written)).toEqual(messages);
  });

  it("mends an error's code and message, and keeps its data", () => {
    const [message] = toMessages({ jsonrpc: "2.0", id: 1, error: { code: "E1", message: null, data: 5 } });
    expect(message).toMatchObject({ error: { code: -32603, message: expect.any(String), data: 5 } });
  });

  it.each([
    [{}],
    [null],
    ["text"],
    [[]],
    [{ jsonrpc: "1.0", id: 1, result: {} }],
    [{ level: "info", msg: "a log line" }],
    [{ id: null, result: {} }],
    [{ id: 1.5, result: {} }],
  ])("takes %j for no message", (written) => {
    expect(toMessages(written)).toEqual([]);
  });
});
