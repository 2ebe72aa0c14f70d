// What Keyhole gives to a program, beside a global for each server.

interface Console {
  log(...data: any[]): void;
  info(...data: any[]): void;
  warn(...data: any[]): void;
  error(...data: any[]): void;
  debug(...data: any[]): void;
  trace(...data: any[]): void;
  dir(item?: any, options?: any): void;
  table(data?: any, columns?: string[]): void;
  assert(condition?: any, ...data: any[]): void;
  group(...label: any[]): void;
  groupCollapsed(...label: any[]): void;
  groupEnd(): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  timeLog(label?: string, ...data: any[]): void;
  count(label?: string): void;
  countReset(label?: string): void;
  clear(): void;
}
declare var console: Console;
declare var global: typeof globalThis;

interface ToolError extends Error {
  readonly server: string;
  readonly tool: string;
  readonly code: ToolErrorCode;
  readonly content?: any[];
  [key: string]: any;
}
type ToolErrorCode =
  | "tool_failed"
  | "tool_unknown"
  | "bad_arguments"
  | "server_unavailable"
  | "timeout"
  | "cancelled"
  | "denied"
  | "waiting"
  | "limit"
  | (string & {});
declare var ToolError: { new (...args: any[]): ToolError; readonly prototype: ToolError };
type FoundTool = {
  server: string;
  tool: string;
  /** Of a skill, which has no server and no tool: its name, for `./skills/<name>`. */
  skill?: string;
  function: string;
  description?: string;
  definition?: string;
  [key: string]: any;
};
declare function searchTools(
  query?: string,
  detail?: "name" | "description" | "full" | { detail?: "name" | "description" | "full"; limit?: number },
  limit?: number,
): Promise<{
  total: number;
  tools: FoundTool[];
  servers: { name: string; tools: number; status: string; about?: string }[];
  [key: string]: any;
}>;
declare function emit(
  content:
    | string
    | ArrayBuffer
    | ArrayBufferView
    | Blob
    | { type?: string; [key: string]: any }
    | readonly any[],
): any;

/** A run that went on after it was answered. `result` waits for it for a while; `running`: ask again; `waiting`: a person is asked, see `hint`. */
type $RunReport = {
  runId: string;
  status: "running" | "done" | "failed" | "waiting";
  result?: any;
  for?: { kind: string; approvalId?: string; runId?: string }[];
  hint?: string;
  error?: { kind: string; message: string; [key: string]: any };
  made?: string[];
  logs: string[];
  calls: number;
};
declare var runs: { result(id: string): Promise<$RunReport> };

/**
 * Keeps a module to be imported by other programs: `import { f } from "./skills/<name>"`. It is checked like a program. The name is made
 * of a-z, 0-9 and -; one that is there already gets another version.
 */
type $SkillDraft = {
  readonly name: string;
  readonly description: string;
  readonly code: string;
  readonly tags?: readonly string[];
  readonly tests?: string;
  readonly language?: "typescript" | "python";
  readonly body?: string;
};
type $SavedSkill = {
  name: string;
  version: number;
  status: "ready" | "quarantined" | "broken" | "untrusted";
  exports: { name: string; kind: "function" | "value" | "type"; signature: string; description?: string }[];
  use: string;
  problem?: string;
};
declare function saveSkill(skill: $SkillDraft): Promise<$SavedSkill>;

/**
 * What programs keep between runs: values of JSON by key. Of the workspace; `state.session` of this session alone,
 * `state.shared(name)` of a workspace that is shared. `update` loses nothing where others write at the same time.
 */
interface $State {
  get<Value = any>(key: string, otherwise?: Value): Promise<Value>;
  set(key: string, value: any): Promise<void>;
  delete(key: string): Promise<boolean>;
  list(prefix?: string): Promise<string[]>;
  update<Value = any>(key: string, change: (value: Value) => Value | Promise<Value>): Promise<Value>;
}
interface $AllState extends $State {
  readonly session: $State;
  shared(name: string): $State;
}
declare var state: $AllState;

/**
 * Runs a command in ./workspace, where the user's config allows it; there is no shell. `code` is null when it was stopped at a
 * limit, `stoppedBy`; `cut` is how many bytes of an output were left out. With `encoding: "buffer"`, stdout is bytes.
 */
type $CommandOptions = {
  readonly input?: string | ArrayBuffer | ArrayBufferView;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};
type $CommandResult<Output> = {
  code: number | null;
  stdout: Output;
  stderr: string;
  stoppedBy?: "time" | "memory" | "processes" | "output" | "disk";
  cut?: { stdout?: number; stderr?: number };
  isBinary?: boolean;
};
declare function runCommand(
  command: string,
  args: readonly (string | number)[] | undefined,
  options: $CommandOptions & { readonly encoding: "buffer" },
): Promise<$CommandResult<Uint8Array>>;
declare function runCommand(
  command: string,
  args?: readonly (string | number)[],
  options?: $CommandOptions & { readonly encoding?: "utf8" },
): Promise<$CommandResult<string>>;

/**
 * What a personal value shows without being shown, by the value or its token; undefined where that does not fit. `equal` tells
 * whether two mean the same value, however they are written.
 */
type $PersonalValue = string | number | null | undefined;
interface $Pii {
  equal(a: $PersonalValue, b: $PersonalValue): boolean;
  domain(value: $PersonalValue): string | undefined;
  last4(value: $PersonalValue): string | undefined;
  country(value: $PersonalValue): string | undefined;
  mask(value: $PersonalValue): string | undefined;
  year(value: $PersonalValue): number | undefined;
}
declare var pii: $Pii;

/** What a call takes beside its arguments; a number is what `map` hands on, and is ignored. */
type $CallOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal } | number;

/** Over the proxy alone, to what `network.allow` names; else it rejects and says so. */
declare function fetch(input: string | URL | Request, init?: any): Promise<Response>;
declare function setImmediate(handler: (...args: any[]) => void, ...args: any[]): any;
declare function clearImmediate(id?: any): void;
