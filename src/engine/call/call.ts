import type { CallMarks, Hashed, Leave } from "../../audit/event.ts";
import type { CatalogEntry } from "../../catalog/entry.ts";
import type { ToolRecord } from "../../catalog/tool.ts";
import type { ToolResult } from "../../mcp/unwrap.ts";
import type { AskedCall } from "../../policy/permissions/policy.ts";
import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { Session } from "../../session.ts";
import { randomId } from "../../text/random-id.ts";
import type { CallIdentity } from "../replay/replay-run.ts";
import type { Run } from "../run/run-record.ts";

/** One call of one tool, on its way to the server. */
export type Call = {
  readonly id: string;
  readonly run: CallingRun;
  readonly session: Session;
  readonly server: CatalogEntry;
  readonly tool: ToolRecord;
  readonly args: Readonly<Record<string, unknown>>;
  /** The caller's own limit for all of it, the server's start and its progress included. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  /** Which of the program's calls it is; of calls that no program makes there is none. */
  readonly number: number | undefined;
  /** Lets others have its room at the server while something else is waited for. */
  readonly hold: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** So often it was sent before, and nobody knows whether it was done: a person must say so before it is made again. */
  readonly repeat?: number;
  /** As it is in the run's record: as the program made it, whatever a person changed of it. */
  readonly recorded?: CallIdentity;
  /** Sent beside its arguments, as `_meta`. */
  readonly meta?: Readonly<Record<string, string>>;
  /** What became of it. A stage that hands on a changed call hands this on as it is. */
  readonly trace: CallTrace;
};

/** What a call needs of the run that makes it. */
export type CallingRun = Pick<Run, "id" | "startCall" | "logOnce"> &
  Partial<Pick<Run, "gate" | "kept" | "privacy" | "trail" | "noteTokens" | "toTold" | "request">>;

export type CallTrace = {
  /** It was handed to the server's connection. */
  isSent: boolean;
  /** It was looked for among the results that are kept. */
  isLookedFor?: true;
  /** What a person had it made with instead. */
  args?: Call["args"];
  /** Who let it be made. */
  leave?: Leave;
  /** Its arguments as JSON, and those that a person gave it. */
  argumentsText?: string;
  editedText?: string;
  /** As they are told of. */
  input?: { readonly of: string; readonly hashed: Hashed & { readonly text?: string } };
  /** What the watch for anomalies must know of them. */
  marks?: { readonly of: CallMarks | undefined };
  /** What it discloses in the place of tokens. */
  revealed?: FoundValues;
};

export type CallRequest = Omit<Call, "id" | "trace" | "timeoutMs" | "number" | "hold"> &
  Partial<Pick<Call, "id" | "timeoutMs" | "number" | "hold">>;

export function toCall(request: CallRequest): Call {
  const { id = randomId("c"), run, session, server, tool, args, timeoutMs, signal, number, hold } = request;
  return { id, run, session, server, tool, args, timeoutMs, signal, number, hold, trace: { isSent: false } };
}

/** As it is put before the policy. */
export function toAsked({ tool, args, session }: Call): AskedCall {
  const { principal, id, client } = session;
  return { tool, args, principal, session: id, client: client.name, now: new Date() };
}

/** A value, and where it came from. */
export type CallResult = ToolResult & {
  readonly from: Provenance;
  /** It was not sent: the result is that of an equal call before. */
  readonly isCached?: true;
};

export type Provenance = { readonly server: string; readonly tool: string; readonly callId: string };

/** A stage stands around those after it: it can change the call, end it, wait, and look at what comes back. */
export type CallStage = (call: Call, next: NextStage) => Promise<CallResult>;

export type NextStage = (call: Call) => Promise<CallResult>;
