import { type CallFailureCode, errorMessage, KeyholeError, toCallFailureCode } from "../../errors.ts";

/** A failed call as the guest is told of it. */
export function toCallFailure(error: unknown): { message: string; code: CallFailureCode } {
  return {
    message: errorMessage(error),
    code: error instanceof KeyholeError ? toCallFailureCode(error.code) : "tool_failed",
  };
}
