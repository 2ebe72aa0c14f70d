import { type ErrorCode, KeyholeError } from "../errors.ts";

/**
 * Why something did not go out: `denied` by a rule or by what the address is, a `limit`, `unreachable` when the other side
 * could not be had, `malformed` when what was asked is no request.
 */
export type EgressReason = "denied" | "limit" | "unreachable" | "malformed";

const CODES: { readonly [reason in EgressReason]: ErrorCode } = {
  denied: "denied",
  limit: "too_large",
  unreachable: "server_unreachable",
  malformed: "usage",
};

/** Only our own words reach a program. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  return new EgressError("unreachable", "the connection was lost");
}

/** Its message is ours, and shown to programs. */
export class EgressError extends KeyholeError {
  override readonly name: string = "EgressError";
  readonly reason: EgressReason;
  /** What is alike, whichever host its message names. */
  readonly kind: string;

  constructor(reason: EgressReason, message: string, kind: string = reason) {
    super(CODES[reason], message);
    this.reason = reason;
    this.kind = kind;
  }
}
