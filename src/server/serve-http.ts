import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { BlockList, isIP } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Engine } from "../engine/engine.ts";
import { errorMessage, KeyholeError } from "../errors.ts";
import { createToken, isUsableToken } from "./bearer-token.ts";
import { createFront } from "./front.ts";
import { answer, createGuard } from "./http-guard.ts";
import { createSessions } from "./sessions.ts";

export type HttpOptions = {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /**
   * Demanded of every request; by default the environment's KEYHOLE_TOKEN. On an address that others can reach there
   * always is one: this, or one made here.
   */
  readonly token?: string;
  /** Further host names under which the front is reached, by a proxy for one. */
  readonly allowedHosts?: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxSessions?: number;
  readonly sessionIdleMs?: number;
  /** Told of what goes wrong outside of any request. */
  readonly onError?: (error: Error) => void;
};

export type HttpFront = {
  readonly url: string;
  /** The token to show to the user; absent when none is demanded. */
  readonly token?: string;
  /** Ends the runs of clients still connected, and returns when the port is free. The engine stays open. */
  close(): Promise<void>;
};

const PATH = "/mcp";
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 256;
const SESSION_IDLE_MS = 30 * 60 * 1000;
const MAX_CONNECTIONS = 1_024;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Serves any number of clients by Streamable HTTP: the newer era without state, the older one in sessions. */
export async function serveHttp(engine: Engine, options: HttpOptions = {}): Promise<HttpFront> {
  const { host = "127.0.0.1", port = 0, maxBodyBytes = MAX_BODY_BYTES, onError = () => {} } = options;
  const isLoopback = isLoopbackHost(host);
  const given = options.token ?? (process.env["KEYHOLE_TOKEN"] || undefined);
  const token = given ?? (isLoopback ? undefined : createToken());
  assertToken(token);
  const createFrontServer = () => createFront({ engine, session: "http", onError });
  const modern = createMcpHandler(createFrontServer, {
    legacy: "reject",
    maxRequestBodySize: maxBodyBytes,
    onerror: onError,
  });
  const { maxSessions = MAX_SESSIONS, sessionIdleMs: idleMs = SESSION_IDLE_MS } = options;
  const sessions = createSessions({
    createServer: createFrontServer,
    maxSessions,
    idleMs,
    maxBodyBytes,
    onEnd: (id) => void engine.endResultScope(id),
  });
  const handle = toNodeHandler({ fetch: route }, { maxRequestBodySize: maxBodyBytes, onerror: onError });
  const mayPass = createGuard({ isLoopback, token, allowedHosts: options.allowedHosts ?? [] });

  async function route(request: Request): Promise<Response> {
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: maxBodyBytes });
    return isLegacy ? sessions.handle(request) : modern.fetch(request);
  }

  const http = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!mayPass(request, response)) return;
    const path = (request.url ?? "").split("?")[0];
    if (path !== PATH) return answer(response, 404, `There is nothing here; MCP is at ${PATH}`);
    handle(request, response).catch(onError);
  });
  http.maxConnections = MAX_CONNECTIONS;
  await listen(http, host, port);
  return {
    url: toUrl(http, host),
    ...(token !== undefined && { token }),
    async close() {
      const freed = new Promise<void>((resolve) => http.close(() => resolve()));
      await Promise.all([modern.close(), sessions.close()]);
      http.closeAllConnections();
      await freed;
    },
  };
}

function isLoopbackHost(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === "localhost" : LOOPBACK.check(host, version === 4 ? "ipv4" : "ipv6");
}

function assertToken(token: string | undefined): void {
  if (token === undefined || isUsableToken(token)) return;
  throw new KeyholeError("usage", "The bearer token must have at least 16 characters, without spaces", {
    hint: "Set KEYHOLE_TOKEN to the output of: openssl rand -base64 32",
  });
}

async function listen(http: HttpServer, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error) => {
      const message = `Cannot listen on ${host}:${port}: ${errorMessage(error)}`;
      reject(new KeyholeError("usage", message, { hint: "Choose another port or host", cause: error }));
    });
    http.listen({ host, port }, resolve);
  });
}

function toUrl(http: HttpServer, host: string): string {
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}${PATH}`;
}
