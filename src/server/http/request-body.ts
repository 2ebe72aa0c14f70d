import type { IncomingMessage } from "node:http";
import { weighMessage } from "./message-weight.ts";

export type Body =
  | { readonly ok: true; readonly message: unknown; readonly bytes: number }
  | { readonly ok: false; readonly status: number; readonly problem: string };

/** Reads a message, no more of it than is taken, and parses it once; undefined when its sender has gone. */
export async function readMessage(request: IncomingMessage, maxBytes: number): Promise<Body | undefined> {
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
  if (problem !== undefined) return refuse(413, problem);
  try {
    return { ok: true, message: JSON.parse(body.toString("utf8")), bytes };
  } catch {
    return refuse(400, "Parse error: the body is not valid JSON");
  }
}

function tooLarge(maxBytes: number): Body {
  return refuse(413, `The body must not be larger than ${maxBytes} bytes`);
}

function refuse(status: number, problem: string): Body {
  return { ok: false, status, problem };
}
