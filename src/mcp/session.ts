import {
  Client,
  type PriorDiscovery,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ResolvedServer } from "../config/expand.ts";
import { KeyholeError } from "../errors.ts";
import { VERSION } from "../version.ts";
import type { CallOptions, CallTarget, RawToolList, ServerInfo } from "./connection.ts";
import { describeFailure, hasCode } from "./failure.ts";
import { listAllTools } from "./list-tools.ts";
import { toPlainText } from "./plain-text.ts";
import { rawResult, withRawResults } from "./raw-results.ts";
import { httpTransport, type Line, stdioTransport } from "./transports.ts";
import { type ToolResult, unwrapResult } from "./unwrap.ts";

/** One live connection, from handshake to close. Who wants it back after it closed opens another one. */
export type Session = {
  readonly info: ServerInfo;
  /** What was learned of the server's era, so that the next connect need not ask. */
  readonly verdict: PriorDiscovery;
  listTools(signal?: AbortSignal): Promise<RawToolList>;
  callTool(tool: CallTarget, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
};

export type SessionOptions = {
  /** Our own environment, of which a child gets a little. */
  env: NodeJS.ProcessEnv;
  prior?: PriorDiscovery;
  signal?: AbortSignal;
  onToolsChanged(): void;
  /** The session ended, by whatever cause; it is called once, and never for a session that did not come about. */
  onClosed(): void;
};

/** Longest time to wait for an answer to `server/discover`: a server that stays silent is of the older era. */
const MAX_PROBE_MS = 5_000;

export async function openSession(server: ResolvedServer, options: SessionOptions): Promise<Session> {
  const { transport } = server;
  if (transport.type === "stdio") return openStdio(server, options);
  if (transport.type === "sse")
    return open(server, options, httpTransport(server, "sse"), { prior: { kind: "legacy" } });
  try {
    return await open(server, options, httpTransport(server, "http"));
  } catch (error) {
    if (!asksForOldTransport(error)) throw error;
    // The fall-back fails on its own account only if it is the transport that the server really speaks.
    return open(server, options, httpTransport(server, "sse"), { prior: { kind: "legacy" } }).catch(() => {
      throw error;
    });
  }
}

async function openStdio(server: ResolvedServer, options: SessionOptions): Promise<Session> {
  try {
    return await open(server, options, stdioTransport(server, options.env));
  } catch (error) {
    // Some older servers exit on any request before `initialize`. They get a second life without the question.
    const diedOfTheProbe = hasCode(causeOf(error), SdkErrorCode.EraNegotiationFailed);
    if (!diedOfTheProbe || options.prior || server.settings.protocol !== "auto") throw error;
    return open(server, options, stdioTransport(server, options.env), { prior: { kind: "legacy" } });
  }
}

async function open(
  server: ResolvedServer,
  options: SessionOptions,
  line: Line,
  forced: { prior?: PriorDiscovery } = {},
): Promise<Session> {
  const { settings } = server;
  const transport = withRawResults(line.transport);
  const client = createClient(settings.protocol, Math.min(MAX_PROBE_MS, settings.connectTimeoutMs / 3));
  let lastError: Error | undefined;
  let isOpen = false;
  client.onerror = (error) => {
    lastError = error;
  };
  client.onclose = () => {
    if (isOpen) options.onClosed();
  };
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  const fail = (error: unknown, tool?: string) =>
    describeFailure(error, {
      server: server.name,
      tool,
      settings,
      evidence: { ...line.evidence(), lastError },
    });

  const prior =
    forced.prior ?? (settings.protocol === "legacy" ? { kind: "legacy" as const } : options.prior);
  await connectInTime(client, transport, {
    prior,
    timeoutMs: settings.connectTimeoutMs,
    signal: options.signal,
  }).catch(async (error: unknown) => {
    // Described first: how a child ends that we end ourselves says nothing.
    const failure = fail(error);
    await line.transport.close().catch(() => {});
    throw failure;
  });
  isOpen = true;
  followToolChanges(client);

  return {
    info: describeServer(client, line.kind),
    verdict: toVerdict(client),
    async listTools(signal) {
      if (!client.getServerCapabilities()?.tools)
        return { tools: [], warnings: ["The server offers no tools"] };
      const readPage = async (cursor: string | undefined) => {
        const params = cursor === undefined ? {} : { cursor };
        const timeout = settings.connectTimeoutMs;
        return rawResult(await client.request({ method: "tools/list", params }, { signal, timeout }));
      };
      return listAllTools(readPage).catch((error) => {
        throw fail(error);
      });
    },
    async callTool(tool, args, { signal, timeoutMs = settings.timeoutMs, onProgress } = {}) {
      const called = client.callTool(
        { name: tool.name, arguments: args },
        {
          signal,
          timeout: timeoutMs,
          resetTimeoutOnProgress: true,
          onprogress: (progress) => onProgress?.(progress),
          // Without an output schema: a result that contradicts it is the caller's to judge, not lost here.
          toolDefinition: toDefinition(tool),
        },
      );
      const result = await called.catch((error) => {
        throw fail(error, tool.name);
      });
      return unwrapResult(server.name, tool.name, rawResult(result));
    },
    async close() {
      isOpen = false;
      await client.close().catch(() => {});
      await line.transport.close().catch(() => {});
    },
  };
}

function createClient(protocol: ResolvedServer["settings"]["protocol"], probeTimeoutMs: number): Client {
  return new Client(
    { name: "keyhole", version: VERSION },
    {
      capabilities: {},
      inputRequired: { autoFulfill: false },
      versionNegotiation: {
        mode: protocol === "modern" ? { pin: "2026-07-28" } : protocol,
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
  { prior, timeoutMs, signal }: { prior?: PriorDiscovery; timeoutMs: number; signal?: AbortSignal },
): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([signal, deadline]) : deadline;
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
  const connecting = client.connect(transport, { prior, timeout: timeoutMs, signal: stop });
  connecting.catch(() => {});
  await Promise.race([connecting, stopped]);
}

/** In the modern era changes come over a subscription; before it they simply arrive. */
function followToolChanges(client: Client): void {
  if (client.getProtocolEra() !== "modern" || !client.getServerCapabilities()?.tools?.listChanged) return;
  client.listen({ toolsListChanged: true }).catch(() => {
    // The catalogue then learns of changes at the next connect.
  });
}

function describeServer(client: Client, transport: ServerInfo["transport"]): ServerInfo {
  const version = client.getServerVersion();
  return {
    title: version && toPlainText(version.title ?? version.name),
    version: version && toPlainText(version.version),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "unknown",
    era: client.getProtocolEra() ?? "legacy",
    transport,
    instructions: client.getInstructions(),
  };
}

function toVerdict(client: Client): PriorDiscovery {
  const discover = client.getProtocolEra() === "modern" ? client.getDiscoverResult() : undefined;
  return discover ? { kind: "modern", discover } : { kind: "legacy" };
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

/**
 * Whether the server turned the request away unread because it forgot the session: connect anew and ask again. The
 * protocol says 404; servers that say 400 are common.
 */
export function isSessionLost(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof SdkHttpError && (cause.status === 404 || cause.status === 400);
}
