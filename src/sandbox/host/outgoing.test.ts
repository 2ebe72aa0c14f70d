import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { CHUNK_BYTES, createChunkReader } from "./chunks.ts";
import { createOutgoingFrames } from "./outgoing.ts";
import { createFrameReader, FRAME, type Frame } from "./protocol.ts";

/** A pipe that takes one write at a time, when it is asked to. */
function createSlowPipe() {
  const written: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const take = (chunks: Buffer[], done: () => void) => {
    written.push(...chunks);
    waiting.push(done);
  };
  const stream = new Writable({
    write: (chunk, _encoding, done) => take([chunk], done),
    writev: (chunks, done) =>
      take(
        chunks.map(({ chunk }) => chunk),
        done,
      ),
  });
  return { stream, written, next: () => waiting.shift()?.() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function readFrames(bytes: readonly Buffer[]): Frame[] {
  const reader = createFrameReader(1e9);
  reader.push(Buffer.concat(bytes));
  const frames: Frame[] = [];
  for (let frame = reader.next(); frame && !("fault" in frame); frame = reader.next()) frames.push(frame);
  return frames;
}

it("sends small frames of one turn in one write, as they are", async () => {
  const { stream, written } = createSlowPipe();
  const outgoing = createOutgoingFrames(stream);
  outgoing.send(FRAME.result, 1, "one");
  outgoing.send(FRAME.result, 2, "two");
  await turn();
  expect(written).toHaveLength(1);
  expect(readFrames(written).map(({ id, payload }) => [id, payload.toString()])).toEqual([
    [1, "one"],
    [2, "two"],
  ]);
});

it("lets a small frame by while a large one is under way, and large ones take turns", async () => {
  const { stream, written, next } = createSlowPipe();
  const outgoing = createOutgoingFrames(stream);
  const [first, second] = ["ä".repeat(2e6), new Uint8Array(2e6).fill(7)];
  outgoing.send(FRAME.result, 1, first);
  outgoing.send(FRAME.resultBytes, 2, second);
  await turn();
  outgoing.send(FRAME.ping, 0, "");
  while (outgoing.waitingBytes > 0) {
    next();
    await turn();
  }
  const frames = readFrames(written);
  const ping = frames.findIndex(({ type }) => type === FRAME.ping);
  expect(ping).toBeGreaterThan(0);
  expect(ping).toBeLessThan(10);
  expect(new Set(frames.slice(0, 4).map(({ id }) => id))).toEqual(new Set([1, 2]));
  expect(Math.max(...frames.map(({ payload }) => payload.length))).toBeLessThan(CHUNK_BYTES + 100);
  const chunks = createChunkReader(1e9);
  const whole = frames.flatMap((frame) => (frame.type === FRAME.chunk ? (chunks.receive(frame) ?? []) : []));
  expect(whole.map((frame) => "type" in frame && [frame.type, frame.id])).toEqual([
    [FRAME.resultBytes, 2],
    [FRAME.result, 1],
  ]);
  expect(
    whole.map(
      (frame) => "payload" in frame && frame.payload.equals(frame.id === 1 ? Buffer.from(first) : second),
    ),
  ).toEqual([true, true]);
  expect(chunks.heldBytes).toBe(0);
});

it("sends nothing more once it has ended", async () => {
  const { stream, written } = createSlowPipe();
  const outgoing = createOutgoingFrames(stream);
  outgoing.send(FRAME.result, 1, "x".repeat(1e6));
  outgoing.end();
  outgoing.send(FRAME.ping, 0, "");
  await turn();
  expect(written).toEqual([]);
});

it("lets no large frame by a small one that was sent before it", async () => {
  const { stream, written, next } = createSlowPipe();
  const outgoing = createOutgoingFrames(stream);
  outgoing.send(FRAME.result, 1, "a".repeat(CHUNK_BYTES + 1));
  outgoing.send(FRAME.facts, 2, "[]");
  outgoing.send(FRAME.result, 2, "b".repeat(CHUNK_BYTES + 1));
  await turn();
  while (outgoing.waitingBytes > 0) {
    next();
    await turn();
  }
  const frames = readFrames(written);
  const ofSecond = frames.findIndex(
    ({ type, payload }) => type === FRAME.chunk && payload.readUInt32LE(1) === 2,
  );
  const facts = frames.findIndex(({ type }) => type === FRAME.facts);
  expect(ofSecond).toBeGreaterThan(-1);
  expect(facts).toBeGreaterThan(-1);
  expect(facts).toBeLessThan(ofSecond);
});
