import { KeyholeError } from "../../errors.ts";
import { describeBy, type Policy, type PolicyVerdict } from "../../policy/permissions/policy.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import { type Call, type CallStage, toAsked } from "./call.ts";

/** Asks a person. The call that may be made, perhaps with other arguments; fails with `denied` when it may not. */
export type Approve = (call: Call, verdict: PolicyVerdict) => Promise<Call>;

/** Each call is decided on here, in the host, with its real arguments, whatever was found out about the program before. */
export function createPermission(policy: Policy, approve: Approve): CallStage {
  return async (call, next) => {
    const waiting = policy.ready();
    if (waiting !== undefined) await waiting;
    const { tool } = call;
    const verdict = policy.decide(toAsked(call));
    const isUnplanned = call.run.gate?.isPlanned === true && toEffect(tool) !== "reads";
    if (verdict.decision === "allow" && call.repeat === undefined && !isUnplanned) return next(call);
    if (verdict.decision === "deny") throw toDenied(call, verdict);
    const approved = await approve(call, withReason(call, verdict));
    if (verdict.by.kind === "change") policy.accept(tool);
    return next(approved);
  };
}

/** What a rule allows is asked for where it was sent before, or is not on the plan that a person approved. */
function withReason({ repeat }: Call, verdict: PolicyVerdict): PolicyVerdict {
  if (repeat !== undefined) return { ...verdict, reason: SENT_BEFORE };
  return verdict.decision === "allow" ? { ...verdict, reason: NOT_PLANNED } : verdict;
}

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

/** Where nobody can be asked. */
export async function refuseUnasked({ server, tool }: Call, { reason, by }: PolicyVerdict): Promise<Call> {
  const rule = JSON.stringify({ server: server.name, tool: tool.name, decision: "allow" });
  const message = `"${tool.name}" of server "${server.name}" needs the word of a person: ${reason}`;
  const nobody =
    'Nobody can be asked here: of the ways in "approval.channels" none leads to a person. The user can add "cli" to it and answer by keyhole approvals (where Keyhole is a library: give createKeyhole an onApproval)';
  const way =
    by.kind === "change"
      ? `they can look at it and run keyhole policy accept ${server.name}.${tool.name}`
      : `they can allow it by a rule in "permissions.rules" of keyhole.config.json, before ${describeBy(by)}: ${rule}`;
  throw new KeyholeError("denied", message, {
    server: server.name,
    tool: tool.name,
    hint: `${nobody}, or ${way}`,
  });
}
