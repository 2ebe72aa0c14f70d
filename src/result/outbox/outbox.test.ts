import { describe, expect, it } from "vitest";
import { createOutbox, type OutgoingMessage } from "./outbox.ts";

const hide = (text: string) => text.replaceAll("secret", "[hidden]");
const answer = (result: unknown) => ({ jsonrpc: "2.0", id: "secret-id", result });

describe("what leaves", () => {
  it("goes through the filters, text by text, keys and nesting included", () => {
    const { message } = createOutbox([hide, (text) => text.replaceAll("[hidden]", "<hidden>")]);
    const data = { "secret key": [{ deep: { value: "a secret" } }, 1, null, true] };
    expect(message(answer({ content: [{ type: "text", text: "the secret" }], _meta: { x: data } }))).toEqual({
      jsonrpc: "2.0",
      id: "secret-id",
      result: {
        content: [{ type: "text", text: "the <hidden>" }],
        _meta: { x: { "<hidden> key": [{ deep: { value: "a <hidden>" } }, 1, null, true] } },
      },
    });
    expect(message({ jsonrpc: "2.0", id: 1, error: { code: -1, message: "no secret", data } })).toMatchObject(
      {
        error: {
          message: "no <hidden>",
          data: { "<hidden> key": [{ deep: { value: "a <hidden>" } }, 1, null, true] },
        },
      },
    );
  });

  it("leaves the client's own words alone: the id of a request and the token of its progress", () => {
    const { message } = createOutbox([hide]);
    const params = { progressToken: "secret-token", progress: 1, message: "a secret" };
    expect(message({ jsonrpc: "2.0", method: "notifications/progress", params })).toEqual({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "secret-token", progress: 1, message: "a [hidden]" },
    });
  });

  it("leaves media alone, and takes a text under the name of an image for a text", () => {
    const { message } = createOutbox([(text) => text.replaceAll("secret", "-")]);
    const image = { type: "image", data: "secret+/==", mimeType: "secret/png" };
    const lie = { type: "image", data: "a secret text", mimeType: "image/png" };
    const file = { type: "resource", resource: { uri: "file:secret", blob: "secretAAAA" } };
    const text = { type: "resource", resource: { uri: "file:x", text: "secret" } };
    expect(message(answer({ content: [image, lie, file, text] })).result).toEqual({
      content: [
        { type: "image", data: "secret+/==", mimeType: "-/png" },
        { type: "image", data: "a - text", mimeType: "image/png" },
        { type: "resource", resource: { uri: "file:-", blob: "secretAAAA" } },
        { type: "resource", resource: { uri: "file:x", text: "-" } },
      ],
    });
  });

  it("is safe to show, whoever wrote it: texts, errors and progress, not data", () => {
    const { message } = createOutbox();
    const raw = "\u001b[2Jred\u202e\u0007";
    const content = [{ type: "text", text: raw }];
    expect(message(answer({ content, _meta: { value: raw } })).result).toEqual({
      content: [{ type: "text", text: "red\\u202e\\u0007" }],
      _meta: { value: raw },
    });
    expect(message({ error: { code: -1, message: raw } }).error.message).toBe("red\\u202e\\u0007");
    expect(message({ params: { message: raw } }).params.message).toBe("red\\u202e\\u0007");
  });

  it("is bounded: an error that quotes a megabyte, a filter that makes much of little", () => {
    const long = "x".repeat(1_000_000);
    expect(createOutbox().message({ error: { message: long } }).error.message.length).toBeLessThan(21_000);
    const { text } = createOutbox([() => long]);
    expect(text("short").length).toBeLessThan(2_000);
  });

  it("does not leave where a filter fails", () => {
    const { text } = createOutbox([
      () => {
        throw new Error("no");
      },
    ]);
    expect(text("a secret")).toBe("[withheld]");
  });

  it("is neither copied nor passed twice without need", () => {
    let count = 0;
    const counting = createOutbox([
      (text) => {
        count++;
        return text;
      },
    ]);
    const message = answer({ content: [{ type: "text", text: "plain" }] });
    expect(createOutbox().message(message)).toBe(message);
    const passed = counting.message(message);
    const once = count;
    expect(counting.message(passed)).toBe(passed);
    expect(count).toBe(once);
  });

  it("does not touch what others hold: a changed message is another one", () => {
    const kept = answer({ content: [{ type: "text", text: "secret" }], calls: [{ tool: "secret" }] });
    const before = structuredClone(kept);
    createOutbox([hide]).message(kept);
    expect(kept).toEqual(before);
  });

  it("takes keys that mean something to JavaScript for keys", () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"secret": 1}, "constructor": "secret"}');
    const { result } = createOutbox([hide]).message(answer(hostile));
    expect(JSON.stringify(result)).toBe('{"__proto__":{"[hidden]":1},"constructor":"[hidden]"}');
  });

  it("can be made by nobody else", () => {
    // @ts-expect-error: a plain message is not an outgoing one
    const forged: OutgoingMessage<{ id: number }> = { id: 1 };
    const made: OutgoingMessage<{ id: number }> = createOutbox().message({ id: 1 });
    // @ts-expect-error: what was added has not passed
    const changed: OutgoingMessage<{ id: number }> = { ...made, id: 2 };
    expect([forged, made, changed]).toHaveLength(3);
  });
});
