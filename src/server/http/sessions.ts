import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createSession, type Session, toClientInfo } from "../../session.ts";
import { CLIENT_GONE } from "../mcp/ask-client.ts";
import type { Refusals } from "./refusals.ts";

export type SessionsOptions = {
  createServer(session: Session): Server;
  readonly refusals: Refusals;
  readonly maxSessions: number;
  /** So many sessions of one principal leave room for others. */
  readonly maxPerPrincipal: number;
  /** A session without a request or a run under way for so long is over. */
  readonly idleMs: number;
  /** Ids of the sessions whose runs go on, answered or not. */
  atWork(): ReadonlySet<string>;
  readonly onOpen?: (session: Session) => void;
  readonly onEnd?: (session: Session) => void;
};

export type Sessions = {
  /** Answers a request of a client of the older protocol era, which has a session. */
  handle(request: Request, principal: string, message: unknown): Promise<Response>;
  count(): number;
  close(): Promise<void>;
};

type OpenSession = {
  /** To other principals than its own it is not there. */
  readonly session: Session;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Responses under way, open streams included. */
  active: number;
  /** Ids of the client's requests that are not answered yet. */
  readonly ids: Set<string | number>;
  /** Whether anything was asked since it was opened. */
  isUsed: boolean;
  expiry: NodeJS.Timeout | undefined;
};

const SESSION_HEADER = "mcp-session-id";

export function createSessions({
  createServer,
  refusals,
  maxSessions,
  maxPerPrincipal,
  idleMs,
  atWork,
  onOpen,
  onEnd,
}: SessionsOptions): Sessions {
  /** Longest unused first. */
  const sessions = new Map<string, OpenSession>();

  async function open(request: Request, principal: string, message: unknown): Promise<Response> {
    // What the client knows it by is a key to it, and stays out of journals.
    const session = createSession({
      principal,
      client: { name: "http" },
      savesFor: "session",
      front: "http",
    });
    const server = createServer(session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, opened);
      },
    });
    const opened: OpenSession = {
      session,
      server,
      transport,
      active: 0,
      ids: new Set(),
      isUsed: false,
      expiry: undefined,
    };
    await server.connect(transport);
    const response = await serve(opened, request, message);
    // A request that opens no session (a wrong one, for instance) leaves nothing behind.
    if (transport.sessionId === undefined) await server.close();
    else {
      onOpen?.({ ...session, client: toClientInfo(server.getClientVersion()) });
      transport.onclose = withForgetting(opened, transport.sessionId);
    }
    return response;
  }

  function withForgetting({ session, transport }: OpenSession, id: string): () => void {
    const tearDown = transport.onclose;
    return () => {
      clearTimeout(sessions.get(id)?.expiry);
      sessions.delete(id);
      onEnd?.(session);
      tearDown?.();
    };
  }

  async function serve(session: OpenSession, request: Request, message: unknown): Promise<Response> {
    const ids = requestIds(message);
    // The answer to the first of two would go to the second.
    if (ids.some((id) => session.ids.has(id)) || new Set(ids).size < ids.length)
      return refusals.toResponse(400, "A request with this id is under way already");
    for (const id of ids) session.ids.add(id);
    session.active++;
    clearTimeout(session.expiry);
    const done = (hasGone: boolean) => {
      if (hasGone) for (const id of ids) cancel(session, id);
      for (const id of ids) session.ids.delete(id);
      rest(session);
    };
    try {
      const parsedBody = message === undefined ? {} : { parsedBody: message };
      return whenDone(await session.transport.handleRequest(request, parsedBody), request.signal, done);
    } catch (error) {
      done(false);
      throw error;
    }
  }

  /** Nobody can get the answer any more: there is no way back to a stream that was left. */
  function cancel({ transport }: OpenSession, id: string | number): void {
    const params = { requestId: id, reason: CLIENT_GONE };
    transport.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    // What is cancelled is not answered, and the transport remembers each request until it is.
    const error = { code: -32_000, message: params.reason };
    transport.send({ jsonrpc: "2.0", id, error }).catch(() => {});
  }

  function rest(session: OpenSession): void {
    session.active--;
    const id = session.transport.sessionId;
    if (session.active > 0 || id === undefined || sessions.get(id) !== session) return;
    sessions.delete(id);
    sessions.set(id, session);
    expireIfIdle(session, isAtWork(session));
  }

  const isAtWork = ({ session }: OpenSession) => atWork().has(session.id);

  /** One whose run went on has the whole time again after that: its client comes for the result. */
  function expireIfIdle(session: OpenSession, wasAtWork: boolean): void {
    session.expiry = setTimeout(() => {
      const isStillAtWork = isAtWork(session);
      if (wasAtWork || isStillAtWork) expireIfIdle(session, isStillAtWork);
      else void session.server.close();
    }, idleMs);
    session.expiry.unref();
  }

  /**
   * Room for one more: first an idle session of the same principal gives way, then any other; of them one that was
   * opened and not used, then the one that was idle longest. One with a request or a run under way never does, and one that
   * only listens does when there is no idle one.
   */
  async function makeRoom(principal: string): Promise<boolean> {
    const all = [...sessions.values()];
    const own = all.filter(({ session }) => session.principal === principal);
    const isFull = own.length >= maxPerPrincipal;
    if (!isFull && all.length < maxSessions) return true;
    const working = atWork();
    const weakest = leastNeeded(own, working) ?? (isFull ? undefined : leastNeeded(all, working));
    await weakest?.server.close();
    return weakest !== undefined;
  }

  return {
    async handle(request, principal, message) {
      const id = request.headers.get(SESSION_HEADER);
      if (id !== null) {
        const session = sessions.get(id);
        if (session?.session.principal !== principal)
          return refusals.toResponse(404, "Session not found: initialize a new one");
        session.isUsed = true;
        return serve(session, request, message);
      }
      if (request.method !== "POST") return refusals.toResponse(400, "The Mcp-Session-Id header is missing");
      if (!(await makeRoom(principal)))
        return refusals.toResponse(503, "Too many sessions are at work; try again later");
      return open(request, principal, message);
    },
    count: () => sessions.size,
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

function leastNeeded(
  sessions: readonly OpenSession[],
  working: ReadonlySet<string>,
): OpenSession | undefined {
  const free = sessions.filter(({ ids, session }) => ids.size === 0 && !working.has(session.id));
  const idle = free.filter(({ active }) => active === 0);
  return idle.find(({ isUsed }) => !isUsed) ?? idle[0] ?? free[0];
}

function requestIds(message: unknown): (string | number)[] {
  return (Array.isArray(message) ? message : [message]).flatMap((one: unknown) => {
    if (typeof one !== "object" || one === null || !("id" in one) || !("method" in one)) return [];
    return typeof one.id === "string" || typeof one.id === "number" ? [one.id] : [];
  });
}

/** The same response, with word given when its body has been sent, or when its reader has gone before. */
function whenDone(response: Response, signal: AbortSignal, done: (hasGone: boolean) => void): Response {
  let isDone = false;
  const finish = (hasGone: boolean) => {
    if (!isDone) done(hasGone);
    isDone = true;
  };
  if (response.body === null) {
    finish(false);
    return response;
  }
  if (signal.aborted) finish(true);
  signal.addEventListener("abort", () => finish(true), { once: true });
  const watched = response.body.pipeThrough(new TransformStream({ flush: () => finish(false) }));
  return new Response(watched, response);
}
