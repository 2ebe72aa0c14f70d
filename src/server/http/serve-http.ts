import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { BlockList, isIP } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Engine } from "../../engine/engine.ts";
import { ANYBODY } from "../../engine/skills/offered-skills.ts";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { createSharedSession, LOCAL_PRINCIPAL, type PrincipalToken } from "../../session.ts";
import { createFront } from "../mcp/front.ts";
import { createHeldCalls } from "../mcp/held-calls.ts";
import { createTrustQuestions } from "../mcp/trust/trust-questions.ts";
import { toPieces } from "./answer-pieces.ts";
import { createApprovalsApi } from "./approvals-api.ts";
import { isUsableToken } from "./bearer-token.ts";
import { createConnections } from "./connections.ts";
import { createGuard } from "./http-guard.ts";
import { createMetricsPage } from "./metrics-page.ts";
import { createRefusals } from "./refusals.ts";
import { readMessage } from "./request-body.ts";
import { createRequestBudget } from "./request-budget.ts";
import { createSessions } from "./sessions.ts";
import { createUnread } from "./unread.ts";

export type HttpOptions = {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Whose requests are taken: each is the principal's whose token it carries. */
  readonly tokens?: readonly PrincipalToken[];
  /** Who may answer approvals, at `/approvals`; no client's token is among them. */
  readonly approvers?: readonly PrincipalToken[];
  /** Whether a request without a token is taken as the local user's; on loopback only. */
  readonly isOpen?: boolean;
  /** Further host names under which the front is reached, by a proxy, for example. */
  readonly allowedHosts?: readonly string[];
  readonly maxBodyBytes?: number;
  readonly maxSessions?: number;
  readonly sessionIdleMs?: number;
  readonly maxConnections?: number;
  /** A connection that has not sent a request's headers by then is ended. */
  readonly headersTimeoutMs?: number;
  /** Told of what goes wrong outside of any request. */
  readonly onError?: (error: Error) => void;
};

export type HttpFront = {
  readonly url: string;
  /** Ends the runs of clients still connected, and returns when the port is free. The engine stays open. */
  close(): Promise<void>;
};

const PATH = "/mcp";
const METRICS_PATH = "/metrics";
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 256;
const SESSION_IDLE_MS = 30 * 60 * 1000;
const MAX_CONNECTIONS = 2_048;
const MAX_STRANGERS_PER_ADDRESS = 512;
const HEADERS_TIMEOUT_MS = 5_000;
/** For the body too. */
const REQUEST_TIMEOUT_MS = 30_000;
const STALLED_MS = 30_000;
const MAX_HEADERS = 100;
/** Of one principal, answered or not yet; a program that waits for its turn is one of them. */
const MAX_REQUESTS = 1_024;
const MAX_REQUEST_BYTES = 128 * 1024 * 1024;
/** Bytes of answers that wait to be read; the largest answer has some 7 MB. */
const UNREAD = {
  maxBytes: 64 * 1024 * 1024,
  maxPrincipalBytes: 16 * 1024 * 1024,
  maxAnswerBytes: 16 * 1024 * 1024,
  minBytesPerSecond: 64 * 1024,
  patienceMs: STALLED_MS,
};
const SLOW_SWEEP_EVERY_MS = 1_000;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Serves any number of clients by Streamable HTTP: the newer era without state, the older one in sessions. */
export async function serveHttp(engine: Engine, options: HttpOptions): Promise<HttpFront> {
  const { host = "127.0.0.1", port = 0, maxBodyBytes = MAX_BODY_BYTES, onError = () => {} } = options;
  const { tokens = [], approvers = [], isOpen = false, allowedHosts = [] } = options;
  const isLoopback = isLoopbackHost(host);
  assertAccess(tokens, isOpen, isLoopback);
  assertApprovers(approvers, tokens);
  // Without state each principal has one session, as long as this front is there.
  const stateless = new Map(
    [LOCAL_PRINCIPAL, ...tokens.map(({ principal }) => principal)].map((principal) => [
      principal,
      createSharedSession("http", { principal, client: { name: "http" } }),
    ]),
  );
  const held = createHeldCalls(engine);
  // Without a token, anybody on this machine would be the local user.
  const trust = isOpen ? undefined : createTrustQuestions(engine, onError);
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const session = stateless.get(authInfo?.clientId ?? "");
      if (session === undefined) throw new KeyholeError("internal", "A request is nobody's");
      return createFront({ engine, session, held, trust, transport: "tcp", onError });
    },
    { legacy: "reject", maxRequestBodySize: maxBodyBytes, onerror: onError },
  );
  const stopTelling = engine.skills.offered.onUpdate(ANYBODY, () => {
    modern.notify.resourcesChanged();
    modern.notify.promptsChanged();
  });
  const { maxSessions = MAX_SESSIONS, sessionIdleMs: idleMs = SESSION_IDLE_MS } = options;
  const principals = new Set([
    ...tokens.map(({ principal }) => principal),
    ...(isOpen ? [LOCAL_PRINCIPAL] : []),
  ]);
  const refusals = createRefusals(engine.outboxOf());
  const sessions = createSessions({
    refusals,
    createServer: (session) => createFront({ engine, session, held, trust, transport: "tcp", onError }),
    maxSessions,
    maxPerPrincipal: Math.ceil(maxSessions / principals.size),
    idleMs,
    atWork: () => sessionsAtWork(engine),
    onOpen: engine.sessionSeen,
    onEnd: (session) => void engine.endSession(session),
  });
  const onRefused = (reason: string, { socket }: IncomingMessage) =>
    engine.loginRefused({ front: "http", reason, from: socket.remoteAddress });
  const admit = createGuard({
    onRefused,
    isLoopback,
    tokens,
    anonymous: isOpen ? LOCAL_PRINCIPAL : undefined,
    allowedHosts,
    refusals,
  });
  const unread = createUnread(UNREAD);
  const sweep = setInterval(unread.endSlow, SLOW_SWEEP_EVERY_MS);
  sweep.unref();
  const budget = createRequestBudget({ maxRequests: MAX_REQUESTS, maxBytes: MAX_REQUEST_BYTES });

  async function take(request: IncomingMessage, response: ServerResponse, principal: string): Promise<void> {
    const isPost = request.method === "POST";
    if (!unread.hasRoom(principal)) {
      response.shouldKeepAlive = false;
      return refusals.write(
        response,
        503,
        "Too much of earlier answers is unread: read them, then try again",
      );
    }
    const announced = isPost ? Number(request.headers["content-length"] ?? maxBodyBytes) : 0;
    const share = budget.begin(principal, announced);
    if (share === undefined)
      return refusals.write(response, 503, "Too many requests are under way; try again later");
    response.once("close", share.end);
    const body = isPost ? await readMessage(request, maxBodyBytes) : undefined;
    if (isPost && body === undefined) return;
    if (body?.ok === false) {
      response.shouldKeepAlive = false;
      return refusals.write(response, body.status, body.problem);
    }
    share.setBytes(body?.bytes ?? 0);
    const message = body?.message;
    // The message is parsed, and goes by the side of the request; what the adapter makes of its body is not read.
    const respond = async (web: Request): Promise<Response> => {
      const isLegacy = await isLegacyRequest(web, message);
      if (isLegacy) return sessions.handle(web, principal, message);
      const authInfo = { token: "", clientId: principal, scopes: [] };
      return modern.fetch(web, { authInfo, ...(isPost && { parsedBody: message }) });
    };
    const waiting = unread.begin(principal, () => request.socket.destroy());
    response.once("close", waiting.end);
    const route = async (web: Request): Promise<Response> => {
      const whole = await refusals.pass(await respond(web));
      return whole.body === null ? whole : new Response(toPieces(whole.body, web.signal, waiting), whole);
    };
    await toNodeHandler({ fetch: route }, { onerror: onError })(request, response, isPost ? {} : undefined);
  }

  const approvals = createApprovalsApi({
    engine,
    onRefused,
    refusals,
    approvers,
    clientTokens: tokens,
    isLoopback,
    allowedHosts,
    begin: ({ socket }, response) => response.once("close", connections.begin(socket)),
  });

  const metrics = createMetricsPage(engine, refusals);

  const http = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(1_000, options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS),
    },
    (request: IncomingMessage, response: ServerResponse) => {
      const answered = approvals(request, response);
      if (answered !== undefined) return void answered.catch(onError);
      const principal = admit(request, response);
      if (principal === undefined) return;
      response.once("close", connections.begin(request.socket));
      const path = (request.url ?? "").split("?")[0];
      if (path === METRICS_PATH && metrics !== undefined) return metrics(request, response);
      if (path !== PATH) return refusals.write(response, 404, `There is nothing here; MCP is at ${PATH}`);
      take(request, response, principal).catch(onError);
    },
  );
  http.maxHeadersCount = MAX_HEADERS;
  const connections = createConnections(http, {
    max: options.maxConnections ?? MAX_CONNECTIONS,
    maxStrangersPerAddress: MAX_STRANGERS_PER_ADDRESS,
    stalledMs: STALLED_MS,
  });
  await listen(http, host, port);
  return {
    url: toUrl(http, host),
    async close() {
      stopTelling();
      const freed = new Promise<void>((resolve) => http.close(() => resolve()));
      await Promise.all([modern.close(), sessions.close()]);
      connections.close();
      clearInterval(sweep);
      http.closeAllConnections();
      await freed;
    },
  };
}

function sessionsAtWork({ runs }: Engine): Set<string> {
  const underWay = runs.list().filter(({ status }) => status !== "done" && status !== "failed");
  return new Set(underWay.map(({ session }) => session));
}

function isLoopbackHost(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === "localhost" : LOOPBACK.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** A client could answer for its model otherwise. */
function assertApprovers(approvers: readonly PrincipalToken[], clients: readonly PrincipalToken[]): void {
  assertStrong(approvers);
  const both = approvers.find(({ token }) => clients.some((client) => client.token === token));
  if (both === undefined) return;
  throw new KeyholeError("usage", `The token of the approver "${both.principal}" is a client's too`, {
    hint: "Give approvers a token of their own in http.approvers, and to no client",
  });
}

function assertStrong(tokens: readonly PrincipalToken[]): void {
  const weak = tokens.find(({ token }) => !isUsableToken(token));
  if (weak === undefined) return;
  const message = `The bearer token of "${weak.principal}" must have at least 16 characters, without spaces`;
  throw new KeyholeError("usage", message, {
    hint: "Take the output of: openssl rand -base64 32 (the local user's token is KEYHOLE_TOKEN)",
  });
}

function assertAccess(tokens: readonly PrincipalToken[], isOpen: boolean, isLoopback: boolean): void {
  assertStrong(tokens);
  if (isOpen && !isLoopback) {
    throw new KeyholeError("usage", "Without a token the gateway serves this machine only", {
      hint: 'Take "open" out of the config\'s "http", or serve at 127.0.0.1',
    });
  }
  if (tokens.length > 0 || isOpen) return;
  throw new KeyholeError("usage", "Nobody could use the gateway: there is no token", {
    hint: "Give tokens",
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
