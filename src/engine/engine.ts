import type { SearchAnswer, SearchRequest } from "../search/answer.ts";
import type { Stats } from "./stats.ts";

export type { SearchAnswer, SearchRequest } from "../search/answer.ts";

/** What the fronts (CLI, MCP server, library) can ask for. */
export type Engine = {
  search(request?: SearchRequest): Promise<SearchAnswer>;
  run(request: RunRequest): Promise<RunResult>;
  /** Throws unless there is such a server, or such a tool by `server__tool`. */
  assertTool(name: string): void;
  /** What all runs so far called, cost and saved. */
  stats(): Promise<Stats>;
  /** Starts what the first run would otherwise wait for. */
  warm(): Promise<void>;
  close(): Promise<void>;
};

export type RunRequest = {
  readonly code: string;
  readonly language?: "typescript" | "python";
  /** Runs of one session take turns fairly with those of others. */
  readonly session?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
};

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

export type RunResult = {
  readonly runId: string;
  readonly ok: boolean;
  readonly result?: unknown;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
  readonly error?: { readonly kind: string; readonly message: string; readonly [detail: string]: unknown };
  readonly calls: readonly RunCall[];
  readonly receipt: Readonly<Record<string, unknown>>;
  /** What the model sees. */
  readonly text: string;
  /** Content blocks that the program handed to the user by `emit`. */
  readonly emitted: readonly unknown[];
};

export type RunCall = {
  readonly server: string;
  readonly tool: string;
  readonly ms: number;
  readonly ok: boolean;
};
