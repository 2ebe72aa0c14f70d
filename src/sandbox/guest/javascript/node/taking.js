import { fromLatin1, toLatin1 } from "./latin1.js";

/** @typedef {import("../load-modules.js").Taking} Taking */
/** @typedef {import("./http-client.js").Head} Head */

/** A frame with more ends the run. */
const MAX_ASKED_BYTES = 15 * 1024 * 1024;

/**
 * In a world of tokens, what comes from the network is the host's before it is the program's: personal values in it become
 * tokens there, and what only looks like a token gets its tilde. TLS ends here, so the host can't see it by itself.
 * @param {Taking} taking
 */
export function createTaking({ classes, take }) {
  const { parse, stringify } = JSON;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const lookalike = new RegExp(`((?:${classes.join("|")})_)(?=~*\\d)`, "gi");

  /** @param {{ text: string } | { json: unknown }} asked */
  async function ask(asked) {
    const text = stringify(asked);
    if (text.length * 3 > MAX_ASKED_BYTES && encoder.encode(text).length > MAX_ASKED_BYTES)
      throw Object.assign(
        new TypeError("it is longer than what can be looked at for personal values: ask for less at once"),
        { code: "limit" },
      );
    return take(asked);
  }

  /** @param {string} text */
  async function takeText(text) {
    const json = readJson(text);
    if (json !== undefined) {
      try {
        // Written anew: of two members with one name, the text has both and the value that was looked at has one.
        return stringify(await ask({ json: json.value }));
      } catch {
        // Nested too deep for a value, or too many of them: it is a text, too.
      }
    }
    return String(await ask({ text }));
  }

  /** @param {string} text */
  function readJson(text) {
    try {
      return { value: parse(text) };
    } catch {
      return undefined;
    }
  }

  /** @param {Uint8Array} bytes */
  function readText(bytes) {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }

  /**
   * Text of another encoding is read by its bytes, and keeps all that are no personal value. Images and the like only get their tildes.
   * @param {Uint8Array} bytes
   */
  async function takeBytes(bytes) {
    const text = readText(bytes);
    if (text !== undefined) return text === "" ? bytes : encoder.encode(await takeText(text));
    const letters = fromLatin1(bytes);
    return toLatin1(isBinary(bytes) ? letters.replace(lookalike, "$1~") : await takeText(letters));
  }

  return {
    /**
     * All of a body is there before any of it is given: a value may lie across two pieces.
     * @param {ReadableStream} stream
     * @param {(error: unknown) => unknown} explain
     */
    body(stream, explain) {
      const reader = stream.getReader();
      return new ReadableStream(
        {
          async pull(controller) {
            const bytes = await readAll(reader);
            const taken = await takeBytes(bytes).catch((error) => {
              throw explain(error);
            });
            if (taken.length > 0) controller.enqueue(taken);
            controller.close();
          },
          cancel: (reason) => reader.cancel(reason),
        },
        { highWaterMark: 0 },
      );
    },

    /**
     * @param {Head} head
     * @param {string} path
     * @returns {Promise<{ head: Head, path: string }>}
     */
    async head({ status, statusText, headers }, path) {
      const json = { statusText, path, headers: headers.map(([name, value]) => ({ [name]: value })) };
      const taken = /** @type {typeof json} */ (await ask({ json }));
      const shown = taken.headers.flatMap((header) => Object.entries(header));
      return { head: { status, statusText: taken.statusText, headers: shown }, path: taken.path };
    },
  };
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function readAll(reader) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Text has no controls but tab, line ends and escape, in any encoding that is not read in pairs of bytes.
 * @param {Uint8Array} bytes
 */
function isBinary(bytes) {
  return bytes.some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b);
}
