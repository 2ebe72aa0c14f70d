/**
 * Every failure a user can meet is a `KeyholeError` with one of these codes. The number is the exit code of the CLI:
 * 1 the program or check failed, 2 wrong use (a config or an argument to mend), 3 denied by policy, 130 ended by the user.
 */
export const ERROR_CODES = {
  config_invalid: 2,
  config_unreadable: 2,
  usage: 2,
  variable_unset: 1,
  command_not_found: 1,
  server_unknown: 2,
  server_unreachable: 1,
  server_closed: 1,
  server_misbehaved: 1,
  tool_unknown: 2,
  tool_failed: 1,
  input_required: 1,
  timeout: 1,
  cancelled: 130,
  too_large: 1,
  file_conflict: 1,
  store_unusable: 1,
  internal: 1,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export type ErrorOptions = {
  /** What the reader can do about it: one sentence, shown on a line of its own. */
  hint?: string;
  /** Evidence, a line each: what a server wrote to stderr before it died, for one. */
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
    return ERROR_CODES[this.code];
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
