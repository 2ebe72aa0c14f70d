/** What a program can tell a failed call by: `ToolError.code`. The list is closed; programs are written against it. */
export const CALL_FAILURE_CODES = [
  /** The tool ran and failed. */
  "tool_failed",
  "tool_unknown",
  "bad_arguments",
  "server_unavailable",
  "timeout",
  "cancelled",
  /** By a rule or by a person. */
  "denied",
  /** For a person. */
  "waiting",
  "limit",
] as const;

export type CallFailureCode = (typeof CALL_FAILURE_CODES)[number];

type Meaning = {
  /** Of the CLI: 1 the program or check failed, 2 wrong use (a config or an argument to mend), 3 denied, 130 ended by the user. */
  readonly exit: 1 | 2 | 3 | 130;
  /** What a program is told when a call of its own fails so. */
  readonly call: CallFailureCode;
};

/** Every failure a user can meet is a `KeyholeError` with one of these codes, and this is all that follows from each. */
const ERROR_CODES = {
  config_invalid: { exit: 2, call: "server_unavailable" },
  config_unreadable: { exit: 2, call: "server_unavailable" },
  usage: { exit: 2, call: "bad_arguments" },
  variable_unset: { exit: 1, call: "server_unavailable" },
  command_not_found: { exit: 1, call: "server_unavailable" },
  server_unknown: { exit: 2, call: "tool_unknown" },
  server_unreachable: { exit: 1, call: "server_unavailable" },
  server_closed: { exit: 1, call: "server_unavailable" },
  server_misbehaved: { exit: 1, call: "server_unavailable" },
  tool_unknown: { exit: 2, call: "tool_unknown" },
  tool_failed: { exit: 1, call: "tool_failed" },
  input_required: { exit: 1, call: "tool_failed" },
  timeout: { exit: 1, call: "timeout" },
  cancelled: { exit: 130, call: "cancelled" },
  denied: { exit: 3, call: "denied" },
  /** Brought by a project folder, and nobody has said yes to it. */
  untrusted: { exit: 1, call: "server_unavailable" },
  /** A program that goes on from its record does not do what it did. */
  diverged: { exit: 1, call: "tool_failed" },
  waiting: { exit: 1, call: "waiting" },
  too_large: { exit: 1, call: "limit" },
  file_conflict: { exit: 1, call: "tool_failed" },
  store_unusable: { exit: 1, call: "tool_failed" },
  internal: { exit: 1, call: "tool_failed" },
} as const satisfies Readonly<Record<string, Meaning>>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function toCallFailureCode(code: ErrorCode): CallFailureCode {
  return ERROR_CODES[code].call;
}

/** After these nobody knows what the server did, if the call had reached it. */
const UNANSWERED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "timeout",
  "cancelled",
  "server_closed",
  "server_unreachable",
  "server_misbehaved",
  "too_large",
]);

export function isUnanswered(code: ErrorCode): boolean {
  return UNANSWERED.has(code);
}

/** What was written down once; `internal` for a code that there is no more. */
export function toErrorCode(text: string): ErrorCode {
  return Object.hasOwn(ERROR_CODES, text) ? (text as ErrorCode) : "internal";
}

export type ErrorOptions = {
  /** What the reader can do about it: one sentence, shown on a line of its own. */
  hint?: string;
  /** Evidence, a line each: for example what a server wrote to stderr before it died. */
  details?: readonly string[];
  /** The server concerned, by its configured name. */
  server?: string;
  /** The tool concerned, by the server's own name for it. */
  tool?: string;
  cause?: unknown;
};

export class KeyholeError extends Error {
  override readonly name: string = "KeyholeError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: readonly string[];
  readonly server: string | undefined;
  readonly tool: string | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.server = options.server;
    this.tool = options.tool;
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }

  toJSON() {
    const { code, message, hint, details, server, tool } = this;
    return { code, message, hint, details: details.length > 0 ? details : undefined, server, tool };
  }
}

/** The tool ran and said that it failed (`isError`). What it said is the message; its blocks are kept. */
export class ToolError extends KeyholeError {
  override readonly name: string = "ToolError";
  readonly content: readonly unknown[];

  constructor(server: string, tool: string, message: string, content: readonly unknown[]) {
    super("tool_failed", message, { server, tool });
    this.content = content;
  }
}

export function toKeyholeError(error: unknown): KeyholeError {
  if (error instanceof KeyholeError) return error;
  return new KeyholeError("internal", errorMessage(error), { cause: error });
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
