import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader, writeEvent } from "./event-stream.ts";

const LIMITS = { maxBytes: 1_000, maxValues: 100 };

async function read(text: string, cuts: readonly number[] = []) {
  const events: unknown[] = [];
  let lines = 0;
  const reader = createEventReader({
    ...LIMITS,
    onEvent({ data, ...event }) {
      events.push({ ...event, data: data.kind === "small" ? data.bytes.toString("utf8") : data.kind });
      return undefined;
    },
    onEndless: () => events.push("endless"),
    onOverdue: () => {},
    onLine: () => lines++,
  });
  const bytes = Buffer.from(text);
  let start = 0;
  for (const cut of cuts) {
    await reader.push(bytes.subarray(start, start + cut));
    start += cut;
  }
  await reader.push(bytes.subarray(start));
  return { events, lines };
}

describe("an event stream", () => {
  it("is read the same with every kind of line end, however it is cut", async () => {
    const text = ": a comment\nevent: message\nid: 7\ndata: {\ndata:  1}\nretry: 0\nother\n\ndata:x\n\n";
    const expected = [{ event: "message", id: "7", data: "{\n 1}" }, { data: "x" }];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("\n", "\r", "\r\n"), fc.array(fc.nat(9)), async (end, cuts) => {
        expect((await read(text.replaceAll("\n", end), cuts)).events).toEqual(expected);
      }),
    );
  });

  it("counts the values of its data, whatever stands in other fields", async () => {
    const many = `[${"{},".repeat(1_000)}{}]`;
    for (const before of ['id: "\n', ': "\n', 'event: "\r']) {
      expect((await read(`${before}data: ${many}\n\ndata: 1\n\n`)).events).toMatchObject([
        { data: "excess" },
        { data: "1" },
      ]);
    }
  });

  it("ends with an event that does not", async () => {
    expect((await read(`data: ${"x".repeat(5_000)}`)).events).toEqual(["endless"]);
  });

  it("tells of every line, comments too", async () => {
    expect((await read(":\n".repeat(50))).lines).toBe(50);
  });

  it("is written as it is read", async () => {
    const written = writeEvent({ event: "message", id: "1" }, Buffer.from("a\nb"));
    expect((await read(written.toString("utf8"))).events).toEqual([
      { event: "message", id: "1", data: "a\nb" },
    ]);
  });
});
