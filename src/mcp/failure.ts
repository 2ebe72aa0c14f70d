import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { ServerSettings } from "../config/server-definition.ts";
import { errorMessage, KeyholeError, ToolError } from "../errors.ts";
import { toExcerpt, toPlainText } from "../text/plain-text.ts";
import { isClosedBeforeAnswer } from "./raw-results.ts";

/** What a transport can tell about the way things went wrong. */
export type Evidence = {
  /** How a child process ended: `exit code 1`, `signal SIGSEGV`. */
  exit?: string;
  stderr?: readonly string[];
  /** The first line on stdout that was no message. */
  garbage?: string;
  /** Why we ended the connection ourselves. */
  verdict?: KeyholeError;
  url?: string;
  /** The last thing the SDK complained about outside of a request: an answer with a wrong id, for example. */
  lastError?: Error;
};

export type FailureContext = {
  server: string;
  tool?: string;
  /** What was tried, when it was neither connecting nor a call. */
  subject?: string;
  settings: Pick<ServerSettings, "connectTimeoutMs" | "timeoutMs">;
  evidence: Evidence;
  /** Takes secrets out; before a text is cut, or half a secret would stay. */
  redact?(text: string): string;
  /** The same for what the server itself says. */
  words?(text: string): string;
};

/** Turns whatever the SDK, the system or the server threw into one error that says what to do. Codes decide, never texts. */
export function describeFailure(error: unknown, context: FailureContext): KeyholeError {
  const { server, tool, evidence } = context;
  if (evidence.verdict) return evidence.verdict;
  if (error instanceof KeyholeError && error.code !== "server_closed") return error;
  // The SDK wraps what stopped its question for the era; what stopped it is the news.
  if (isSdkError(error, SdkErrorCode.EraNegotiationFailed) && error.cause)
    return describeFailure(error.cause, context);
  const { redact = same, words = same } = context;
  const excerpt = (text: string, maxLength?: number) =>
    toExcerpt(redact(toPlainText(text.slice(0, MAX_LOOKED_AT))), maxLength);
  const details = collectDetails(evidence, excerpt);
  const base = { server, tool, cause: error, details };
  const subject = context.subject ?? describeSubject(server, tool);

  if (error instanceof ProtocolError && !isClosedBeforeAnswer(error)) {
    if (tool !== undefined) return new ToolError(server, tool, toExcerpt(words(error.message), 2000), []);
    return new KeyholeError("server_misbehaved", `${subject}: it answered "${excerpt(error.message)}"`, base);
  }
  if (error instanceof UnauthorizedError) return unauthorized(subject, 401, base);
  const status = httpStatus(error);
  if (status !== undefined) {
    if (status === 401 || status === 403) return unauthorized(subject, status, base);
    const at = evidence.url ?? "its address";
    return new KeyholeError("server_unreachable", `${subject}: HTTP ${status} from ${at}`, {
      ...base,
      hint: status === 404 ? `Check the "url" of this server` : undefined,
    });
  }
  if (hasExited(evidence) || isClosed(error)) {
    const how = evidence.exit ? `it ended with ${evidence.exit}` : "it closed the connection";
    const when = tool === undefined ? "before it answered" : "during the call";
    return new KeyholeError("server_closed", `${subject}: ${how} ${when}`, {
      ...base,
      hint: garbageHint(evidence),
    });
  }
  if (isSdkError(error, SdkErrorCode.RequestTimeout)) return timedOut(subject, error, context, base);
  if (isSdkError(error, SdkErrorCode.UnsupportedResultType) && tool !== undefined) {
    return new KeyholeError(
      "input_required",
      `${subject}: the tool asks a person for input, which Keyhole can't pass on`,
      base,
    );
  }
  if (error instanceof SdkError) {
    return new KeyholeError("server_misbehaved", `${subject}: ${excerpt(error.message, 400)}`, base);
  }
  const isNetwork = systemCode(error) !== undefined || error instanceof SseError;
  const text =
    isNetwork || evidence.url === undefined
      ? rootMessage(error)
      : `its answer makes no sense: ${rootMessage(error)}`;
  return new KeyholeError(
    isNetwork ? "server_unreachable" : "server_misbehaved",
    `${subject}: ${excerpt(text, 400)}`,
    {
      ...base,
      hint: isNetwork && evidence.url ? `Check that a server is running at ${evidence.url}` : undefined,
    },
  );
}

const same = (text: string) => text;
/** Of a text of which a line is shown. Far more than that, so that what is cut off here is never near it. */
const MAX_LOOKED_AT = 64 * 1024;

function describeSubject(server: string, tool: string | undefined): string {
  return tool === undefined
    ? `Cannot connect to server "${server}"`
    : `Call of "${tool}" on server "${server}" failed`;
}

type Base = { server: string; tool?: string; cause: unknown; details: readonly string[] };

function timedOut(
  subject: string,
  error: SdkError,
  { tool, settings, evidence }: FailureContext,
  base: Base,
): KeyholeError {
  const limitMs = tool === undefined ? settings.connectTimeoutMs : (timeoutOf(error) ?? settings.timeoutMs);
  if (wasAborted(error)) return new KeyholeError("cancelled", `${subject}: cancelled`, base);
  const key = tool === undefined ? "connectTimeoutMs" : "timeoutMs";
  return new KeyholeError("timeout", `${subject}: no answer within ${limitMs} ms`, {
    ...base,
    hint: garbageHint(evidence) ?? `If it only is slow, raise "${key}" for this server in keyhole.config`,
  });
}

function unauthorized(subject: string, status: number, base: Base): KeyholeError {
  return new KeyholeError(
    "server_unreachable",
    `${subject}: HTTP ${status}, the server wants other credentials`,
    {
      ...base,
      hint: `Check the "headers" of this server, and the variables that they use`,
    },
  );
}

function collectDetails(
  { stderr = [], garbage, lastError }: Evidence,
  excerpt: (text: string) => string,
): string[] {
  const details = stderr.map((line) => `stderr: ${line}`);
  if (garbage !== undefined) details.push(`stdout, not a message: ${garbage}`);
  if (lastError && !(lastError instanceof KeyholeError))
    details.push(`protocol: ${excerpt(lastError.message)}`);
  return details;
}

function garbageHint({ garbage }: Evidence): string | undefined {
  if (garbage === undefined) return undefined;
  return "It writes other things than messages to stdout: is this an MCP server, and does it log to stderr?";
}

function hasExited({ exit }: Evidence): boolean {
  return exit !== undefined;
}

function isClosed(error: unknown): boolean {
  if (error instanceof KeyholeError) return error.code === "server_closed";
  if (error instanceof ProtocolError) return isClosedBeforeAnswer(error);
  return isSdkError(error, SdkErrorCode.ConnectionClosed) || isSdkError(error, SdkErrorCode.NotConnected);
}

export function isSdkError(error: unknown, code: SdkErrorCode): error is SdkError {
  return error instanceof SdkError && error.code === code;
}

function timeoutOf(error: SdkError): number | undefined {
  const { data } = error;
  return typeof data === "object" && data !== null && "timeout" in data && typeof data.timeout === "number"
    ? data.timeout
    : undefined;
}

/** The SDK uses one code for both; only a real time-out says how long it was. */
function wasAborted(error: SdkError): boolean {
  return timeoutOf(error) === undefined;
}

function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}

/** The code with which the system explains a network failure: `ECONNREFUSED`, `ENOTFOUND`. */
function systemCode(error: unknown): string | undefined {
  const root = rootOf(error);
  return root instanceof Error && "code" in root && typeof root.code === "string" ? root.code : undefined;
}

/** `fetch failed` hides the reason one level down. */
function rootOf(error: unknown): unknown {
  let current = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  return current;
}

function rootMessage(error: unknown): string {
  const root = rootOf(error);
  return errorMessage(root) || String(systemCode(error) ?? "no reason given");
}
