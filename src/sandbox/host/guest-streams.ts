import { Duplex } from "node:stream";
import { KeyholeError } from "../../errors.ts";
import { broken, type Verdict } from "./guest-words.ts";
import { FRAME } from "./protocol.ts";

/** What each side may send of a stream before the other has taken it. */
export const STREAM_WINDOW_BYTES = 128 * 1024;
export const STREAM_PIECE_BYTES = 64 * 1024;
/** At the same time, and of one run in all. */
export const STREAMS_OPEN = 8;
const MAX_STREAMS = 10_000;
/** Messages to a guest are short. */
const MAX_REASON = 500;

const TYPES: readonly number[] = [
  ...[FRAME.streamOpen, FRAME.streamData, FRAME.streamEnd, FRAME.streamCredit, FRAME.streamClose],
];

export type GuestStreams = {
  isOf(type: number): boolean;
  receive(type: number, id: number, payload: Buffer): Verdict | undefined;
  end(): void;
};

type Send = (type: number, id: number, payload: string | Uint8Array) => void;

type GuestStream = {
  /** Undefined when it is all right. */
  take(payload: Buffer): string | undefined;
  takeEnd(): string | undefined;
  /** So much more may be sent. */
  credit(bytes: number): string | undefined;
  /** By the guest's will. */
  drop(): void;
  close(why?: Error): void;
};

/**
 * Streams of bytes that the program's process opens by number, and what of them is read and written here. Neither side can
 * make the other hold more than a window of each.
 * @param connect takes the other end; absent where programs have no way out
 */
export function createGuestStreams(
  connect: ((stream: Duplex) => void) | undefined,
  send: Send,
): GuestStreams {
  const open = new Map<number, GuestStream>();
  let lastId = 0;
  let count = 0;

  function openOne(id: number): Verdict | undefined {
    if (!connect) return broken("a stream where there is no way out");
    // Counted up: so none of those that are closed has to be remembered.
    if (id <= lastId) return broken("a stream with a wrong id");
    lastId = id;
    if (++count > MAX_STREAMS || open.size >= STREAMS_OPEN) {
      const why = count > MAX_STREAMS ? "too many connections in one run" : "too many connections at once";
      send(FRAME.streamClose, id, `limit ${why}`);
      return undefined;
    }
    const { stream, guest } = createStream(id, send, () => open.delete(id));
    open.set(id, guest);
    connect(stream);
    return undefined;
  }

  return {
    isOf: (type) => TYPES.includes(type),
    receive(type, id, payload) {
      if (type === FRAME.streamOpen) return openOne(id);
      if (id === 0 || id > lastId) return broken("a stream that was never opened");
      const stream = open.get(id);
      // Closed here meanwhile.
      if (!stream) return undefined;
      const wrong =
        type === FRAME.streamData
          ? stream.take(payload)
          : type === FRAME.streamEnd
            ? stream.takeEnd()
            : type === FRAME.streamCredit
              ? stream.credit(payload.length === 4 ? payload.readUInt32LE(0) : 0)
              : undefined;
      if (type === FRAME.streamClose) stream.drop();
      return wrong === undefined ? undefined : broken(wrong);
    },
    end() {
      for (const stream of open.values()) stream.close();
    },
  };
}

function createStream(id: number, send: Send, onClosed: () => void): { stream: Duplex; guest: GuestStream } {
  /** Received, and not yet asked for. */
  let waiting: Buffer[] = [];
  let receivable = STREAM_WINDOW_BYTES;
  let sendable = STREAM_WINDOW_BYTES;
  let isWanted = false;
  let hasEnded = false;
  let isDropped = false;
  let unsent: { bytes: Buffer; done: (error?: Error | null) => void } | undefined;

  function hand(): void {
    while (isWanted && waiting.length > 0) {
      const next = waiting.shift() ?? Buffer.alloc(0);
      receivable += next.length;
      isWanted = stream.push(next);
      if (!isDropped) send(FRAME.streamCredit, id, toCredit(next.length));
    }
    if (hasEnded && waiting.length === 0 && !stream.readableEnded) stream.push(null);
  }

  function sendMore(): void {
    while (unsent && sendable > 0) {
      const piece = unsent.bytes.subarray(0, Math.min(sendable, STREAM_PIECE_BYTES));
      send(FRAME.streamData, id, piece);
      sendable -= piece.length;
      unsent.bytes = unsent.bytes.subarray(piece.length);
      if (unsent.bytes.length > 0) continue;
      const { done } = unsent;
      unsent = undefined;
      done();
    }
  }

  const stream: Duplex = new Duplex({
    read() {
      isWanted = true;
      hand();
    },
    write(chunk: Buffer, _encoding, done) {
      unsent = { bytes: chunk, done };
      sendMore();
    },
    final(done) {
      send(FRAME.streamEnd, id, "");
      done();
    },
    destroy(error, done) {
      waiting = [];
      unsent?.done(error);
      unsent = undefined;
      if (!isDropped) send(FRAME.streamClose, id, toReason(error));
      onClosed();
      done(error);
    },
  });

  return {
    stream,
    guest: {
      take(payload) {
        if (hasEnded) return "bytes after the end of a stream";
        if (payload.length > receivable || payload.length > STREAM_PIECE_BYTES)
          return "more bytes of a stream than were asked for";
        receivable -= payload.length;
        waiting.push(Buffer.from(payload));
        hand();
        return undefined;
      },
      takeEnd() {
        if (hasEnded) return "a second end of a stream";
        hasEnded = true;
        hand();
        return undefined;
      },
      credit(bytes) {
        if (bytes === 0 || sendable + bytes > STREAM_WINDOW_BYTES)
          return "a stream's bytes taken that were not sent";
        sendable += bytes;
        sendMore();
        return undefined;
      },
      drop() {
        isDropped = true;
        stream.destroy();
      },
      close() {
        isDropped = true;
        stream.destroy();
      },
    },
  };
}

function toCredit(bytes: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32LE(bytes);
  return payload;
}

/** Only our own words reach a program. */
function toReason(error: Error | null): string {
  return error instanceof KeyholeError ? `${toWord(error.code)} ${error.message}`.slice(0, MAX_REASON) : "";
}

/** What a program finds in `code`, of what only the host knows. */
function toWord(code: KeyholeError["code"]): string {
  if (code === "denied") return "denied";
  return code === "too_large" ? "limit" : "unreachable";
}
