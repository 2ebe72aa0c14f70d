import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Engine } from "../../engine/engine.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { VERSION } from "../../version.ts";
import { parseRunArguments, parseSearchArguments } from "./arguments.ts";
import { createOutgoingServer } from "./outlet.ts";
import { createProgress, type RunProgress } from "./progress.ts";
import { EXECUTE_CODE, INSTRUCTIONS, NO_PYTHON, SEARCH_TOOLS } from "./texts.ts";
import { toFailedAnswer, toRefusal, toRunResult, toSearchResult } from "./tool-result.ts";

export type FrontContext = {
  readonly engine: Engine;
  /** Whoever the client is authenticated as. */
  readonly principal: string;
  /** For which session runs are made where the transport does not know sessions. */
  readonly session?: string;
  readonly onError: (error: Error) => void;
};

/** The two tools never change, whatever stands behind them. */
const LIST_LIFETIME_MS = 60 * 60 * 1000;
/** It is sent back with each message. */
const MAX_PROGRESS_TOKEN = 256;

/** One MCP server with the two tools: for a connection (stdio), a session or a single request (HTTP). */
export function createFront(context: FrontContext): Server {
  const server = createOutgoingServer(
    context.engine.outbox,
    { name: "keyhole", title: "Keyhole", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { "tools/list": { ttlMs: LIST_LIFETIME_MS, cacheScope: "public" } },
    },
  );
  server.onerror = context.onError;
  server.setRequestHandler("tools/list", () => ({ tools: [SEARCH_TOOLS, EXECUTE_CODE] }));
  server.setRequestHandler("tools/call", async ({ params }, request) => {
    const call = CALLS.get(params.name);
    if (call === undefined) throw unknownTool(params.name);
    try {
      return await call(params.arguments ?? {}, request, context);
    } catch (error) {
      context.onError(error instanceof Error ? error : new Error(String(error)));
      return toFailedAnswer(error);
    }
  });
  return server;
}

type Call = (
  args: Record<string, unknown>,
  request: ServerContext,
  context: FrontContext,
) => Promise<CallToolResult>;

const CALLS: ReadonlyMap<string, Call> = new Map([
  [SEARCH_TOOLS.name, searchTools],
  [EXECUTE_CODE.name, executeCode],
]);

async function searchTools(
  args: Record<string, unknown>,
  { sessionId }: ServerContext,
  { engine, principal, session }: FrontContext,
): Promise<CallToolResult> {
  const parsed = parseSearchArguments(args);
  if ("problem" in parsed) return toRefusal("usage", parsed.problem);
  return toSearchResult(await engine.search(parsed.request, { principal, session: sessionId ?? session }));
}

async function executeCode(
  args: Record<string, unknown>,
  request: ServerContext,
  context: FrontContext,
): Promise<CallToolResult> {
  const parsed = parseRunArguments(args);
  if ("problem" in parsed) return toRefusal("usage", parsed.problem);
  if (parsed.request.language === "python") return toRefusal("language_unavailable", NO_PYTHON);
  const progress = toProgress(request);
  try {
    const run = await context.engine.run({
      ...parsed.request,
      principal: context.principal,
      session: request.sessionId ?? context.session,
      ...(request.sessionId !== undefined && { resultScope: request.sessionId }),
      signal: request.mcpReq.signal,
      ...(progress && { onEvent: progress.report }),
    });
    return toRunResult(run);
  } finally {
    await progress?.end();
  }
}

/** Nothing when the client did not ask for progress. */
function toProgress({ mcpReq }: ServerContext): RunProgress | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || String(progressToken).length > MAX_PROGRESS_TOKEN) return undefined;
  return createProgress((message) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...message } }),
  );
}

function unknownTool(name: string): ProtocolError {
  const message = `Unknown tool ${JSON.stringify(toExcerpt(name, 100))}: call the functions of servers in a program, by execute_code`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
