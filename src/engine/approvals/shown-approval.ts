import type { About, Approval, ApprovalStatus, PendingCall } from "../../policy/approvals/approval.ts";
import { toAskedCommand } from "../../policy/approvals/command-call.ts";

/** A question as data, for whoever may answer it: the same by HTTP, webhook, `--json` and in the library. */
export type ShownApproval = {
  readonly id: string;
  readonly runId: string;
  readonly session: string;
  readonly principal: string;
  readonly status: ApprovalStatus;
  readonly calls: readonly ShownCall[];
  readonly risk: { readonly score: number; readonly level: string } | null;
  /** The program around the calls, with line numbers. */
  readonly excerpt?: string;
  readonly impact?: unknown;
  /** All that the program would write, as it was planned; from which call on that is a guess. */
  readonly plan?: { readonly guessFrom?: number };
  /** Writes of the run that were made already, or may have been. */
  readonly written: About["written"];
  /** What was approved before in the same run, a line each. */
  readonly approvedBefore: readonly string[];
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly answer?: object;
};

type ShownCall = Pick<PendingCall, "number" | "server" | "tool" | "args" | "reason"> & {
  /** Of `runCommand`: as it could be typed. */
  readonly commandLine?: string;
  /** It was sent before, and nobody knows whether it was done: approved, it is made again. */
  readonly mayHaveHappened?: true;
};

export function toShownApproval({
  about: { risk, classes: _classes, ...about },
  createdAt,
  expiresAt,
  answer,
  calls,
  ...rest
}: Approval): ShownApproval {
  return {
    ...rest,
    calls: calls.map(toShownCall),
    risk: risk ?? null,
    ...about,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(answer === undefined ? {} : { answer: { ...answer, at: new Date(answer.at).toISOString() } }),
  };
}

function toShownCall(call: PendingCall): ShownCall {
  const { number, server, tool, args, reason, repeat } = call;
  const commandLine = toAskedCommand(call);
  return {
    number,
    server,
    tool,
    ...(commandLine !== undefined && { commandLine }),
    args,
    reason,
    ...(repeat !== undefined && { mayHaveHappened: true }),
  };
}
