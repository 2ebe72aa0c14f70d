import type { Outbox } from "../result/outbox/outbox.ts";
import type { Receipt } from "../result/receipt.ts";
import type { SearchAnswer, SearchRequest } from "../search/answer.ts";
import type { RunFailure } from "./run/run-failure.ts";
import type { Stats } from "./stats.ts";

export type { SearchAnswer, SearchRequest } from "../search/answer.ts";

/** What the fronts (CLI, MCP server, library) can ask for. */
export type Engine = {
  search(request?: SearchRequest, asker?: Asker): Promise<SearchAnswer>;
  run(request: RunRequest): Promise<RunResult>;
  /** What leaves for a model or its client leaves by it. */
  readonly outbox: Outbox;
  /** Throws unless there is such a server, or such a tool by `server__tool`. */
  assertTool(name: string): void;
  /** No more runs come with this `resultScope`: what they saved goes. */
  endResultScope(scope: string): Promise<void>;
  /** What all runs so far called, cost and saved. */
  stats(): Promise<Stats>;
  /** Starts what the first run would otherwise wait for. */
  warm(): Promise<void>;
  close(): Promise<void>;
};

/** Whose searches are made one after the other. */
export type Asker = { readonly principal?: string; readonly session?: string };

export type RunRequest = {
  readonly code: string;
  readonly language?: "typescript" | "python";
  /**
   * Whoever the request is authenticated as; the local user when nothing is said. Principals share the machine fairly, and
   * each has a workspace of its own.
   */
  readonly principal?: string;
  /** Runs of one session take turns fairly with those of the principal's others. */
  readonly session?: string;
  /** Saved results are seen by runs of the same scope; absent: by all runs of the principal that have none. */
  readonly resultScope?: string;
  /** Each wins over the same in the configuration. */
  readonly limits?: RunLimits;
  readonly signal?: Signal;
  readonly onEvent?: (event: RunEvent) => void;
};

export type RunLimits = {
  /** The program's own time, neither calls nor sleep (`maxExecutionTime`); its CPU time grows with it. */
  readonly timeoutMs?: number | undefined;
  /** Time in which nothing is under way but timers (`maxSleepTime`). */
  readonly sleepMs?: number | undefined;
  /** At most what `resourceLimits.memory` says: that much is set aside for every program. */
  readonly memoryBytes?: number | undefined;
  /** Tool calls, searches and looks into `./servers` together. */
  readonly calls?: number | undefined;
  /** Tokens that the answer for the model may take (`output.tokens`). */
  readonly outputTokens?: number | undefined;
};

/** The global `AbortSignal`, also for those who compile against this without types that declare it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } } ? Known : never;

/** What happens while a program runs. */
export type RunEvent =
  | { readonly kind: "log"; readonly level: "debug" | "info" | "warn" | "error"; readonly text: string }
  | { readonly kind: "call"; readonly server: string; readonly tool: string; readonly number: number }
  | {
      readonly kind: "called";
      readonly server: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly ms: number;
    };

export type RunResult = DoneRun | FailedRun;

type AnyRun = {
  readonly runId: string;
  readonly logs: readonly { readonly level: "debug" | "info" | "warn" | "error"; readonly text: string }[];
  readonly calls: readonly RunCall[];
  readonly receipt: Receipt;
  /** What the model sees; it has passed the outbox. The rest is for whoever asked for the run. */
  readonly text: string;
  /** Content blocks that the program handed to the user by `emit`. */
  readonly emitted: readonly unknown[];
};

export type DoneRun = AnyRun & {
  readonly ok: true;
  readonly status: "done";
  /** What the program returned, as JSON has it; undefined when that was nothing. */
  readonly result: unknown;
  readonly error?: undefined;
};

export type FailedRun = AnyRun & {
  readonly ok: false;
  readonly status: "failed";
  readonly result?: undefined;
  readonly error: RunFailure;
};

export type RunCall = {
  readonly server: string;
  readonly tool: string;
  readonly ms: number;
  readonly ok: boolean;
};
