import type { Readable, Writable } from "node:stream";

/** What the host and the process that reads programs say to each other: JSON, and texts and numbers beside it as bytes. */
export type Message<Header> = { readonly header: Header; readonly parts: readonly Buffer[] };

const LENGTH = 4;

/** @param header JSON */
export function sendMessage(output: Writable, header: string, parts: readonly Uint8Array[] = []): void {
  const text = Buffer.from(header);
  const pieces: Uint8Array[] = [toLength(text.length), text];
  for (const part of parts) pieces.push(toLength(part.length), part);
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  output.write(Buffer.concat([toLength(size), ...pieces]));
}

/**
 * @param maxBytes of one message
 * @param onBroken told when a message is longer than allowed, or none; nothing is read after that
 */
export function readMessages<Header = unknown>(
  input: Readable,
  maxBytes: number,
  onMessage: (message: Message<Header>) => void,
  onBroken: () => void,
): void {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = LENGTH;
  let isBroken = false;

  function fail(): void {
    isBroken = true;
    chunks = [];
    onBroken();
  }

  input.on("data", (chunk: Buffer) => {
    if (isBroken) return;
    chunks.push(chunk);
    have += chunk.length;
    // Joined once there is enough: a long message comes in many chunks.
    while (!isBroken && have >= need) {
      const bytes = Buffer.concat(chunks, have);
      const size = bytes.readUInt32LE(0);
      if (size > maxBytes) return fail();
      need = LENGTH + size;
      chunks = [bytes];
      if (have < need) return;
      const message = parse<Header>(bytes.subarray(LENGTH, need));
      if (message === undefined) return fail();
      const rest = bytes.subarray(need);
      chunks = rest.length === 0 ? [] : [rest];
      have = rest.length;
      need = LENGTH;
      onMessage(message);
    }
  });
}

function toLength(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(LENGTH);
  bytes.writeUInt32LE(length);
  return bytes;
}

function parse<Header>(bytes: Buffer): Message<Header> | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + LENGTH + (at + LENGTH <= bytes.length ? bytes.readUInt32LE(at) : bytes.length);
    if (end > bytes.length) return undefined;
    parts.push(bytes.subarray(at + LENGTH, end));
    at = end;
  }
  const [header, ...others] = parts;
  if (header === undefined) return undefined;
  try {
    return { header: JSON.parse(header.toString("utf8")), parts: others };
  } catch {
    return undefined;
  }
}
