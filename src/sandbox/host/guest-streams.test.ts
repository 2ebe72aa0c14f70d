import { once } from "node:events";
import type { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import { KeyholeError } from "../../errors.ts";
import {
  createGuestStreams,
  STREAM_PIECE_BYTES,
  STREAM_WINDOW_BYTES,
  STREAMS_OPEN,
} from "./guest-streams.ts";
import { FRAME } from "./protocol.ts";

const { streamOpen, streamData, streamEnd, streamCredit, streamClose } = FRAME;
const NONE = Buffer.alloc(0);

function credit(bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32LE(bytes);
  return payload;
}

function setUp() {
  const sent: { type: number; id: number; bytes: Buffer }[] = [];
  const streams: Duplex[] = [];
  const guest = createGuestStreams(
    (stream) => streams.push(stream.on("error", () => {})),
    (type, id, payload) => sent.push({ type, id, bytes: Buffer.from(payload) }),
  );
  const bytesOf = (type: number) =>
    Buffer.concat(sent.filter((one) => one.type === type).map(({ bytes }) => bytes));
  const open = (id: number): Duplex => {
    expect(guest.receive(streamOpen, id, NONE)).toBeUndefined();
    return streams.at(-1) ?? expect.fail("no stream");
  };
  return { guest, sent, streams, bytesOf, open };
}

const broken = expect.objectContaining({ ok: false });

describe("a stream of the guest's", () => {
  it("carries bytes both ways, with the ends of both", async () => {
    const { guest, open, bytesOf, sent } = setUp();
    const stream = open(1);
    guest.receive(streamData, 1, Buffer.from("to "));
    guest.receive(streamData, 1, Buffer.from("host"));
    guest.receive(streamEnd, 1, NONE);
    let heard = "";
    for await (const piece of stream.iterator({ destroyOnReturn: false })) heard += piece;
    expect(heard).toBe("to host");
    stream.end("to guest");
    await once(stream, "finish");
    expect(bytesOf(streamData).toString()).toBe("to guest");
    expect(sent.map(({ type }) => type)).toEqual(expect.arrayContaining([streamCredit, streamEnd]));
  });

  it("is sent no more than a window that the guest has not taken", async () => {
    const { guest, open, bytesOf } = setUp();
    const stream = open(1);
    stream.write(Buffer.alloc(3 * STREAM_WINDOW_BYTES));
    expect(bytesOf(streamData)).toHaveLength(STREAM_WINDOW_BYTES);
    expect(guest.receive(streamCredit, 1, credit(1_000))).toBeUndefined();
    expect(bytesOf(streamData)).toHaveLength(STREAM_WINDOW_BYTES + 1_000);
  });

  it("holds no more than a window of what nobody reads, and a guest that sends more has broken the protocol", () => {
    const { guest, open, sent } = setUp();
    open(1).pause();
    const piece = Buffer.alloc(STREAM_PIECE_BYTES);
    for (let bytes = 0; bytes < STREAM_WINDOW_BYTES; bytes += piece.length)
      expect(guest.receive(streamData, 1, piece)).toBeUndefined();
    expect(sent.filter(({ type }) => type === streamCredit)).toEqual([]);
    expect(guest.receive(streamData, 1, Buffer.alloc(1))).toEqual(broken);
  });

  it.each<[string, (guest: ReturnType<typeof setUp>["guest"]) => unknown]>([
    ["opens one twice", (guest) => guest.receive(streamOpen, 1, NONE)],
    ["opens one with a smaller number", (guest) => guest.receive(streamOpen, 0, NONE)],
    ["speaks on one that it never opened", (guest) => guest.receive(streamData, 9, Buffer.from("x"))],
    [
      "sends a piece that is too large",
      (guest) => guest.receive(streamData, 1, Buffer.alloc(STREAM_PIECE_BYTES + 1)),
    ],
    ["takes what was not sent", (guest) => guest.receive(streamCredit, 1, credit(1))],
    ["takes nothing", (guest) => guest.receive(streamCredit, 1, credit(0))],
    ["takes with words that are no number", (guest) => guest.receive(streamCredit, 1, Buffer.from("1"))],
    ["ends twice", (guest) => guest.receive(streamEnd, 1, NONE) ?? guest.receive(streamEnd, 1, NONE)],
    [
      "speaks after its end",
      (guest) => guest.receive(streamEnd, 1, NONE) ?? guest.receive(streamData, 1, Buffer.from("x")),
    ],
  ])("is the end of a run whose guest %s", (_what, act) => {
    const { guest, open } = setUp();
    open(1);
    expect(act(guest)).toEqual(broken);
  });

  it("is refused to a run without a way out", () => {
    const guest = createGuestStreams(undefined, () => {});
    expect(guest.receive(streamOpen, 1, NONE)).toEqual(broken);
  });

  it("is one of so many at once, and the next is closed with a word", () => {
    const { guest, open, streams, sent } = setUp();
    for (let id = 1; id <= STREAMS_OPEN; id++) open(id);
    expect(guest.receive(streamOpen, STREAMS_OPEN + 1, NONE)).toBeUndefined();
    expect(streams).toHaveLength(STREAMS_OPEN);
    expect(sent.at(-1)).toMatchObject({ type: streamClose, id: STREAMS_OPEN + 1 });
    guest.receive(streamClose, 1, NONE);
    open(STREAMS_OPEN + 2);
    expect(streams).toHaveLength(STREAMS_OPEN + 1);
  });

  it("is closed from here with our own words alone", () => {
    const { open, sent } = setUp();
    open(1).destroy(new KeyholeError("denied", "not there"));
    open(2).destroy(new Error("connect ECONNREFUSED 10.0.0.5:6379"));
    expect(sent.filter(({ type }) => type === streamClose).map(({ bytes }) => String(bytes))).toEqual([
      "denied not there",
      "",
    ]);
  });

  it("takes no more after it was closed, and no harm", () => {
    const { guest, open } = setUp();
    open(1).destroy();
    for (const type of [streamData, streamEnd, streamCredit, streamClose])
      expect(guest.receive(type, 1, credit(5))).toBeUndefined();
  });

  it("ends with the run", () => {
    const { guest, open, sent } = setUp();
    const stream = open(1);
    const before = sent.length;
    guest.end();
    expect(stream.destroyed).toBe(true);
    expect(sent).toHaveLength(before);
  });
});
