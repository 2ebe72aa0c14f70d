import type { Telemetry } from "../audit/telemetry/telemetry.ts";
import type { TraceContext } from "../audit/telemetry/trace-context.ts";
import type { Signed } from "../network/webhook/signature.ts";
import type { Approval } from "../policy/approvals/approval.ts";
import type { Approvals } from "../policy/approvals/approvals.ts";
import type { AskPerson } from "../policy/approvals/desk.ts";
import type { Outbox } from "../result/outbox/outbox.ts";
import type { SearchAnswer, SearchRequest } from "../search/answer.ts";
import type { Session } from "../session.ts";
import type { KeyholeCommand } from "../text/keyhole-command.ts";
import type { RefusedLogin } from "./audit/login-events.ts";
import type { TellShown } from "./audit/shown-approvals.ts";
import type { Events } from "./events/events.ts";
import type { Stats } from "./journal/stats.ts";
import type { FinishedRun, RunLimits, RunResult, Signal } from "./run-result.ts";
import type { CancelledBy } from "./runs/cancelled-by.ts";
import type { RunSummary } from "./runs/run-summary.ts";
import type { EngineSkills } from "./skills/open-engine-skills.ts";
import type { ProjectTrust } from "./trust.ts";
import type { WorkspacesByName } from "./workspaces/workspaces-by-name.ts";

export type { SearchAnswer, SearchRequest } from "../search/answer.ts";
export type { RunEvent } from "./events/event.ts";
export type {
  FinishedRun,
  RunCall,
  RunLimits,
  RunResult,
  Signal,
  WaitedFor,
  WaitingRun,
} from "./run-result.ts";

/** What the fronts (CLI, MCP server, library) can ask for. */
export type Engine = {
  search(request: SearchRequest, session: Session): Promise<SearchAnswer>;
  /** Waits for the end of the run, however long it takes. */
  run(request: RunRequest): Promise<FinishedRun>;
  /** Answers after `output.answerAfterMs` at the latest: a run that takes longer goes on. */
  answer(request: RunRequest): Promise<RunResult>;
  readonly events: Events;
  /** What people are asked, and their answers. No program and no model has a way to these. */
  readonly approvals: Pick<Approvals, "list" | "pages" | "get" | "answer">;
  /** Takes answers that are signed, where a webhook is configured. */
  readonly webhook?: { accept(id: string, signed: Signed, signature: string): Promise<Approval> };
  /** Whether `approval.channels` lets people answer over HTTP. */
  readonly canAnswerByHttp: boolean;
  /** For the user: how this approval is answered here. */
  answerBy(approvalId: string): string;
  readonly command: KeyholeCommand;
  readonly runs: Runs;
  readonly skills: EngineSkills;
  /** What leaves for a model or its client leaves by it: by that of its principal, where it has one. */
  outboxOf(principal?: string): Outbox;
  /** Traces and metrics, where they are asked for. */
  readonly telemetry: Telemetry;
  /** What the project folder brings and nobody has said yes to. */
  readonly trust: ProjectTrust;
  /** Somebody was not let in by a front. */
  loginRefused(login: RefusedLogin): void;
  /** Somebody who may answer is about to see them; `by` as for an answer. */
  approvalsShown: TellShown;
  /** A client has opened it, or asks for something in it. */
  sessionSeen(session: Session): void;
  /** Throws unless there is such a server, or such a tool by `server__tool`. */
  assertTool(name: string): void;
  /** No more requests come with this session: what it alone could see goes. What runs goes on. */
  endSession(session: Session): Promise<void>;
  /** What programs keep, for people: no program and no model has a way to these. */
  readonly workspaces: WorkspacesByName;
  /** What all runs so far called, cost and saved. */
  stats(): Promise<Stats>;
  /** How many programs run and wait. */
  tasks(): TaskCounts;
  /** Starts what the first run would otherwise wait for. */
  warm(): Promise<void>;
  /** Takes no more runs, ends those under way, and returns when they are written down. The project stays open. */
  close(): Promise<void>;
};

/** Programs of this process, as they are now. */
export type TaskCounts = {
  readonly activeTasks: number;
  /** They wait for their turn. */
  readonly queuedTasks: number;
  readonly maxConcurrentTasks: number;
};

/** The runs of this engine; those of other processes are in the journal. */
export type Runs = {
  /** Those under way and those that ended after they were answered, the latest first. */
  list(): readonly RunSummary[];
  get(runId: string): RunSummary | undefined;
  /** Whether it is held for the answer of a person. */
  isAsking(runId: string): boolean;
  /** Ends a run; false where it has ended, or there is none. */
  cancel(runId: string, by?: CancelledBy): boolean;
};

export type RunRequest = {
  readonly code: string;
  /** Whose it is: turns, saved results and statistics are by session, the workspace by its principal. */
  readonly session: Session;
  /** By any of its names; TypeScript when nothing is said. */
  readonly language?: string | undefined;
  /** In which tier it must run at least; what the configuration demands is never weakened by it. */
  readonly tier?: string | undefined;
  /** Each wins over the same in the configuration. */
  readonly limits?: RunLimits | undefined;
  /** Ends the run, unless it was answered already and goes on. */
  readonly signal?: Signal | undefined;
  /** How the person at the other end can be asked, where there is a way. */
  readonly askPerson?: AskPerson | undefined;
  /** How long no client has waited for the answer so far: that does not count. */
  readonly awayMs?: (() => number) | undefined;
  /** Whether its writes are planned first and approved at once; else as the config says. */
  readonly plan?: boolean | undefined;
  /** Which model wrote the program, by its client's word. */
  readonly model?: string | undefined;
  /** Goes on with this run of the same program, which waits or was interrupted. */
  readonly resume?: string | undefined;
  /** The span that it belongs to, as the client says or its front made it. */
  readonly trace?: TraceContext | undefined;
  /** Told of the run's id before anything happens: for `events` and `runs`. */
  readonly onStart?: ((runId: string) => void) | undefined;
};
