import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { EgressError, toEgressError } from "./egress-error.ts";
import { createByteMeter } from "./meter.ts";
import type { BytesDirection } from "./run-account.ts";

/** Says in an answer that it is the proxy's own, and why. No server can say so: theirs is taken away. */
export const OWN_HEADER = "keyhole-egress";

/** Of one connection only, or ours to set. */
const NOT_HANDED_ON = new Set([
  ...[
    "connection",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "expect",
    "http2-settings",
  ],
  ...["host", "proxy-authorization", "proxy-authenticate", "proxy-connection", OWN_HEADER],
]);

export type ForwardTarget = { readonly authority: string; readonly path: string };

/**
 * One request, written anew from what was read of the program's: where its head or body ends is said by us, so no two readers
 * can disagree about it.
 */
export async function forward(
  asked: IncomingMessage,
  response: ServerResponse,
  server: Socket,
  { authority, path }: ForwardTarget,
  count: (direction: BytesDirection, bytes: number) => void,
): Promise<void> {
  let excess: EgressError | undefined;
  let unread: EgressError | undefined;
  // On the socket, for heads that come before the answer's and the frames of its body are bytes as well.
  server.on("data", (chunk: Buffer) => {
    try {
      if (excess === undefined) count("received", chunk.length);
    } catch (error) {
      excess = toEgressError(error);
      server.destroy();
      if (response.headersSent) response.destroy(excess);
    }
  });
  const headers = handedOn(asked.rawHeaders);
  const isChunked = asked.headers["transfer-encoding"] !== undefined;
  count("sent", headBytes(asked.rawHeaders) + path.length);
  const sent = httpRequest({
    createConnection: () => server,
    method: asked.method ?? "GET",
    path,
    setHost: false,
    headers: [
      ...["host", authority],
      ...headers.flat(),
      ...["connection", "close"],
      ...(isChunked ? ["transfer-encoding", "chunked"] : []),
    ],
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    // They stay: an error that comes later must have a listener.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The parser's own.
      if (error.code?.startsWith("HPE_")) unread = new EgressError("unreachable", UNREAD);
      reject(excess ?? unread ?? unreachable());
    });
    sent.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new EgressError("unreachable", "the server wants to speak another protocol than HTTP/1.1"));
    });
    sent.once("close", () => reject(excess ?? unread ?? unreachable()));
  });
  const sending = pipeline(
    asked,
    createByteMeter((bytes) => count("sent", bytes)),
    sent,
  );
  // A server may answer before it has read all; what is left then is of no interest.
  sending.catch(() => {});
  const answer = await Promise.race([answered, sending.then(() => answered)]);
  if (excess !== undefined) throw excess;
  // Before the pipeline ends it with words that are not ours.
  answer.on("error", () => response.destroy(excess ?? unread ?? incomplete()));
  response.on("error", () => {});
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", [
    ...handedOn(answer.rawHeaders).flat(),
    ...["connection", "close"],
  ]);
  await pipeline(answer, response).catch((error: unknown) => {
    throw excess ?? unread ?? error;
  });
}

function handedOn(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""]);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(",")
        .map((name) => name.trim()),
    );
  // Where the body ends must be said in any case.
  const dropped = new Set([...NOT_HANDED_ON, ...named.filter((name) => name !== "content-length")]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()));
}

function headBytes(raw: readonly string[]): number {
  return raw.reduce((sum, text) => sum + text.length + 2, 64);
}

const UNREAD = "the server's answer can't be read: it is no HTTP/1.1, or not clear in where its parts end";

function incomplete(): EgressError {
  return new EgressError("unreachable", "the connection was lost before the answer was complete");
}

function unreachable(): EgressError {
  return new EgressError("unreachable", "the server ended the connection without an answer");
}
