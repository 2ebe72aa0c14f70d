import type { Approval } from "../../policy/approvals/approval.ts";

/** A question as data, for whoever may answer it. */
export function toShownApproval({ about, createdAt, expiresAt, answer, calls, ...rest }: Approval) {
  return {
    ...rest,
    calls: calls.map(({ number, server, tool, args, reason }) => ({ number, server, tool, args, reason })),
    ...about,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...(answer === undefined ? {} : { answer: { ...answer, at: new Date(answer.at).toISOString() } }),
  };
}
