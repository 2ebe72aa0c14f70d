import { KeyholeError } from "../../errors.ts";
import type { PendingCall } from "../../policy/approvals/approval.ts";
import type { Ruling } from "../../policy/approvals/rulings.ts";
import type { PolicyVerdict } from "../../policy/permissions/policy.ts";
import { toAnsweredLeave } from "../audit/leave.ts";
import type { Call } from "../call/call.ts";
import { type Approve, refuseUnasked } from "../call/permission.ts";

/**
 * Has a person asked, where the run has a way to: the call that may be made, perhaps with other arguments. While nobody has
 * answered the run is held; when that takes too long, the run ends as waiting, and goes on from here another time.
 */
export const approve: Approve = async (call, verdict) => {
  const { run, server, tool, signal } = call;
  if (run.gate === undefined || call.number === undefined) return refuseUnasked(call, verdict);
  const { desk } = run.gate;
  const pending = toPending(call, call.number, verdict);
  // Asked again after a crash, it must be the same question.
  await run.gate.durable?.committed();
  const made = call.recorded === undefined ? 0 : (run.gate.durable?.timesMade(call.recorded) ?? 0);
  const ask = () => desk.ask(pending, signal, made);
  const ruling = await (call.hold === undefined ? ask() : call.hold(ask));
  const named = { server: server.name, tool: tool.name };
  if (signal.aborted && ruling.decision !== "waiting")
    throw new KeyholeError("cancelled", `"${tool.name}" of server "${server.name}" was cancelled`, named);
  noteLeave(call, verdict, ruling);
  if (ruling.decision === "approved") {
    if (ruling.args !== call.args) call.trace.args = ruling.args;
    return { ...call, args: ruling.args };
  }
  if (ruling.decision === "unasked") return refuseUnasked(call, verdict, ruling.closed);
  if (ruling.decision === "denied")
    throw new KeyholeError(
      "denied",
      `"${tool.name}" of server "${server.name}" is denied: ${ruling.reason}${toWhyAsked(verdict)}`,
      {
        ...named,
        hint: "Do without it, or tell the user what it is needed for",
      },
    );
  await run.gate.wait(ruling.approval);
  throw new KeyholeError("waiting", `"${tool.name}" of server "${server.name}" waits for a person`, named);
};

function noteLeave({ run, trace }: Call, verdict: PolicyVerdict, ruling: Ruling): void {
  if (run.trail === undefined) return;
  const isApproved = ruling.decision === "approved";
  const { approval, by } = ruling.decision === "unasked" || ruling.decision === "waiting" ? NOBODY : ruling;
  trace.leave = toAnsweredLeave(verdict, {
    isApproved,
    ...(approval !== undefined && { approval }),
    ...(by !== undefined && { by }),
  });
  const asked = ruling.decision === "waiting" ? ruling.approval : approval;
  if (asked !== undefined) run.trail.approvals.add(asked);
}

/** Of what rules allow, nobody would think that somebody was asked. */
function toWhyAsked({ by, reason }: PolicyVerdict): string {
  return by.kind === "anomaly" ? ` (they were asked since ${reason})` : "";
}

const NOBODY = { approval: undefined, by: undefined };

function toPending(
  { server, tool, args, repeat }: Call,
  number: number,
  verdict: PolicyVerdict,
): PendingCall {
  const reason = verdict.detail === undefined ? verdict.reason : `${verdict.reason}: ${verdict.detail}`;
  const asked = { number, server: server.name, tool: tool.name, toolHash: tool.hash, args, reason };
  return repeat === undefined ? asked : { ...asked, repeat };
}
