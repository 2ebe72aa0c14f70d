import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

export type SessionsOptions = {
  createServer(): Server;
  readonly maxSessions: number;
  /** A session without a request under way for so long is over. */
  readonly idleMs: number;
  readonly maxBodyBytes: number;
  readonly onEnd?: (id: string) => void;
};

export type Sessions = {
  /** Answers a request of a client of the older protocol era, which has a session. */
  handle(request: Request): Promise<Response>;
  count(): number;
  close(): Promise<void>;
};

type Session = {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Responses under way, open streams included. */
  active: number;
  expiry: NodeJS.Timeout | undefined;
};

const SESSION_HEADER = "mcp-session-id";

export function createSessions({
  createServer,
  maxSessions,
  idleMs,
  maxBodyBytes,
  onEnd,
}: SessionsOptions): Sessions {
  /** Longest unused first. */
  const sessions = new Map<string, Session>();

  async function open(request: Request): Promise<Response> {
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
    });
    const session: Session = { server, transport, active: 0, expiry: undefined };
    await server.connect(transport);
    const response = await serve(session, request);
    // A request that opens no session (a wrong one, for instance) leaves nothing behind.
    if (transport.sessionId === undefined) await server.close();
    else transport.onclose = withForgetting(transport, transport.sessionId);
    return response;
  }

  function withForgetting(transport: WebStandardStreamableHTTPServerTransport, id: string): () => void {
    const tearDown = transport.onclose;
    return () => {
      clearTimeout(sessions.get(id)?.expiry);
      sessions.delete(id);
      onEnd?.(id);
      tearDown?.();
    };
  }

  async function serve(session: Session, request: Request): Promise<Response> {
    session.active++;
    clearTimeout(session.expiry);
    try {
      return whenDone(await session.transport.handleRequest(request), request.signal, () => rest(session));
    } catch (error) {
      rest(session);
      throw error;
    }
  }

  function rest(session: Session): void {
    session.active--;
    const id = session.transport.sessionId;
    if (session.active > 0 || id === undefined || sessions.get(id) !== session) return;
    sessions.delete(id);
    sessions.set(id, session);
    session.expiry = setTimeout(() => void session.server.close(), idleMs);
    session.expiry.unref();
  }

  /** Room for one more: the session that has been idle longest gives way; one that is at work never does. */
  async function makeRoom(): Promise<boolean> {
    if (sessions.size < maxSessions) return true;
    const idle = [...sessions.values()].find(({ active }) => active === 0);
    await idle?.server.close();
    return sessions.size < maxSessions;
  }

  return {
    async handle(request) {
      const id = request.headers.get(SESSION_HEADER);
      if (id !== null) {
        const session = sessions.get(id);
        return session ? serve(session, request) : refuse(404, "Session not found: initialize a new one");
      }
      if (request.method !== "POST") return refuse(400, "The Mcp-Session-Id header is missing");
      if (!(await makeRoom())) return refuse(503, "Too many sessions are at work; try again later");
      return open(request);
    },
    count: () => sessions.size,
    async close() {
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}

/** The same response, with word given when its body has been sent, or when its reader has gone. */
function whenDone(response: Response, signal: AbortSignal, done: () => void): Response {
  let isDone = false;
  const finish = () => {
    if (!isDone) done();
    isDone = true;
  };
  if (response.body === null) {
    finish();
    return response;
  }
  if (signal.aborted) finish();
  signal.addEventListener("abort", finish, { once: true });
  const watched = response.body.pipeThrough(new TransformStream({ flush: finish }));
  return new Response(watched, response);
}

export function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status, headers });
}
