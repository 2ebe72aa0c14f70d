// Numbers of ../../../protocol.json.
const OPEN = 9;
const DATA = 10;
const END = 11;
const CREDIT = 13;
const CLOSE = 14;
const WINDOW_BYTES = 128 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * @typedef {object} Channel a stream of bytes to the host
 * @property {() => Promise<Uint8Array | null>} read null at its end
 * @property {(bytes: Uint8Array) => Promise<void>} write
 * @property {() => void} end
 * @property {() => void} close
 */

/**
 * Streams of bytes over the frames to the host, which has the other ends of them: the proxy.
 * @param {Pick<import("../load-modules.js").Context, "frames" | "onStreamFrame">} context
 */
export function createStreams({ frames, onStreamFrame }) {
  /** @type {Map<number, { take(type: number, payload: Uint8Array): void }>} */
  const open = new Map();
  const decoder = new TextDecoder();
  let lastId = 0;

  onStreamFrame((type, id, payload) => open.get(id)?.take(type, payload));

  /** @returns {Channel} */
  return function openStream() {
    const id = ++lastId;
    /** @type {Uint8Array[]} */
    const waiting = [];
    let sendable = WINDOW_BYTES;
    let hasEnded = false;
    /** @type {Error | undefined} */
    let closed;
    let wakeReader = () => {};
    let wakeWriter = () => {};

    /** @param {string} reason as the host gives it: a code, a blank, and the words */
    function onClosed(reason) {
      open.delete(id);
      const [, code = "unreachable", why = "the connection was lost"] = /^(\w+) (.*)$/s.exec(reason) ?? [];
      closed ??= Object.assign(new TypeError(why), { code });
      wakeReader();
      wakeWriter();
    }

    open.set(id, {
      take(type, payload) {
        if (type === DATA) waiting.push(payload.slice());
        else if (type === END) hasEnded = true;
        else if (type === CLOSE) return onClosed(decoder.decode(payload));
        else if (type === CREDIT) {
          sendable += new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true);
          return wakeWriter();
        }
        wakeReader();
      },
    });
    frames.send(OPEN, id, "");

    return {
      async read() {
        for (;;) {
          const next = waiting.shift();
          if (next) {
            if (open.has(id)) frames.sendBytes(CREDIT, id, toCredit(next.length));
            return next;
          }
          if (hasEnded) return null;
          if (closed) throw closed;
          await new Promise((resolve) => {
            wakeReader = () => resolve(undefined);
          });
        }
      },
      async write(bytes) {
        for (let at = 0; at < bytes.length; ) {
          if (closed) throw closed;
          const piece = bytes.subarray(at, at + Math.min(sendable, PIECE_BYTES));
          if (piece.length > 0) frames.sendBytes(DATA, id, piece);
          sendable -= piece.length;
          at += piece.length;
          if (sendable > 0 || at === bytes.length) continue;
          await new Promise((resolve) => {
            wakeWriter = () => resolve(undefined);
          });
        }
      },
      end() {
        if (open.has(id)) frames.send(END, id, "");
      },
      close() {
        if (!open.has(id)) return;
        frames.send(CLOSE, id, "");
        onClosed("unreachable the connection was closed");
      },
    };
  };
}

/** @param {number} bytes */
function toCredit(bytes) {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, bytes, true);
  return payload;
}
