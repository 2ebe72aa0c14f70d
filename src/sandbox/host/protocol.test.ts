import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFrameReader, encodeFrame, type Frame } from "./protocol.ts";

function read(chunks: readonly Buffer[], maxFrameBytes = 1000) {
  const frames: Frame[] = [];
  const wrong: string[] = [];
  const reader = createFrameReader(maxFrameBytes);
  for (const chunk of chunks) {
    reader.push(chunk);
    for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
      if (!("fault" in frame)) frames.push(frame);
      else wrong.push(frame.fault === "malformed" ? frame.fault : `too large: ${frame.bytes}`);
    }
  }
  return { frames, wrong };
}

describe("the frame reader", () => {
  it("gives back the frames however the stream is cut", () => {
    const frame = fc.record({
      type: fc.nat(255),
      id: fc.nat(2 ** 31),
      payload: fc.string({ unit: "grapheme" }),
    });
    fc.assert(
      fc.property(
        fc.array(frame),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (sent, cuts) => {
          const bytes = Buffer.concat(sent.map(({ type, id, payload }) => encodeFrame(type, id, payload)));
          const chunks: Buffer[] = [];
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const length = cuts[cut % cuts.length] ?? 1;
            chunks.push(bytes.subarray(at, at + length));
            at += length;
          }
          const { frames, wrong } = read(chunks);
          expect(wrong).toEqual([]);
          expect(frames.map((got) => ({ ...got, payload: got.payload.toString("utf8") }))).toEqual(sent);
        },
      ),
    );
  });

  it("reads nothing after a frame that is too large or too short", () => {
    const good = encodeFrame(3, 0, "x");
    const large = encodeFrame(3, 0, "x".repeat(2000));
    expect(read([good, large, good])).toMatchObject({ frames: [{ type: 3 }], wrong: ["too large: 2005"] });
    expect(read([Buffer.from([1, 0, 0, 0, 3, 0, 0, 0, 0]), good])).toEqual({
      frames: [],
      wrong: ["malformed"],
    });
  });

  it("reads the same from random bytes however they are cut, and complains once at most", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const cut = read(chunks.map((chunk) => Buffer.from(chunk)));
        expect(cut).toEqual(read([Buffer.concat(chunks)]));
        expect(cut.wrong.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("holds what has arrived and no more, in however many pieces, and lets go of it with the last frame", () => {
    const reader = createFrameReader(1e6);
    const bytes = encodeFrame(3, 0, "x".repeat(5_000));
    for (let at = 0; at < bytes.length; at++) {
      expect(reader.next()).toBeUndefined();
      expect(reader.heldBytes).toBe(at);
      reader.push(bytes.subarray(at, at + 1));
    }
    expect(reader.next()).toMatchObject({ type: 3 });
    expect(reader.heldBytes).toBe(0);
  });

  it("leaves a frame as it was when more arrives", () => {
    const reader = createFrameReader(1000);
    const bytes = Buffer.concat(["first", "second", "third"].map((text) => encodeFrame(3, 0, text)));
    reader.push(bytes.subarray(0, 20));
    const frames = [reader.next()];
    for (let at = 20; at < bytes.length; at++) {
      reader.push(bytes.subarray(at, at + 1));
      frames.push(reader.next());
    }
    const texts = frames.flatMap((frame) => (frame && "payload" in frame ? [frame.payload.toString()] : []));
    expect(texts).toEqual(["first", "second", "third"]);
  });
});
