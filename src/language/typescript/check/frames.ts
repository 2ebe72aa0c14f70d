import type { Readable, Writable } from "node:stream";

export type Frames = { send(message: object): void };

const HEADER_END = Buffer.from("\r\n\r\n");

/** JSON messages with a `Content-Length` before each, as language servers speak. */
export function createFrames(
  input: Readable,
  output: Writable,
  receive: (message: { readonly [key: string]: unknown }) => void,
): Frames {
  let pending: Buffer = Buffer.alloc(0);
  input.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const end = pending.indexOf(HEADER_END);
      if (end === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(pending.toString("latin1", 0, end))?.[1] ?? 0);
      const start = end + HEADER_END.length;
      if (pending.length < start + length) return;
      const text = pending.toString("utf8", start, start + length);
      pending = pending.subarray(start + length);
      receive(JSON.parse(text));
    }
  });
  return {
    send(message) {
      const text = JSON.stringify(message);
      output.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    },
  };
}
