// The protocol of src/sandbox/protocol.json once more, written from that file alone.

export const TYPES = {
  ready: 1,
  call: 2,
  log: 3,
  done: 5,
  pong: 7,
  start: 16,
  result: 17,
  resultBytes: 18,
  failure: 19,
  ping: 20,
};

export function encode(type, id, payload) {
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const length = bytes.length + 5;
  const header = [length, length / 2 ** 8, length / 2 ** 16, length / 2 ** 24, type].concat(
    [id, id / 2 ** 8, id / 2 ** 16, id / 2 ** 24].map(Math.floor),
  );
  const frame = new Uint8Array(9 + bytes.length);
  frame.set(header.map((byte) => Math.floor(byte) % 256));
  frame.set(bytes, 9);
  return frame;
}

/** Feed it chunks; it returns the frames that are whole by then. */
export function createDecoder() {
  let held = new Uint8Array(0);
  const numberAt = (at) => [3, 2, 1, 0].reduce((sum, byte) => sum * 256 + held[at + byte], 0);
  return (chunk) => {
    const joined = new Uint8Array(held.length + chunk.length);
    joined.set(held);
    joined.set(chunk, held.length);
    held = joined;
    const frames = [];
    while (held.length >= 9 && held.length >= 4 + numberAt(0)) {
      const end = 4 + numberAt(0);
      frames.push({ type: held[4], id: numberAt(5), payload: held.slice(9, end) });
      held = held.slice(end);
    }
    return frames;
  };
}
