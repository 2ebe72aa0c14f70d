import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import type { Duplex, Readable } from "node:stream";
import { KeyholeError } from "../../../errors.ts";
import { isRecord } from "../../../text/is-record.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { type DaemonAddress, showAddress } from "./daemon-address.ts";

const ANSWER_BYTES = 1024 * 1024;
/** From the first byte to the last: who sends a little now and then does not answer. */
const TIMEOUT_MS = 30_000;

/** The few things that we ask of a daemon. What it answers is bounded, and belongs to nobody we trust. */
export type DockerApi = {
  readonly address: DaemonAddress;
  ask(method: string, path: string, options?: AskOptions): Promise<DaemonAnswer>;
  /** The same, where anything but a success is a failure. `what`: as in "Docker can't …". */
  must(what: string, method: string, path: string, options?: AskOptions): Promise<unknown>;
  /** A connection that is a stream of bytes from then on. */
  upgrade(what: string, path: string, body?: unknown): Promise<Duplex>;
  close(): void;
};

export type AskOptions = {
  /** JSON, or an archive. */
  readonly body?: unknown;
  readonly archive?: Readable;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type DaemonAnswer = { readonly status: number; readonly value: unknown };

export function createDockerApi(
  address: DaemonAddress,
  { timeoutMs: usualMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): DockerApi {
  const tls = address.kind === "tcp" ? address.tls : undefined;
  const agent = tls
    ? new SecureAgent({ keepAlive: true, maxSockets: 16, ...tls })
    : new Agent({ keepAlive: true, maxSockets: 16 });
  const place =
    address.kind === "socket" ? { socketPath: address.path } : { host: address.host, port: address.port };

  function begin(
    method: string,
    path: string,
    { body, archive, signal, timeoutMs = usualMs }: AskOptions,
    { headers, onFailure }: { readonly headers: object; onFailure(error: Error): void },
  ): ClientRequest {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const all = {
      Host: "docker",
      ...(text === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
      ...(archive ? { "Content-Type": "application/x-tar" } : {}),
      ...(text === undefined && !archive && method === "POST" ? { "Content-Length": 0 } : {}),
      ...headers,
    };
    const asked = (tls ? requestHttps : requestHttp)({
      ...place,
      ...tls,
      // A connection that is upgraded is nobody else's any more.
      agent: "Upgrade" in headers ? false : agent,
      method,
      path,
      headers: all,
      ...(signal ? { signal } : {}),
    });
    asked.on("error", onFailure);
    const late = setTimeout(() => {
      onFailure(new Error(`No answer within ${timeoutMs} ms`));
      asked.destroy();
    }, timeoutMs);
    let isAnswered = false;
    asked.once("response", () => {
      isAnswered = true;
    });
    asked.once("close", () => {
      clearTimeout(late);
      // One that wants to speak another protocol, for example.
      if (!isAnswered) onFailure(new Error("It closed the connection without an answer"));
    });
    if (archive) archive.on("error", (error) => asked.destroy(error)).pipe(asked);
    else asked.end(text);
    return asked;
  }

  function ask(method: string, path: string, options: AskOptions = {}): Promise<DaemonAnswer> {
    return new Promise((resolve, reject) => {
      const asked = begin(method, path, options, { headers: {}, onFailure: reject });
      asked.on("response", (response) => readAnswer(response).then(resolve, reject));
    });
  }

  return {
    address,
    ask,
    async must(what, method, path, options) {
      const { status, value } = await ask(method, path, options).catch((error: unknown) => {
        throw unreachable(what, address, error);
      });
      if (status >= 200 && status < 400) return value;
      throw refused(what, { status, value });
    },
    upgrade(what, path, body) {
      return new Promise((resolve, reject) => {
        const asked = begin(
          "POST",
          path,
          { body },
          {
            headers: { Connection: "Upgrade", Upgrade: "tcp" },
            onFailure: (error) => reject(unreachable(what, address, error)),
          },
        );
        asked.on("response", (response) => {
          readAnswer(response)
            .then((answer) => reject(refused(what, answer)), reject)
            .finally(() => asked.destroy());
        });
        asked.on("upgrade", (_response, socket: Duplex, head: Buffer) => {
          if ("setNoDelay" in socket && typeof socket.setNoDelay === "function") socket.setNoDelay(true);
          if (head.length > 0) socket.unshift(head);
          resolve(socket);
        });
      });
    },
    close: () => agent.destroy(),
  };
}

async function readAnswer(response: IncomingMessage): Promise<DaemonAnswer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    bytes += piece.length;
    if (bytes > ANSWER_BYTES) throw new Error(`An answer of more than ${ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return { status: response.statusCode ?? 0, value: toValue(Buffer.concat(pieces).toString("utf8")) };
}

/** What tells of progress is a line each: the last one counts. */
function toValue(text: string): unknown {
  const last = text.trim().split("\n").at(-1) ?? "";
  for (const one of [text, last]) {
    try {
      return JSON.parse(one);
    } catch {}
  }
  return text;
}

function refused(what: string, { status, value }: DaemonAnswer): KeyholeError {
  const said = isRecord(value) && typeof value["message"] === "string" ? value["message"] : "";
  return new KeyholeError(
    "server_misbehaved",
    `Docker can't ${what}: ${toExcerpt(said, 500) || `it answered ${status}`}`,
  );
}

function unreachable(what: string, address: DaemonAddress, error: unknown): KeyholeError {
  const why = toExcerpt(error instanceof Error ? error.message : String(error));
  return new KeyholeError(
    "server_unreachable",
    `Cannot ${what}: Docker is not reached at "${showAddress(address)}" (${why})`,
    { hint: "Run keyhole doctor" },
  );
}
