import { describe, expect, it } from "vitest";
import { toPieces } from "./answer-pieces.ts";
import { createUnread } from "./unread.ts";

const MB = 1024 * 1024;

function piecesOf(chunks: readonly Uint8Array<ArrayBuffer>[], isEndless = false) {
  const unread = createUnread({
    maxBytes: 64 * MB,
    maxPrincipalBytes: 16 * MB,
    maxAnswerBytes: 16 * MB,
    minBytesPerSecond: 1,
    patienceMs: 1_000,
  });
  const state = { isCancelled: false };
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (!isEndless) controller.close();
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  const gone = new AbortController();
  const answer = unread.begin("alice", () => {});
  return { unread, gone, state, body: toPieces(source, gone.signal, answer) };
}

describe("an answer in pieces", () => {
  it("is the same bytes, and nothing waits when they were read", async () => {
    const chunks = [300_000, 0, 1, 65_536].map((size, n) => new Uint8Array(size).fill(n));
    const { unread, body } = piecesOf(chunks);
    const read = new Uint8Array(await new Response(body).arrayBuffer());
    expect(Buffer.compare(read, Buffer.concat(chunks))).toBe(0);
    expect(unread.bytes()).toBe(0);
  });

  it("shows in its count how much of one large event was read", async () => {
    const { unread, body } = piecesOf([new Uint8Array(MB)]);
    const reader = body.getReader();
    await reader.read();
    const all = unread.bytes();
    for (let n = 0; n < 4; n++) await reader.read();
    expect(all - unread.bytes()).toBeGreaterThanOrEqual(MB / 4);
    expect(unread.bytes()).toBeGreaterThan(MB / 2);
  });

  it("is let go, with its source, when the reader has gone; whoever waits for more is told that it is over", async () => {
    const { unread, gone, state, body } = piecesOf([new Uint8Array(10)], true);
    const reader = body.getReader();
    await reader.read();
    const next = reader.read();
    gone.abort();
    expect(await next).toMatchObject({ done: true });
    expect(unread.bytes()).toBe(0);
    expect(state.isCancelled).toBe(true);
  });
});
