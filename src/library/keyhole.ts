/// <reference lib="esnext.disposable" preserve="true" />
import type { JsonSchema } from "../catalog/tool.ts";
import type { FinishedRun, RunEvent, RunLimits, Signal } from "../engine/engine.ts";
import type { Stats } from "../engine/journal/stats.ts";
import type { KeyholeError } from "../errors.ts";
import type { SearchAnswer, ServersAnswer } from "../search/answer.ts";

// What users of the library compile against. Nothing here may need the types of another package.

export type KeyholeOptions = {
  /** The folder with `.mcp.json` and `keyhole.config`. Without it and without `servers`: the current one. */
  readonly project?: string | undefined;
  /** Servers by name; with `project`, over those of its files. Without `project` no file is read. */
  readonly servers?: { readonly [name: string]: ServerConfig } | undefined;
  /**
   * Whether the servers and settings that the project's files bring are used though no person has trusted them by
   * `keyhole trust` (default false). Not needed for `servers` given here.
   */
  readonly trust?: boolean | undefined;
  /** Where `workspace/` and `.keyhole/` go: else into the project, or without one a temporary folder until `close`. */
  readonly stateDir?: string | undefined;
  /** For `${VAR}` in the configuration; else the process's own. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Of every run that does not say otherwise. */
  readonly limits?: RunLimits | undefined;
  /** Whether programs are checked against the types of the tools they call (default true). */
  readonly checkTypes?: boolean | undefined;
  /** Programs that run at the same time; others wait, in turns by session (default: twice the cores). */
  readonly maxConcurrentTasks?: number | undefined;
  /** Sandbox processes kept warm (default 2). */
  readonly poolSize?: number | undefined;
  /** What a person should know while it goes on. */
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** A server as in `keyhole.config`: reached by a command or a URL, or settings for one that the project's files define. */
export type ServerConfig = {
  readonly type?: "stdio" | "http" | "sse" | "streamable-http" | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly Text[] | undefined;
  readonly env?: { readonly [name: string]: Text } | undefined;
  readonly envFile?: string | undefined;
  readonly inheritEnv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: { readonly [name: string]: Text } | undefined;
  readonly bearerToken?: string | undefined;
  /** Takes the definition from this client's own file. */
  readonly from?: "claude-code" | "claude-desktop" | "cursor" | "vscode" | "codex" | "gemini" | undefined;
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly trusted?: boolean | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxConcurrency?: number | undefined;
  readonly maxMessageBytes?: number | string | undefined;
  readonly maxMessageValues?: number | undefined;
  /** Whether results that are JSON or what Python prints are read as data. */
  readonly parseText?: "python" | "json" | "off" | undefined;
  readonly protocol?: "auto" | "legacy" | "modern" | undefined;
  readonly includeTools?: readonly string[] | undefined;
  readonly excludeTools?: readonly string[] | undefined;
};

type Text = string | number | boolean;

export type Keyhole = {
  /** Without a query: the servers. With one: the tools that fit it, best first. */
  search(): Promise<ServersAnswer>;
  search(query: string | undefined, options?: SearchOptions): Promise<SearchAnswer>;
  /** What a program does is in the result; only wrong use is thrown. */
  run(code: string, options?: RunOptions): Promise<FinishedRun>;
  executeTask(task: Task): Promise<FinishedRun & { readonly taskId: string | undefined }>;
  /** All tools of all servers, as they are known now. */
  tools(): readonly Tool[];
  /** All servers, also those that failed. */
  servers(): readonly ServerState[];
  /** What all runs so far called, cost and saved. */
  stats(): Promise<Stats>;
  /** Ends what runs, and every process. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** By any of its names. In which of them programs can run, a run says. */
export type LanguageWord = "typescript" | "ts" | "javascript" | "js" | "python" | "py";

export type SearchOptions = {
  readonly detail?: "name" | "description" | "full" | undefined;
  readonly limit?: number | undefined;
  /** Of names and signatures. */
  readonly language?: LanguageWord | undefined;
};

export type RunOptions = {
  readonly language?: LanguageWord | undefined;
  /** A conversation of its own within this Keyhole: its runs take turns fairly with those of others. */
  readonly session?: string | undefined;
  readonly limits?: RunLimits | undefined;
  /** Ends the run, and the calls it has open. */
  readonly signal?: Signal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
};

/** A piece of work as an agent framework hands it over. */
export type Task = Omit<RunOptions, "session"> & {
  readonly id?: string | undefined;
  readonly description?: string | undefined;
  readonly code: string;
  /** Servers, or tools as `server__tool`, without which the program makes no sense: their absence is told before it runs. */
  readonly requiredTools?: readonly string[] | undefined;
};

export type Tool = {
  /** The server's configured name. */
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** How a program calls it: `github.createIssue`. */
  readonly function: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** By the server's own word, with the protocol's defaults. */
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  /** Whether the configuration says that this server's word is to be believed. */
  readonly trusted: boolean;
};

export type ServerState = {
  readonly name: string;
  /** The name in programs. */
  readonly identifier: string;
  readonly status: "unread" | "ready" | "failed" | "disabled";
  /** How many tools it has; those it last had, when it failed. */
  readonly tools: number;
  /** Why it failed, and what to do about it. */
  readonly error?: KeyholeError;
};
