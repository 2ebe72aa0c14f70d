import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ResolvedServer } from "../config/expand.ts";
import { KeyholeError } from "../errors.ts";
import { withTimeLimit } from "../process/time-limit.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { VERSION } from "../version.ts";
import type { CallOptions, CallTarget, ProtocolEra, RawToolList, ServerInfo } from "./connection.ts";
import { createDirectCalls } from "./direct-calls.ts";
import { describeFailure, isSdkError } from "./failure.ts";
import { createIntake, type Intake } from "./large/intake.ts";
import { listAllTools, toPage } from "./list-tools.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";
import { rawResult, withRawResults } from "./raw-results.ts";
import { httpTransport, stdioTransport, type TransportLine } from "./transports.ts";
import { type ToolResult, toLargeResult, unwrapResult } from "./unwrap.ts";

/** One live connection, from handshake to close. Who wants it back after it closed opens another one. */
export type McpSession = {
  readonly info: ServerInfo;
  listTools(signal?: AbortSignal): Promise<RawToolList>;
  callTool(tool: CallTarget, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /**
   * Whether the server turned a request away unread because it forgot this session. The protocol says 404; servers that
   * say 400 are common.
   */
  isForgotten(error: unknown): boolean;
  close(): Promise<void>;
};

export type SessionOptions = {
  /** Our own environment, of which a child gets a little. */
  env: NodeJS.ProcessEnv;
  /** Takes secrets out of what a server says; before anything of it is cut, or half a secret would stay. */
  redact(text: string): string;
  /** The same for what a server says as a server, such as its name. */
  redactWords(text: string): string;
  /** The era that the server is known to speak: then it is not asked. */
  era?: ProtocolEra;
  /** When the whole of connecting, second attempts included, must be done (by `Date.now()`). */
  deadlineMs: number;
  signal?: AbortSignal;
  onToolsChanged(): void;
  /** The session ended, by whatever cause; it is called once, and never for a session that did not come about. */
  onClosed(): void;
};

/** Longest time to wait for an answer to `server/discover`: a server that stays silent is of the older era. */
const MAX_PROBE_MS = 5_000;
const MAX_INSTRUCTIONS = 16_000;
const MODERN_REVISION = "2026-07-28";

export async function openSession(server: ResolvedServer, options: SessionOptions): Promise<McpSession> {
  const { protocol } = server.settings;
  const era = protocol === "auto" ? options.era : protocol;
  if (server.transport.type === "stdio") return openStdio(server, { ...options, era });
  if (server.transport.type === "sse") return openSse(server, options);
  try {
    return await open(server, { ...options, era }, (intake) => httpTransport(server, "http", intake));
  } catch (error) {
    if (!asksForOldTransport(error) || Date.now() >= options.deadlineMs) throw error;
    // Unless the server really speaks the older transport, its answer to the newer one is what explains the failure.
    return openSse(server, options).catch(() => {
      throw error;
    });
  }
}

/** The older transport belongs to the older era. */
function openSse(server: ResolvedServer, options: SessionOptions): Promise<McpSession> {
  return open(server, { ...options, era: "legacy" }, (intake) => httpTransport(server, "sse", intake));
}

async function openStdio(server: ResolvedServer, options: SessionOptions): Promise<McpSession> {
  const toLine = (intake: Intake) => stdioTransport(server, { ...options, intake });
  try {
    return await open(server, options, toLine);
  } catch (error) {
    // Some older servers exit on any request before `initialize`. They get a second life without the question.
    const diedOfTheProbe = isSdkError(causeOf(error), SdkErrorCode.EraNegotiationFailed);
    if (!diedOfTheProbe || options.era !== undefined || Date.now() >= options.deadlineMs) throw error;
    return open(server, { ...options, era: "legacy" }, toLine);
  }
}

async function open(
  server: ResolvedServer,
  options: SessionOptions,
  toLine: (intake: Intake) => TransportLine,
): Promise<McpSession> {
  const { settings } = server;
  const requests = createOpenRequests();
  const intake = toIntake(server, requests);
  const line = toLine(intake);
  const direct = createDirectCalls(line.transport, requests);
  const transport = withRawResults(line.transport, requests, direct.take);
  const timeoutMs = Math.max(1, options.deadlineMs - Date.now());
  // Silence over a pipe means the older era; over HTTP it is an outage, so there the question may take all the time.
  const probeMs = line.kind === "stdio" ? Math.min(MAX_PROBE_MS, timeoutMs / 3) : timeoutMs;
  const client = createClient(options.era, probeMs);
  let lastError: Error | undefined;
  let isOpen = false;
  client.onerror = (error) => {
    lastError = error;
  };
  client.onclose = () => {
    direct.close();
    if (isOpen) options.onClosed();
  };
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  const fail = (error: unknown, what: { tool?: string; subject?: string } = {}) =>
    (error instanceof ProtocolError ? intake.takeFailure(error.data) : undefined) ??
    describeFailure(error, {
      server: server.name,
      ...what,
      settings,
      evidence: { ...line.evidence(), lastError },
      redact: options.redact,
      words: options.redactWords,
    });

  await connectInTime(client, transport, timeoutMs, options.signal).catch(async (error: unknown) => {
    // Described first: how a child ends that we end ourselves says nothing.
    const failure = fail(error);
    await line.transport.close().catch(() => {});
    throw failure;
  });
  isOpen = true;
  const isPlain = line.kind === "stdio" && client.getProtocolEra() === "legacy";
  followToolChanges(client);

  return {
    info: describeServer(client, line.kind, options.redactWords),
    async listTools(signal) {
      if (!client.getServerCapabilities()?.tools) {
        return { tools: [], warnings: ["The server offers no tools"] };
      }
      const deadlineMs = Date.now() + settings.connectTimeoutMs;
      const readPage = async (cursor: string | undefined) => {
        const params = cursor === undefined ? {} : { cursor };
        const timeout = Math.max(1, deadlineMs - Date.now());
        const raw = rawResult(await client.request({ method: "tools/list", params }, { signal, timeout }));
        return toPage(intake.take(raw), raw);
      };
      return listAllTools(readPage, deadlineMs, options.redactWords).catch((error) => {
        throw fail(error, { subject: `Cannot read the tools of server "${server.name}"` });
      });
    },
    async callTool(tool, args, { signal, timeoutMs = settings.timeoutMs, onProgress, meta } = {}) {
      const params = { name: tool.name, arguments: args, ...(meta && { _meta: meta }) };
      const isDeclared = tool.outputSchema !== undefined;
      intake.declare(tool.name, isDeclared);
      const called = isPlain
        ? direct.request("tools/call", params, { signal, timeoutMs, onProgress })
        : viaSdk(client, tool, params, { signal, timeoutMs, onProgress });
      const raw = await called.catch((error) => {
        throw fail(error, { tool: tool.name });
      });
      const large = intake.take(raw);
      if (large?.kind === "value") return toLargeResult(large);
      const { parseText: parse } = settings;
      return unwrapResult(server.name, tool.name, raw, { parse, isDeclared, limits: intake.limits });
    },
    isForgotten: (error) =>
      line.transport.sessionId !== undefined && (hasStatus(error, 404) || hasStatus(error, 400)),
    async close() {
      isOpen = false;
      await client.close().catch(() => {});
      await line.transport.close().catch(() => {});
    },
  };
}

function toIntake({ name, settings }: ResolvedServer, requests: OpenRequests): Intake {
  const { maxMessageBytes: maxBytes, maxMessageValues: maxValues, parseText: parse } = settings;
  return createIntake({ server: name, limits: { maxBytes, maxValues }, parse, requests });
}

async function viaSdk(
  client: Client,
  tool: CallTarget,
  params: { name: string; arguments: Record<string, unknown>; _meta?: Readonly<Record<string, string>> },
  { signal, timeoutMs, onProgress }: CallOptions,
): Promise<unknown> {
  const result = await client.callTool(params, {
    signal,
    timeout: timeoutMs,
    resetTimeoutOnProgress: true,
    onprogress: (progress) => onProgress?.(progress),
    // Without an output schema: a result that contradicts it is the caller's to judge, not lost here.
    toolDefinition: toDefinition(tool),
  });
  return rawResult(result);
}

function createClient(era: ProtocolEra | undefined, probeTimeoutMs: number): Client {
  return new Client(
    { name: "keyhole", version: VERSION },
    {
      capabilities: {},
      inputRequired: { autoFulfill: false },
      versionNegotiation: {
        mode: era === "modern" ? { pin: MODERN_REVISION } : (era ?? "auto"),
        probe: { timeoutMs: probeTimeoutMs },
      },
      // Results are never validated here (see `toolDefinition` above), and the default validator costs time to set up.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "Not validated here" }),
      },
    },
  );
}

async function connectInTime(
  client: Client,
  transport: Transport,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  await withTimeLimit(timeoutMs, signal ? [signal] : [], async (stop) => {
    const stopped = new Promise<never>((_, reject) => {
      const refuse = () =>
        reject(
          signal?.aborted
            ? new KeyholeError("cancelled", "Connecting was cancelled")
            : new SdkError(SdkErrorCode.RequestTimeout, "No answer", { timeout: timeoutMs }),
        );
      if (stop.aborted) refuse();
      else stop.addEventListener("abort", refuse, { once: true });
    });
    const connecting = client.connect(transport, { timeout: timeoutMs, signal: stop });
    connecting.catch(() => {});
    await Promise.race([connecting, stopped]);
  });
}

/** In the modern era changes come over a subscription; before it they simply arrive. */
function followToolChanges(client: Client): void {
  if (client.getProtocolEra() !== "modern" || !client.getServerCapabilities()?.tools?.listChanged) return;
  client.listen({ toolsListChanged: true }).catch(() => {
    // The catalogue then learns of changes at the next connect.
  });
}

function describeServer(
  client: Client,
  transport: ServerInfo["transport"],
  redact: (text: string) => string,
): ServerInfo {
  const version = client.getServerVersion();
  return {
    title: version && toExcerpt(redact(version.title ?? version.name)),
    version: version && toExcerpt(redact(version.version), 60),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
    era: client.getProtocolEra() ?? "legacy",
    transport,
    instructions: toPlainText(redact(client.getInstructions() ?? "").slice(0, MAX_INSTRUCTIONS)) || undefined,
  };
}

function toDefinition({ name, inputSchema }: CallTarget): Tool | undefined {
  if (typeof inputSchema !== "object" || inputSchema === null) return undefined;
  return { name, inputSchema: { ...inputSchema, type: "object" } };
}

/** A 4xx to a POST is how a server of the old HTTP+SSE transport says that it has no such endpoint. */
function asksForOldTransport(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    cause instanceof SdkHttpError &&
    cause.status >= 400 &&
    cause.status < 500 &&
    cause.status !== 401 &&
    cause.status !== 403
  );
}

function causeOf(error: unknown): unknown {
  return error instanceof KeyholeError ? error.cause : error;
}

function hasStatus(error: unknown, status: number): boolean {
  const cause = causeOf(error);
  return cause instanceof SdkHttpError && cause.status === status;
}
