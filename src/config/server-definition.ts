import type { KeyholeError } from "../errors.ts";
import { HIDDEN_CLASS } from "../text/plain-text.ts";

export const CLIENT_IDS = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini"] as const;

export type ClientId = (typeof CLIENT_IDS)[number];

export type StdioTarget = {
  type: "stdio";
  command: string;
  args: string[];
  env: Record<string, string>;
  /** A file of `NAME=value` lines; what stands in `env` wins over it. */
  envFile?: string;
  /** Names of variables handed on from Keyhole's own environment when they are set there. */
  inheritEnv: string[];
  cwd?: string;
};

export type HttpTarget = {
  /** "http" is Streamable HTTP with a fall-back to SSE, "sse" is SSE only. */
  type: "http" | "sse";
  url: string;
  headers: Record<string, string>;
};

export type Protocol = "auto" | "legacy" | "modern";

/** What text in results is tried as: JSON and what Python prints, JSON alone, or nothing. */
export const PARSE_TEXT = ["python", "json", "off"] as const;

export type ParseText = (typeof PARSE_TEXT)[number];

export type ServerSettings = {
  enabled: boolean;
  /** Whether the server's annotations are believed. */
  trusted: boolean;
  connectTimeoutMs: number;
  /** For each call; starts anew with each progress notification. */
  timeoutMs: number;
  /** Calls in flight at the same time. */
  maxConcurrency: number;
  maxMessageBytes: number;
  /** Values in one message: a list of empty objects takes twenty times its bytes. */
  maxMessageValues: number;
  protocol: Protocol;
  parseText: ParseText;
  /** By the server's own names for its tools. */
  includeTools?: string[];
  excludeTools?: string[];
};

export type ServerSource = {
  file: string;
  client: ClientId | "keyhole" | "mcp-json";
  /** Key path of the definition in that file. */
  path: string;
};

/** A server as configured: `${VAR}` is not expanded yet, so no secret of the environment is in it. */
export type ServerDefinition = {
  name: string;
  source: ServerSource;
  transport: StdioTarget | HttpTarget;
  settings: ServerSettings;
  /** Of a project's env file: what it must hold to be used. */
  envFileDigest?: string;
};

export type InvalidServer = { name: string; error: KeyholeError };

export const DEFAULT_SETTINGS: ServerSettings = {
  enabled: true,
  trusted: false,
  connectTimeoutMs: 30_000,
  timeoutMs: 60_000,
  maxConcurrency: 8,
  maxMessageBytes: 16 * 1024 * 1024,
  maxMessageValues: 2_000_000,
  protocol: "auto",
  parseText: "python",
};

/** The longest delay that Node's timers keep; a larger one would fire at once. */
export const MAX_DELAY_MS = 2_147_483_647;

/** Bidirectional, zero width and line-breaking characters: with them one name can look like another. */
const INVISIBLE = new RegExp(`[${HIDDEN_CLASS}\\u2028\\u2029]`, "u");

/** Why a name cannot be a server's, or undefined when it can. */
export function serverNameProblem(name: string): string | undefined {
  if (name.trim() === "") return "a server's name cannot be empty";
  if (name.length > 128) return "a server's name cannot be longer than 128 characters";
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return "a server's name cannot contain control characters";
  if (INVISIBLE.test(name))
    return "a server's name cannot contain invisible characters or such that turn the text's direction";
  if (name === "__proto__") return 'a server cannot be named "__proto__"';
  return undefined;
}
