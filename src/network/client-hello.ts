/** What the first message of a TLS client says in the clear. */
export type ClientHello = {
  readonly serverName: string | undefined;
  /** Another name may be meant, which only the server can read. */
  readonly hidesName: boolean;
};

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const ENCRYPTED_CLIENT_HELLO = 0xfe0d;
/** Records and handshake together; with keys of today's sizes it takes about two thousand bytes. */
export const MAX_HELLO_BYTES = 16 * 1024;

/** Undefined until all of it is there; `wrong` where this is no TLS. */
export function readClientHello(bytes: Buffer): ClientHello | "wrong" | undefined {
  const message = joinRecords(bytes);
  if (message === "wrong") return "wrong";
  if (message.length < 4) return undefined;
  if (message[0] !== CLIENT_HELLO) return "wrong";
  const length = message.readUIntBE(1, 3);
  if (length > MAX_HELLO_BYTES) return "wrong";
  if (message.length < 4 + length) return undefined;
  try {
    return readExtensions(message.subarray(4, 4 + length));
  } catch {
    // A length in it leads over its end.
    return "wrong";
  }
}

/** What the records at the start hold of the handshake, as far as it is there. */
function joinRecords(bytes: Buffer): Buffer | "wrong" {
  const pieces: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== HANDSHAKE) return pieces.length > 0 ? Buffer.concat(pieces) : "wrong";
    if (at + 1 < bytes.length && bytes[at + 1] !== 3) return "wrong";
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > MAX_HELLO_BYTES) return "wrong";
    pieces.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return Buffer.concat(pieces);
}

function readExtensions(hello: Buffer): ClientHello | "wrong" {
  // version, random, session id, cipher suites, compression methods
  let at = 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  if (at === hello.length) return { serverName: undefined, hidesName: false };
  const end = at + 2 + hello.readUInt16BE(at);
  if (end !== hello.length) return "wrong";
  at += 2;
  const names: string[] = [];
  let hidesName = false;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    const body = hello.subarray(at + 4, at + 4 + length);
    if (body.length !== length) return "wrong";
    if (type === ENCRYPTED_CLIENT_HELLO) hidesName = true;
    if (type === SERVER_NAME) names.push(readServerName(body));
    at += 4 + length;
  }
  return names.length > 1 ? "wrong" : { serverName: names[0], hidesName };
}

/** A list of one: type (0, a host's name), length, name. */
function readServerName(body: Buffer): string {
  const length = body.readUInt16BE(3);
  const isOne = body.readUInt16BE(0) === 3 + length && body.length === 5 + length && body[2] === 0;
  if (!isOne) throw new RangeError("Not one name");
  return body.toString("latin1", 5).toLowerCase().replace(/\.$/, "");
}
