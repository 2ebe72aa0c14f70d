import type { IncomingMessage } from "node:http";
import { weighMessage } from "./message-weight.ts";

export type Body = { readonly ok: true; readonly message: unknown; readonly bytes: number } | RefusedBody;

export type RefusedBody = { readonly ok: false; readonly status: number; readonly problem: string };

/** Reads a message, no more of it than is taken, and parses it once; undefined when its sender has gone. */
export async function readMessage(request: IncomingMessage, maxBytes: number): Promise<Body | undefined> {
  const read = await readBodyText(request, maxBytes);
  if (!read?.ok) return read;
  try {
    return { ok: true, message: JSON.parse(read.text), bytes: read.bytes };
  } catch {
    return refuse(400, "Parse error: the body is not valid JSON");
  }
}

/** The same, not parsed yet: a signature is over the bytes. */
export async function readBodyText(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly ok: true; readonly text: string; readonly bytes: number } | RefusedBody | undefined> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? ""))
    return refuse(415, "Content-Type must be application/json");
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > maxBytes) return tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  const body = Buffer.concat(chunks);
  const problem = weighMessage(body);
  return problem === undefined ? { ok: true, text: body.toString("utf8"), bytes } : refuse(413, problem);
}

function tooLarge(maxBytes: number): RefusedBody {
  return refuse(413, `The body must not be larger than ${maxBytes} bytes`);
}

function refuse(status: number, problem: string): RefusedBody {
  return { ok: false, status, problem };
}
