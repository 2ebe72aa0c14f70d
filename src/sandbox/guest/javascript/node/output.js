import { createListeners } from "./listeners.js";

/**
 * `process.stdout`: what is written becomes log lines. A line that is not ended yet is kept until it is, or until
 * something else is logged. With Node's streams loaded it is one of them, so that others can be piped into it.
 * @param {(text: string) => void} write
 * @param {{ Writable: new (options: object) => object } | undefined} Stream
 * @param {number} fd
 */
export function createOutput(write, Stream, fd) {
  const decoder = new TextDecoder();
  let open = "";

  /** @param {unknown} chunk */
  function take(chunk) {
    open += ArrayBuffer.isView(chunk) ? decoder.decode(chunk, { stream: true }) : String(chunk);
    const end = open.lastIndexOf("\n");
    if (end === -1) return;
    const whole = open.slice(0, end);
    open = open.slice(end + 1);
    write(whole);
  }

  function flush() {
    if (open === "") return;
    const rest = open;
    open = "";
    write(rest);
  }

  const facts = { isTTY: false, fd, columns: 80, rows: 24 };

  /** As in Node a chunk is text or bytes, and the last argument may be told when it is written. @param {unknown} chunk @param {unknown[]} rest */
  function writeChunk(chunk, ...rest) {
    if (typeof chunk !== "string" && !ArrayBuffer.isView(chunk))
      throw new TypeError('The "chunk" argument must be of type string or bytes: use console.log for values');
    take(chunk);
    const told = rest.at(-1);
    if (typeof told === "function") queueMicrotask(() => told());
    return true;
  }

  if (!Stream) {
    const plain = {
      ...createListeners().methods,
      ...facts,
      writable: true,
      write: writeChunk,
      /** @param {unknown} [chunk] */
      end(chunk) {
        if (typeof chunk === "string" || ArrayBuffer.isView(chunk)) take(chunk);
        return plain;
      },
    };
    return { stream: plain, flush };
  }
  const stream = new Stream.Writable({
    decodeStrings: false,
    /** @param {unknown} chunk @param {unknown} _encoding @param {() => void} done */
    write(chunk, _encoding, done) {
      take(chunk);
      done();
    },
  });
  // Whoever pipes into it ends it; others still want to write.
  const end = (/** @type {unknown} */ chunk) => {
    if (typeof chunk === "string" || ArrayBuffer.isView(chunk)) take(chunk);
    return stream;
  };
  return { stream: Object.assign(stream, facts, { end, write: writeChunk }), flush };
}
