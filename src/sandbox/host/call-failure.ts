import { type ErrorCode, errorMessage, KeyholeError } from "../../errors.ts";

/** `denied`: by a rule or by a person. */
export const CALL_FAILURE_CODES = [
  "tool_failed",
  "tool_unknown",
  "bad_arguments",
  "server_unavailable",
  "timeout",
  "cancelled",
  "denied",
  "limit",
] as const;

/** What a program can tell a failed call by: `ToolError.code`. The list is closed; programs are written against it. */
export type CallFailureCode = (typeof CALL_FAILURE_CODES)[number];

const CODES: { readonly [code in ErrorCode]: CallFailureCode } = {
  config_invalid: "server_unavailable",
  config_unreadable: "server_unavailable",
  usage: "bad_arguments",
  variable_unset: "server_unavailable",
  command_not_found: "server_unavailable",
  server_unknown: "tool_unknown",
  server_unreachable: "server_unavailable",
  server_closed: "server_unavailable",
  server_misbehaved: "server_unavailable",
  tool_unknown: "tool_unknown",
  tool_failed: "tool_failed",
  input_required: "tool_failed",
  timeout: "timeout",
  cancelled: "cancelled",
  too_large: "limit",
  file_conflict: "tool_failed",
  store_unusable: "tool_failed",
  internal: "tool_failed",
};

export function toCallFailure(error: unknown): { message: string; code: CallFailureCode } {
  return {
    message: errorMessage(error),
    code: error instanceof KeyholeError ? CODES[error.code] : "tool_failed",
  };
}
