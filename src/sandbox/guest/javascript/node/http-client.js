import { fromLatin1, toLatin1 } from "./latin1.js";

/** @typedef {import("./host-streams.js").Channel} Channel */
/** @typedef {{ status: number, statusText: string, headers: [string, string][] }} Head */
/** @typedef {() => Promise<Uint8Array | null>} Read */

const MAX_HEAD = 64 * 1024;
const encoder = new TextEncoder();

/**
 * Sends a request, one for each connection, and reads the head of its answer.
 * @param {Channel} channel
 * @param {{ method: string, target: string, headers: readonly [string, string][], body?: Uint8Array | ReadableStream }} request
 * @returns {Promise<{ head: Head, read: Read }>}
 */
export async function exchange(channel, { method, target, headers, body }) {
  const isStream = body !== undefined && !(body instanceof Uint8Array);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isStream ? ["transfer-encoding: chunked"] : []),
    ...(body instanceof Uint8Array ? [`content-length: ${body.length}`] : []),
    "connection: close",
  ];
  const sending = send(channel, toLatin1(`${lines.join("\r\n")}\r\n\r\n`), body);
  // A server may answer, and close, before it has read all of a body.
  sending.catch(() => {});
  const input = createInput(channel.read);
  const head = await readHead(input);
  return { head, read: bodyOf(input, method, head) };
}

/**
 * @param {Channel} channel
 * @param {Uint8Array} head
 * @param {Uint8Array | ReadableStream | undefined} body
 */
async function send(channel, head, body) {
  await channel.write(head);
  if (body === undefined) return;
  if (body instanceof Uint8Array) return body.length === 0 ? undefined : channel.write(body);
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const bytes = typeof value === "string" ? encoder.encode(value) : value;
    if (!(bytes instanceof Uint8Array)) throw new TypeError("a body's stream must give bytes");
    if (bytes.length === 0) continue;
    await channel.write(encoder.encode(`${bytes.length.toString(16)}\r\n`));
    await channel.write(bytes);
    await channel.write(CRLF);
  }
  await channel.write(encoder.encode("0\r\n\r\n"));
}

const CRLF = encoder.encode("\r\n");

/**
 * What has been read and not yet used.
 * @param {Read} read
 */
function createInput(read) {
  let held = new Uint8Array();
  let hasEnded = false;

  async function more() {
    const next = hasEnded ? null : await read();
    if (next === null) {
      hasEnded = true;
      return false;
    }
    const joined = new Uint8Array(held.length + next.length);
    joined.set(held);
    joined.set(next, held.length);
    held = joined;
    return true;
  }

  /** @param {number} count */
  function take(count) {
    const taken = held.subarray(0, count);
    held = held.subarray(count);
    return taken;
  }

  return {
    /** A line without its end. */
    async line() {
      for (let from = 0; ; ) {
        const end = held.indexOf(10, from);
        if (end >= 0) return fromLatin1(take(end + 1)).replace(/\r?\n$/, "");
        from = held.length;
        if (held.length > MAX_HEAD) throw unreachable("the answer's head is too long");
        if (!(await more())) throw unreachable("the connection was lost before the answer was complete");
      }
    },
    /**
     * Some bytes, no more than these; null when there are no more.
     * @param {number} most
     */
    async some(most) {
      if (held.length === 0 && !(await more())) return null;
      return take(most);
    },
  };
}

/**
 * @param {ReturnType<typeof createInput>} input
 * @returns {Promise<Head>}
 */
async function readHead(input) {
  for (;;) {
    const first = await input.line();
    const [, code, statusText = ""] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(first) ?? [];
    if (code === undefined) throw unreachable("the server does not speak HTTP/1.1");
    /** @type {[string, string][]} */
    const headers = [];
    let length = 0;
    for (let line = await input.line(); line !== ""; line = await input.line()) {
      length += line.length;
      if (length > MAX_HEAD) throw unreachable("the answer's head is too long");
      const at = line.indexOf(":");
      if (at > 0) headers.push([line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]);
    }
    const status = Number(code);
    // Words on the way: 100 Continue, 103 Early Hints.
    if (status >= 200) return { status, statusText, headers };
  }
}

/**
 * @param {ReturnType<typeof createInput>} input
 * @param {string} method
 * @param {Head} head
 * @returns {Read}
 */
function bodyOf(input, method, { status, headers }) {
  if (method === "HEAD" || status === 204 || status === 304) return async () => null;
  const codings = valuesOf(headers, "transfer-encoding");
  const lengths = new Set(valuesOf(headers, "content-length"));
  const [length] = lengths;
  // Where two things are said of where it ends, two readers would read two answers.
  const isPlain = lengths.size === 0 || (lengths.size === 1 && /^[0-9]{1,15}$/.test(length ?? ""));
  const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === "chunked";
  if (!isPlain || (codings.length > 0 && (!isChunked || length !== undefined)))
    throw unreachable("it can't be told where the answer ends");
  if (isChunked) return chunked(input);
  if (length === undefined) return () => input.some(PIECE);
  let left = Number(length);
  return async () => {
    if (left === 0) return null;
    const piece = await input.some(Math.min(left, PIECE));
    if (piece === null) throw unreachable("the connection was lost before the answer was complete");
    left -= piece.length;
    return piece;
  };
}

const PIECE = 256 * 1024;

/**
 * @param {readonly [string, string][]} headers
 * @param {string} name
 */
function valuesOf(headers, name) {
  return headers
    .filter(([key]) => key === name)
    .flatMap(([, value]) => value.split(",").map((one) => one.trim()));
}

/**
 * @param {ReturnType<typeof createInput>} input
 * @returns {Read}
 */
function chunked(input) {
  let left = 0;
  let hasEnded = false;
  return async () => {
    if (hasEnded) return null;
    if (left === 0) {
      const [, size] = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(await input.line()) ?? [];
      if (size === undefined) throw unreachable("the answer's body can't be read");
      left = Number.parseInt(size, 16);
      if (left === 0) {
        hasEnded = true;
        while ((await input.line()) !== "");
        return null;
      }
    }
    const piece = await input.some(Math.min(left, PIECE));
    if (piece === null) throw unreachable("the connection was lost before the answer was complete");
    left -= piece.length;
    if (left === 0) await input.line();
    return piece;
  };
}

/**
 * What the other side has to do with, by the word that the proxy has for it.
 * @param {string} message
 */
export function unreachable(message) {
  return Object.assign(new TypeError(message), { code: "unreachable" });
}
