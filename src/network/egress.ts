import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { toKeyholeError } from "../errors.ts";
import { randomId } from "../text/random-id.ts";
import type {
  EgressAlert,
  EgressSource,
  NetworkUse,
  OpeningConnection,
  WebConnection,
} from "./connection.ts";
import { dial } from "./dial.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { forward, OWN_HEADER } from "./forward.ts";
import { createGate } from "./gate.ts";
import { createLookup, type Resolve } from "./lookup.ts";
import { createMinuteLimit } from "./rate-limit.ts";
import { readConnect, readForward } from "./request.ts";
import type { WebTarget } from "./rules.ts";
import { createRunAccount, type RunAccount } from "./run-account.ts";
import type { NetworkSettings } from "./settings.ts";
import { tunnel } from "./tunnel.ts";

/** The way out for programs: an HTTP proxy (CONNECT and absolute-form) in which nothing is allowed that no rule names. */
export type Egress = {
  /** Whether any host can be reached at all. */
  readonly isOpen: boolean;
  /** @param onConnection told of each attempt when it is over */
  open(source: EgressSource, onConnection?: (connection: WebConnection) => void, onOpen?: OnOpen): EgressRun;
  close(): void;
};

/** Told before anything leaves; where it throws, nothing does. */
export type OnOpen = (connection: OpeningConnection) => void | Promise<void>;

/** One run's way out. */
export type EgressRun = {
  /** Serves one client, which may send any bytes: one request, or one tunnel. */
  accept(stream: Duplex): void;
  readonly use: NetworkUse;
  close(): void;
};

export type EgressOptions = {
  onAlert?(alert: EgressAlert): void;
  /** How names are looked up; else as the system does. */
  readonly resolve?: Resolve;
};

const HEAD_MS = 10_000;
const IDLE_MS = 60_000;
const LIFE_MS = 15 * 60_000;
const LINGER_MS = 1_000;
const HEAD_BYTES = 16 * 1024;
const CONNECTIONS_OF_RUN = 16;
const CONNECTIONS = 256;
/** Those that were refused and linger, and those that have not said what they want, are among them. */
const CLIENTS_OF_RUN = 64;

const STATUS = { denied: 403, limit: 429, unreachable: 502, malformed: 400 } as const;

/** A run, and what is known of one of its clients. */
type Client = {
  readonly run: OpenRun;
  readonly stream: Duplex;
  isUsed: boolean;
  /** The answer has begun: what goes wrong later only the end of the stream can tell. */
  isAnswered: boolean;
  /** Something was sent or received. */
  touch(): void;
};

type OpenRun = {
  readonly source: EgressSource;
  readonly account: RunAccount;
  readonly clients: Set<Client>;
  readonly ending: AbortController;
  /** Its connections that were let through. */
  open: number;
  readonly onConnection: ((connection: WebConnection) => void) | undefined;
  readonly onOpen: OnOpen | undefined;
};

export function createEgress(settings: NetworkSettings, options: EgressOptions = {}): Egress {
  const gate = createGate(settings.allow, settings.deny);
  const lookup = createLookup(options.resolve);
  const waitOf = createMinuteLimit(settings.perMinute);
  const runs = new Set<OpenRun>();
  const clients = new WeakMap<object, Client>();
  let open = 0;

  // It never listens: what it serves is handed to it. Its own time-outs hold only for who listens, so ours do.
  const server = createServer({
    maxHeaderSize: HEAD_BYTES,
    insecureHTTPParser: false,
    keepAliveTimeout: 0,
    // We look at it ourselves, and tell of it.
    requireHostHeader: false,
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const client = take(request.socket);
    if (client) void serveForward(client, request, response);
  });
  server.on("connect", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const client = take(stream);
    if (client) void serveTunnel(client, request, head);
  });
  server.on("checkExpectation", (request: IncomingMessage) => {
    const client = take(request.socket);
    if (client) turnAway(client, new EgressError("malformed", "nothing is expected of the proxy"));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, stream) => {
    const client = clients.get(stream);
    const isFirst = client?.isUsed === false;
    if (client) client.isUsed = true;
    // The parser's own: what is lost on the way was no attempt.
    if (client && isFirst && error.code?.startsWith("HPE_"))
      turnAway(client, new EgressError("malformed", "this is no HTTP request"));
    else client?.stream.destroy();
  });

  /** A second request on one stream is none that an honest client sends: it was told that the first is the last. */
  function take(stream: object): Client | undefined {
    const client = clients.get(stream);
    if (client?.isUsed === false) {
      client.isUsed = true;
      client.touch();
      return client;
    }
    if (client) tellRefused(client.run, new EgressError("malformed", "one connection is for one request"));
    client?.stream.destroy();
    return undefined;
  }

  function turnAway(client: Client, failure: EgressError): void {
    tellRefused(client.run, failure);
    refuse(client, failure);
  }

  /** Of what never became a request. */
  function tellRefused({ account, source, onConnection }: OpenRun, failure: EgressError): void {
    account.refuse(failure);
    const { reason, message } = failure;
    const nowhere = { host: "", port: 0, protocol: "http" } as const;
    const nothing = { sentBytes: 0, receivedBytes: 0, ms: 0 };
    onConnection?.({
      runId: source.runId,
      ...nowhere,
      decision: "deny",
      failure: { reason, message },
      ...nothing,
    });
  }

  async function serveTunnel(client: Client, request: IncomingMessage, head: Buffer): Promise<void> {
    const { stream } = client;
    await serve(
      client,
      () => readConnect(request),
      async (target, reach, count) => {
        const socket = await reach();
        client.isAnswered = true;
        try {
          await tunnel(stream, socket, head, target, count);
        } finally {
          socket.destroy();
        }
      },
    );
  }

  async function serveForward(
    client: Client,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    await serve(
      client,
      () => readForward(request),
      async ({ authority, path }, reach, count) => {
        const socket = await reach();
        try {
          await forward(request, response, socket, { authority, path }, count);
        } finally {
          client.isAnswered = response.headersSent;
          socket.destroy();
        }
      },
    );
  }

  type Count = RunAccount["count"];

  /** Decides, reaches, has the work done, and tells of it. Whatever goes wrong ends this client alone. */
  async function serve<T extends WebTarget>(
    client: Client,
    read: () => T,
    work: (target: T, reach: () => ReturnType<typeof dial>, count: Count) => Promise<void>,
  ): Promise<void> {
    const { run, stream } = client;
    const startedAt = performance.now();
    const moved = { sent: 0, received: 0 };
    const ending = new AbortController();
    const signal = AbortSignal.any([run.ending.signal, ending.signal]);
    stream.once("close", () => ending.abort());
    let target: T | undefined;
    let failure: EgressError | undefined;
    let isReached = false;
    let id: string | undefined;

    const count: Count = (direction, bytes) => {
      client.touch();
      moved[direction] += bytes;
      run.account.count(direction, bytes);
    };

    try {
      const wanted = read();
      target = wanted;
      const rule = gate.admit(wanted);
      // By the rule, not by the name: `*.example.org` has names without end.
      assertRate(`${run.source.principal} ${rule.text}`, rule.text);
      takeRoom(client);
      id = await tellOpened(run, wanted);
      const addresses = await lookup(wanted.host, run.source.runId, signal);
      gate.admitAddresses(wanted, addresses);
      run.account.admit(wanted.host.name);
      const reach = async () => {
        const socket = await dial(wanted, addresses, signal);
        isReached = true;
        signal.addEventListener("abort", () => socket.destroy(), { once: true });
        return socket;
      };
      await work(wanted, reach, count);
    } catch (error) {
      failure = toEgressError(error);
      if (isDenied(failure, isReached)) run.account.refuse(failure);
      refuse(client, failure);
    }
    const connection: WebConnection = {
      runId: run.source.runId,
      ...(id === undefined ? {} : { id }),
      host: target?.host.name ?? "",
      port: target?.port ?? 0,
      protocol: target?.protocol ?? "http",
      decision: isDenied(failure, isReached) ? "deny" : "allow",
      ...(failure === undefined ? {} : { failure: { reason: failure.reason, message: failure.message } }),
      sentBytes: moved.sent,
      receivedBytes: moved.received,
      ms: performance.now() - startedAt,
    };
    run.onConnection?.(connection);
  }

  /** Whoever can't write it down stands in its way. */
  async function tellOpened({ onOpen }: OpenRun, { host, port }: WebTarget): Promise<string | undefined> {
    if (onOpen === undefined) return undefined;
    const id = randomId("n");
    try {
      await onOpen({ id, host: host.name, port });
    } catch (error) {
      throw new EgressError("denied", toKeyholeError(error).message, "untold");
    }
    return id;
  }

  function assertRate(key: string, name: string): void {
    const waitMs = waitOf(key);
    if (waitMs === undefined) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new EgressError(
      "limit",
      `more than ${settings.perMinute} requests a minute to "${name}" (network.perMinute): wait ${seconds} s`,
    );
  }

  function takeRoom({ run, stream }: Client): void {
    if (run.open >= CONNECTIONS_OF_RUN)
      throw new EgressError("limit", `more than ${CONNECTIONS_OF_RUN} connections at once`);
    if (open >= CONNECTIONS)
      throw new EgressError("limit", "all programs together have too many connections open: try again later");
    run.open++;
    open++;
    stream.once("close", () => {
      run.open--;
      open--;
    });
  }

  function accept(run: OpenRun, stream: Duplex): void {
    let idle = setTimeout(() => end("nothing was asked for in time"), HEAD_MS);
    const life = setTimeout(() => end(`a connection lasts ${LIFE_MS / 60_000} minutes at most`), LIFE_MS);
    const client: Client = {
      run,
      stream,
      isUsed: false,
      isAnswered: false,
      touch() {
        clearTimeout(idle);
        if (!stream.destroyed) idle = setTimeout(() => end("nothing came for a minute"), IDLE_MS);
      },
    };
    function end(why: string): void {
      stream.destroy(new EgressError("limit", why));
    }
    run.clients.add(client);
    clients.set(stream, client);
    stream.on("error", () => {});
    stream.once("close", () => {
      clearTimeout(idle);
      clearTimeout(life);
      run.clients.delete(client);
    });
    if (run.ending.signal.aborted) stream.destroy();
    else if (run.clients.size > CLIENTS_OF_RUN) {
      const failure = new EgressError("limit", `more than ${CLIENTS_OF_RUN} connections at once`);
      tellRefused(run, failure);
      stream.destroy(failure);
    } else server.emit("connection", stream);
  }

  return {
    isOpen: settings.allow.length > 0,
    open(source, onConnection, onOpen) {
      const account = createRunAccount(source, settings, (alert) => options.onAlert?.(alert));
      const run: OpenRun = {
        source,
        account,
        clients: new Set(),
        ending: new AbortController(),
        open: 0,
        onConnection,
        onOpen,
      };
      runs.add(run);
      return {
        accept: (stream) => accept(run, stream),
        get use() {
          return account.use;
        },
        close: () => close(run),
      };
    },
    close() {
      for (const run of runs) close(run);
    },
  };

  function close(run: OpenRun): void {
    runs.delete(run);
    run.ending.abort();
    for (const { stream } of run.clients) stream.destroy();
    run.account.end();
  }
}

/** A limit that is met on the way ends what was allowed. */
function isDenied(failure: EgressError | undefined, isReached: boolean): boolean {
  if (failure === undefined || failure.reason === "unreachable") return false;
  return failure.reason !== "limit" || !isReached;
}

/** As an HTTP answer while there is none yet. */
function refuse({ stream, isAnswered }: Client, failure: EgressError): void {
  if (stream.destroyed) return;
  if (isAnswered || stream.writableEnded) {
    stream.destroy(failure);
    return;
  }
  const { reason, message } = failure;
  const body = `${message}\n`;
  const head = [
    `HTTP/1.1 ${STATUS[reason]} ${reason}`,
    `${OWN_HEADER}: ${reason}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  // The rest of what it sends is taken and thrown away: closed at once, the answer could be lost on its way.
  stream.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => stream.resume());
  setTimeout(() => stream.destroy(), LINGER_MS).unref();
}
