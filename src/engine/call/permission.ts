import { toShownFile } from "../../config/permissions/shown-file.ts";
import { KeyholeError } from "../../errors.ts";
import { describeBy, type Policy, type PolicyVerdict } from "../../policy/permissions/policy.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import { PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import type { AnomalyHeed, AnomalyObjection } from "../audit/heed-anomaly.ts";
import { toAlwaysLeave, toAnsweredLeave, toLeave } from "../audit/leave.ts";
import { type Call, type CallStage, toAsked } from "./call.ts";

/** Asks a person. The call that may be made, perhaps with other arguments; fails with `denied` when it may not. */
export type Approve = (call: Call, verdict: PolicyVerdict) => Promise<Call>;

/** Each call is decided on here, in the host, with its real arguments, whatever was found out about the program before. */
export function createPermission(policy: Policy, approve: Approve, heed?: AnomalyHeed): CallStage {
  return async (call, next) => {
    const waiting = policy.ready();
    if (waiting !== undefined) await waiting;
    const { tool, trace } = call;
    const verdict = policy.decide(toAsked(call));
    if (call.run.trail !== undefined) trace.leave = toLeave(verdict);
    const isRead = toEffect(tool) === "reads";
    const isUnplanned = call.run.gate?.isPlanned === true && !isRead;
    const unusual = isRead ? undefined : heed?.objectionTo(call.session);
    if (unusual?.decision === "deny") {
      const { by, message, hint } = unusual;
      if (call.run.trail !== undefined) trace.leave = { decision: "deny", by: describeBy(by) };
      throw new KeyholeError("denied", message, { hint });
    }
    const isUnasked = call.repeat === undefined && !isUnplanned && unusual === undefined;
    if (verdict.decision === "allow" && isUnasked) {
      if (call.run.kept !== undefined && call.run.trail !== undefined) await noteAlways(call);
      return next(call);
    }
    if (verdict.decision === "deny") throw toDenied(call, verdict);
    // What a person is asked passes a client: nothing in it may be unknown.
    await call.run.privacy?.settled(call.session.id);
    const asking = withReason(call, verdict, unusual);
    if (call.run.trail !== undefined) trace.leave = toAnsweredLeave(asking, { isApproved: false });
    const approved = await approve(call, asking);
    // Whoever answers may not be the one whose rules these are.
    const edited = approved.args === call.args ? verdict : policy.decide(toAsked(approved));
    if (edited.decision === "deny") {
      trace.leave = toLeave(edited);
      throw toDenied(call, { ...edited, reason: `${EDITED}: ${edited.reason}` });
    }
    if (verdict.by.kind === "change") policy.accept(tool);
    return next(approved);
  };
}

/** It waited for a person, who said yes for always: that answer let it through, which the rule came of. */
async function noteAlways({ run, server, tool, args, number, trace }: Call) {
  if (number === undefined) return;
  const asked = { number, server: server.name, tool: tool.name, toolHash: tool.hash, args, reason: "" };
  // That it can't be looked up is no reason not to make it.
  const found = await run.gate?.desk.always?.(asked).catch(() => undefined);
  if (found?.answer === undefined) return;
  trace.leave = toAlwaysLeave(found.id, found.answer.by);
  run.trail?.approvals.add(found.id);
}

/** What a rule allows is asked for where it was sent before, its session is conspicuous, or it is not on the plan that a person approved. */
function withReason(
  { repeat }: Call,
  verdict: PolicyVerdict,
  unusual: Extract<AnomalyObjection, { decision: "ask" }> | undefined,
): PolicyVerdict {
  const isAllowed = verdict.decision === "allow";
  if (repeat !== undefined)
    return { ...verdict, reason: SENT_BEFORE, ...(isAllowed && { by: { kind: "repeat" } }) };
  if (!isAllowed) return verdict;
  if (unusual !== undefined) return { ...verdict, reason: unusual.reason, by: unusual.by };
  return { ...verdict, reason: NOT_PLANNED, by: { kind: "plan" } };
}

const EDITED = "a person approved it with other arguments, and with those it may not be made";
const NOT_PLANNED = "it is not on the plan that was approved, or has other arguments there";
const SENT_BEFORE =
  "it was sent before, and nobody knows whether it was done: approved, it is made again; denied, it is left as it is";

function toDenied({ server, tool }: Call, { reason }: PolicyVerdict): KeyholeError {
  return new KeyholeError("denied", `"${tool.name}" of server "${server.name}" is denied: ${reason}`, {
    server: server.name,
    tool: tool.name,
    hint: "Do without it, or tell the user what it is needed for",
  });
}

/**
 * Where nobody can be asked.
 * @param closed what each way lacks that is there by name
 */
export async function refuseUnasked(
  { server, tool, run }: Call,
  { reason, by }: PolicyVerdict,
  closed: readonly string[] = [],
): Promise<Call> {
  const rule = JSON.stringify({ server: server.name, tool: tool.name, decision: "allow" });
  const message = `"${tool.name}" of server "${server.name}" needs the word of a person: ${reason}`;
  const command = run.gate?.command ?? PLAIN_COMMAND;
  const why = closed.length === 0 ? "" : ` (${closed.join("; ")})`;
  const nobody = `Nobody can be asked here: of the ways in "approval.channels" none leads to a person${why}. The user can have "cli" in it and answer by ${command("approvals")} (where Keyhole is a library: give createKeyhole an onApproval, or a stateDir that outlives it)`;
  throw new KeyholeError("denied", message, {
    server: server.name,
    tool: tool.name,
    hint: [nobody, ...toOtherWay()].join(", or "),
  });

  /** Without an answer to this question. No rule helps where rules allow it already. */
  function toOtherWay(): string[] {
    switch (by.kind) {
      case "change":
        return [`they can look at it and run ${command(`policy accept ${server.name}.${tool.name}`)}`];
      case "anomaly":
        return [
          `they can look at what it did by ${command("audit anomalies")}, and let it go on by ${command(`audit anomalies --release ${by.session}`)}`,
        ];
      case "plan":
      case "repeat":
        return [];
      default: {
        const file = "file" in by && by.file !== undefined ? toShownFile(by.file) : "keyhole.config";
        return [
          `they can allow it by a rule in "permissions.rules" of ${file}, before ${describeBy(by)}: ${rule}`,
        ];
      }
    }
  }
}
