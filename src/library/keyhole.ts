/// <reference lib="esnext.disposable" preserve="true" />

import type { JsonSchema } from "../catalog/tool.ts";
import type { ShownApproval as ApprovalRequest } from "../engine/approvals/shown-approval.ts";
import type { RunEvent } from "../engine/events/event.ts";
import type { Stats } from "../engine/journal/stats.ts";
import type { FinishedRun, RunLimits, Signal } from "../engine/run-result.ts";
import type { SavedSkill } from "../engine/skills/saved-skill.ts";
import type { WorkspacesByName } from "../engine/workspaces/workspaces-by-name.ts";
import type { KeyholeError } from "../errors.ts";
import type { FoundSkill, SearchAnswer, ServersAnswer } from "../search/answer.ts";
import type { CacheConfig } from "./cache-options.ts";
import type { PrivacyConfig } from "./privacy-options.ts";
import type { ExportedPack, ImportChoice, ImportedAs } from "./shared-skills.ts";

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
  /** Which calls may be made, as in `keyhole.config`. Where the project's files or the user's speak too, the stricter holds. */
  readonly permissions?: PermissionSettings | undefined;
  /**
   * What becomes of calls that no rule decides on (default `moderate`); the stricter holds likewise. `high` demands the tier docker,
   * `maximum` a VM: without it no program runs.
   */
  readonly securityLevel?: "low" | "moderate" | "high" | "maximum" | undefined;
  /** Where programs run (default `auto`: by `securityLevel` and what each risks); the stricter holds likewise. */
  readonly sandboxMode?: "process" | "docker" | "vm" | "auto" | undefined;
  /** How people are asked, as in `keyhole.config`. */
  readonly approval?: ApprovalSettings | undefined;
  /** Whether personal values are tokens in results, logs and texts (default true); secrets always are. */
  readonly piiTokenization?: boolean | undefined;
  /** What becomes of personal values, as in `keyhole.config`; the stricter holds likewise. */
  readonly privacy?: PrivacyConfig | undefined;
  /** Which results are kept and used again, as in `keyhole.config`; the stricter holds likewise. */
  readonly cache?: CacheConfig | undefined;
  /** Whether what is done is written to the audit log (default true); where a config file says so too, it is. */
  readonly auditLogging?: boolean | undefined;
  /**
   * Asked for each call that needs a person's word; calls that are made together are one question. Throwing is a no, and so is
   * what is no answer. After `approval.holdMs`, and when its run ends, `signal` is aborted.
   */
  readonly onApproval?:
    | ((
        approval: ApprovalRequest,
        options: { readonly signal: Signal },
      ) => OwnerAnswer | Promise<OwnerAnswer>)
    | undefined;
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

export type PermissionSettings = {
  readonly level?: "read_only" | "write_restricted" | "execute_full" | undefined;
  /** The first that matches decides, before `level` and `securityLevel`. */
  readonly rules?: readonly CallRule[] | undefined;
  /** For a tool whose definition changed since a rule first allowed it (default `ask`). */
  readonly onChange?: PolicyDecision | undefined;
};

type PolicyDecision = "allow" | "ask" | "deny";

/** A key that is left out says nothing. `*` in a name stands for any part of it. */
export type CallRule = {
  readonly decision: PolicyDecision;
  readonly server?: string;
  /** The tool's own name or its function name. */
  readonly tool?: string;
  readonly when?: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
    readonly openWorld?: boolean;
    readonly trusted?: boolean;
  };
  /** By path: `"$.to"`. */
  readonly args?: {
    readonly [path: string]:
      | { readonly equals: string | number | boolean | null }
      | { readonly matches: string };
  };
  /** Whether the call may have no other arguments than those that `args` speaks of. */
  readonly onlyArgs?: true;
  readonly principal?: string;
  readonly session?: string;
  readonly client?: string;
  readonly time?: {
    readonly days?: string | readonly string[];
    readonly hours?: string;
    readonly zone?: string;
  };
  readonly reason?: string;
};

export type ApprovalSettings = {
  /** How long a program waits for an answer before its run ends as waiting. */
  readonly holdMs?: number | undefined;
  /** How long a question can be answered. */
  readonly expiresMs?: number | undefined;
  readonly onExpiry?: "deny" | "approve" | undefined;
  readonly channels?:
    | readonly ("elicitation" | "terminal" | "cli" | "http" | "webhook" | "library")[]
    | undefined;
  readonly mode?: "call" | "plan" | undefined;
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
};

/** `edits` are other arguments for a call, by its number. */
export type OwnerAnswer =
  | {
      readonly decision: "approve";
      /** These calls, or the same tools in this run or session as well (default `once`). */
      readonly scope?: "once" | "run" | "session" | undefined;
      readonly edits?: { readonly [number: string]: { readonly [argument: string]: unknown } } | undefined;
    }
  | { readonly decision: "deny"; readonly reason?: string | undefined };

export type Keyhole = {
  /** Without a query: the servers. With one: the tools that fit it, best first. */
  search(): Promise<ServersAnswer>;
  search(query: string | undefined, options?: SearchOptions): Promise<SearchAnswer>;
  /** What a program does is in the result; only wrong use is thrown. */
  run(code: string, options?: RunOptions): Promise<FinishedRun>;
  executeTask(task: Task): Promise<FinishedRun & { readonly taskId: string | undefined }>;
  /** Keeps a module to be imported by programs as `./skills/<name>`. Refused where its check refuses it: then nothing is changed. */
  saveSkill(skill: NewSkill): Promise<SavedSkill>;
  /** Calls a function of a skill: a list is its arguments, anything else its only one. */
  executeSkill(name: string, args?: unknown, options?: SkillOptions): Promise<FinishedRun>;
  /** Skills alone, best first. */
  searchSkills(query: string, options?: Omit<SearchOptions, "language">): Promise<readonly FoundSkill[]>;
  /** A pack of these skills and of what they import, signed by this user's key. */
  exportSkills(
    names: readonly string[],
    options?: { readonly versions?: boolean | undefined },
  ): Promise<ExportedPack>;
  /** From a pack, a skill's folder or a checkout, or `team:NAME`: kept where `review` says so, and quarantined unless a trusted key signed it. */
  importSkills(path: string, options: ImportChoice): Promise<readonly ImportedAs[]>;
  /** All tools of all servers, as they are known now. */
  tools(): readonly Tool[];
  /** All servers, also those that failed. */
  servers(): readonly ServerState[];
  /** The files that programs keep, by the workspace's name: `local`, a principal's, or `shared/NAME`. */
  readonly workspaces: WorkspacesByName;
  /** What all runs so far called, cost and saved. */
  stats(): Promise<Stats>;
  /** How much there is, and how much goes on, as numbers: for a status page. */
  getStats(): Promise<KeyholeStats>;
  /** Ends what runs, and every process. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type KeyholeStats = {
  /** Those that are configured and not disabled, also those that failed. */
  readonly servers: number;
  readonly readyServers: number;
  readonly tools: number;
  readonly skills: number;
  /** Programs of this Keyhole that run now; `queuedTasks` wait for their turn. */
  readonly activeTasks: number;
  readonly queuedTasks: number;
  readonly maxConcurrentTasks: number;
  /** Of all runs so far, as in `stats()`. */
  readonly runs: number;
  readonly failedRuns: number;
  readonly calls: number;
  readonly tokens: Stats["tokens"];
};

export type NewSkill = {
  /** 1 to 64 of a-z, 0-9 and -; of one that is there already, it is another version. */
  readonly name: string;
  readonly description: string;
  readonly code: string;
  /** TypeScript when nothing is said. */
  readonly language?: LanguageWord | undefined;
  readonly tags?: readonly string[] | undefined;
  /** A program that fails when the skill is wrong. */
  readonly tests?: string | undefined;
  /** Of its SKILL.md, below the head. */
  readonly body?: string | undefined;
};

export type SkillOptions = Omit<RunOptions, "language"> & {
  /** Which of its functions; needed where it has several. */
  readonly function?: string | undefined;
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
  /** Where it runs at least: what the configuration demands is never weakened. Where that is missing, nothing runs. */
  readonly tier?: "process" | "docker" | "vm" | undefined;
  /** A conversation of its own within this Keyhole: its runs take turns fairly with those of others. */
  readonly session?: string | undefined;
  readonly limits?: RunLimits | undefined;
  /** Which model wrote the program, for the audit log. */
  readonly model?: string | undefined;
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
