import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import { openRequestSpan } from "../../engine/audit/request-span.ts";
import type { Engine, RunRequest } from "../../engine/engine.ts";
import { isRunEvent } from "../../engine/events/event.ts";
import type { Subscription } from "../../engine/events/events.ts";
import { type Session, toClientInfo } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { VERSION } from "../../version.ts";
import { parseRunArguments, parseSearchArguments } from "./arguments.ts";
import { createAsker, createLeaving } from "./ask-client.ts";
import type { HeldCall, HeldCalls, HeldRequest } from "./held-calls.ts";
import { createOutgoingServer } from "./outlet.ts";
import { createProgress } from "./progress.ts";
import { serveSkills } from "./skills/serve-skills.ts";
import { EXECUTE_CODE, INSTRUCTIONS, SEARCH_TOOLS } from "./texts.ts";
import { toFailedAnswer, toRefusal, toRunResult, toSearchResult } from "./tool-result.ts";
import type { TrustQuestions } from "./trust/trust-questions.ts";

export type FrontContext = {
  readonly engine: Engine;
  /** Whose requests these are; who the client is comes with them. */
  readonly session: Session;
  /** Those of all clients of this front: a call and the one that goes on with it have a server each. */
  readonly held: HeldCalls;
  /** Where its client may stand for the local user: what the folder brings is asked for. */
  readonly trust: TrustQuestions | undefined;
  /** How its client reaches it. */
  readonly transport: "pipe" | "tcp";
  readonly onError: (error: Error) => void;
};

/** The two tools never change, whatever stands behind them. */
const LIST_LIFETIME_MS = 60 * 60 * 1000;
/** It is sent back with each message. */
const MAX_PROGRESS_TOKEN = 256;

/** One MCP server with the two tools: for a connection (stdio), a session or a single request (HTTP). */
export function createFront(context: FrontContext): Server {
  const server = createOutgoingServer(
    context.engine.outboxOf(context.session.principal),
    { name: "keyhole", title: "Keyhole", version: VERSION },
    {
      capabilities: {
        tools: {},
        resources: { listChanged: true },
        prompts: { listChanged: true },
        extensions: { [SKILLS_EXTENSION_ID]: {} },
      },
      instructions: INSTRUCTIONS,
      cacheHints: { "tools/list": { ttlMs: LIST_LIFETIME_MS, cacheScope: "public" } },
    },
  );
  server.onerror = context.onError;
  server.onclose = serveSkills(server, context.engine.skills.offered, context.session);
  server.oninitialized = () => {
    context.engine.sessionSeen({ ...context.session, client: toClientInfo(server.getClientVersion()) });
  };
  server.setRequestHandler("tools/list", (_, request) => {
    context.engine.sessionSeen({ ...context.session, client: toClient(server, request) });
    return { tools: [SEARCH_TOOLS, EXECUTE_CODE] };
  });
  server.setRequestHandler("tools/call", async ({ params }, request) => {
    const call = CALLS.get(params.name);
    const span = openRequestSpan(context.engine.telemetry, {
      tool: call && params.name,
      meta: request.mcpReq._meta,
      id: request.mcpReq.id,
      transport: context.transport,
      protocolVersion: server.getNegotiatedProtocolVersion(),
      session: context.session,
    });
    if (call === undefined) {
      span.end({ errorType: String(ProtocolErrorCode.InvalidParams) });
      throw unknownTool(params.name);
    }
    try {
      const session = { ...context.session, client: toClient(server, request) };
      const asking = toAsking(server, request);
      const asked = { asking, ...(await toTrusting(context, asking, request, session.client)) };
      const more = { session, ...asked, trace: span.context };
      const answer = await call(params.arguments ?? {}, request, { ...context, ...more });
      span.end(answer["isError"] === true ? { errorType: TOOL_ERROR } : {});
      return answer;
    } catch (error) {
      span.end({ errorType: TOOL_ERROR });
      context.onError(error instanceof Error ? error : new Error(String(error)));
      return toFailedAnswer(error);
    }
  });
  return server;
}

/** As the conventions for traces call an answer that says it failed. */
const TOOL_ERROR = "tool_error";

type CallContext = FrontContext & Trusting & { readonly asking: Asking; readonly trace: RunRequest["trace"] };

type Trusting = {
  /** By which the call goes on with one of before. */
  readonly state: unknown;
  /** Asks for what the folder brings, where that is to be asked for before the call. */
  askTrust(): Promise<InputRequiredResult | undefined>;
};

async function toTrusting(
  { trust, session }: FrontContext,
  asking: Asking,
  { mcpReq }: ServerContext,
  client: Session["client"],
): Promise<Trusting> {
  const state: unknown = mcpReq.requestState();
  if (trust === undefined || asking === "not at all") return { state, askTrust: async () => undefined };
  const isAnswer =
    typeof state === "string" &&
    (await trust.answer(session, state, { client, responses: mcpReq.inputResponses ?? {} }));
  // A call that brings any other state is past this.
  const askTrust = async () =>
    state === undefined || isAnswer
      ? trust.ask(session, asking, { client, send: mcpReq.send, signal: mcpReq.signal })
      : undefined;
  return { state: isAnswer ? undefined : state, askTrust };
}

type Call = (
  args: Record<string, unknown>,
  request: ServerContext,
  context: CallContext,
) => Promise<CallToolResult | InputRequiredResult>;

const CALLS: ReadonlyMap<string, Call> = new Map([
  [SEARCH_TOOLS.name, searchTools],
  [EXECUTE_CODE.name, executeCode],
]);

async function searchTools(
  args: Record<string, unknown>,
  _request: ServerContext,
  { engine, session, askTrust }: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const parsed = parseSearchArguments(args);
  if ("problem" in parsed) return toRefusal("usage", parsed.problem);
  const question = await askTrust();
  if (question !== undefined) return question;
  return toSearchResult(await engine.search(parsed.request, session));
}

async function executeCode(
  args: Record<string, unknown>,
  request: ServerContext,
  { engine, session, held, asking, state, askTrust, trace }: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const parsed = parseRunArguments(args);
  if ("problem" in parsed) return toRefusal("usage", parsed.problem);
  if (asking !== "by result" && state !== undefined) return toRefusal("usage", NOT_OPEN);
  const question = await askTrust();
  if (question !== undefined) return question;
  const asked = { ...parsed.request, session, trace, model: toModel(request) };
  const progress = toProgress(request, engine);
  try {
    if (asking !== "by result") {
      const askPerson = asking === "by request" ? createAsker(request, session, engine.command) : undefined;
      const { signal, follow } = createLeaving(request.mcpReq.signal, engine.runs.isAsking);
      const onStart = (runId: string) => {
        follow(runId);
        progress?.follow(runId);
      };
      return toRunResult(await engine.answer({ ...asked, signal, askPerson, onStart }));
    }
    const call = await findHeld(asked, state, request, held);
    if (call === undefined) return toRefusal("usage", NOT_OPEN);
    const answer = await call.next(request.mcpReq.signal, progress?.follow ?? (() => {}));
    return answer.kind === "asks" ? answer.result : toRunResult(answer.run);
  } finally {
    await progress?.end();
  }
}

const NOT_OPEN =
  "This question is not open here any more. Call again without requestState: the same program goes on from where it was, if it waits for a person";

async function findHeld(
  asked: HeldRequest,
  state: unknown,
  { mcpReq }: ServerContext,
  held: HeldCalls,
): Promise<HeldCall | undefined> {
  if (state === undefined) return held.begin(asked);
  return typeof state === "string" ? held.take(state, asked, mcpReq.inputResponses ?? {}) : undefined;
}

/** How the person who uses the client can be asked: by a request while a call is under way, or by the call's result. */
type Asking = "by request" | "by result" | "not at all";

function toAsking(server: Server, { mcpReq }: ServerContext): Asking {
  const envelope: unknown = mcpReq.envelope;
  const isNewer = isRecord(envelope) && isRecord(envelope[CLIENT_CAPABILITIES_META_KEY]);
  const said: unknown = isNewer ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const elicitation = isRecord(said) ? said["elicitation"] : undefined;
  if (!isRecord(elicitation)) return "not at all";
  // Without a word about how, it is by forms.
  if (!isRecord(elicitation["form"]) && elicitation["url"] !== undefined) return "not at all";
  return isNewer ? "by result" : "by request";
}

/** Nothing when the client did not ask for progress. */
function toProgress({ mcpReq }: ServerContext, { events }: Engine): FollowedRun | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined || String(progressToken).length > MAX_PROGRESS_TOKEN) return undefined;
  const progress = createProgress((message) =>
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, ...message } }),
  );
  let watching: Subscription | undefined;
  return {
    follow(runId) {
      watching = events.subscribe({ runId }, (event) => {
        if (isRunEvent(event)) progress.report(event);
      });
    },
    async end() {
      watching?.end();
      await progress.end();
    },
  };
}

type FollowedRun = { follow(runId: string): void; end(): Promise<void> };

/** In the newer era each request says who the client is, in the older one its first. */
function toClient(server: Server, { mcpReq }: ServerContext): Session["client"] {
  const envelope: unknown = mcpReq.envelope;
  const said = isRecord(envelope) ? envelope[CLIENT_INFO_META_KEY] : undefined;
  return toClientInfo(isRecord(said) ? said : server.getClientVersion());
}

/** Which model has called, where the client tells: by our key, or by that of OpenTelemetry's conventions. */
const MODEL_KEYS = ["keyhole/model", "gen_ai.request.model"];
const MAX_MODEL = 100;

function toModel({ mcpReq }: ServerContext): string | undefined {
  const meta: unknown = mcpReq._meta;
  const said = isRecord(meta)
    ? MODEL_KEYS.map((key) => meta[key]).find((one) => typeof one === "string")
    : undefined;
  const text = typeof said === "string" ? toExcerpt(said, MAX_MODEL).trim() : "";
  return text === "" ? undefined : text;
}

function unknownTool(name: string): ProtocolError {
  const message = `Unknown tool ${JSON.stringify(toExcerpt(name, 100))}: call the functions of servers in a program, by execute_code`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
