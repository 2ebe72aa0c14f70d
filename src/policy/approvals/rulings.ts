import { isDeepStrictEqual } from "node:util";
import type { Approval, PendingCall } from "./approval.ts";

/** What comes of asking for a call. */
export type Ruling =
  | {
      readonly decision: "approved";
      readonly args: PendingCall["args"];
      readonly approval: string;
      /** By which way, and who as far as that is known. */
      readonly by: string;
    }
  | {
      readonly decision: "denied";
      readonly reason: string;
      readonly approval?: string;
      /** Of the person who said no, where one did. */
      readonly by?: string;
    }
  /** There is no way by which a person could answer. */
  | { readonly decision: "unasked"; readonly closed: readonly string[] }
  /** Nobody has answered yet. */
  | { readonly decision: "waiting"; readonly approval: string };

/** So many denials in a row are an answer to whatever else a run asks: its program would not leave off by itself. */
export const MAX_DENIED = 10;

export function isTiring(ofRun: readonly Approval[]): boolean {
  const last = ofRun.filter(({ status }) => status !== "withdrawn").slice(-MAX_DENIED);
  return last.length === MAX_DENIED && last.every(({ answer }) => answer?.decision === "deny");
}

/** What is made again is what was made: with the arguments that a person gave it then. */
export function asSent(ofRun: readonly Approval[], call: PendingCall): PendingCall {
  const { number, repeat } = call;
  if (repeat === undefined) return call;
  const before = ofRun.filter(({ calls }) =>
    calls.some((one) => one.number === number && isSameTool(one, call) && (one.repeat ?? 0) < repeat),
  );
  const edits = before.map(({ answer }) =>
    answer?.decision === "approve" ? answer.edits?.[String(number)] : undefined,
  );
  return { ...call, args: edits.findLast((args) => args !== undefined) ?? call.args };
}

/** What was answered for more than this call. */
export async function findCovering(
  ofRun: readonly Approval[],
  call: PendingCall,
  listOfSession: () => Promise<readonly Approval[]>,
): Promise<Approval | undefined> {
  // Whoever approved it, approved that it is done once.
  if (call.repeat !== undefined) return undefined;
  const covers = ({ answer, calls }: Approval, scopes: readonly string[]) => {
    if (answer?.decision !== "approve") return false;
    // For what more the person meant, there is a rule in the config: it is obeyed by whoever reads it next.
    if (answer.scope === "always")
      return calls.some((one) => isSameTool(one, call) && isDeepStrictEqual(one.args, call.args));
    return scopes.includes(answer.scope) && calls.some((one) => isSameTool(one, call));
  };
  return (
    ofRun.find((approval) => covers(approval, ["run", "session"])) ??
    (await listOfSession()).find((approval) => covers(approval, ["session"]))
  );
}

/** What was approved once is used up by the call that was made: another one by its number is asked for again. */
export function findSame(ofRun: readonly Approval[], call: PendingCall, made: number): Approval | undefined {
  const asked = ofRun.filter(({ status }) => status !== "withdrawn");
  const same = asked.findLast(({ calls }) => calls.some((one) => isSame(one, call)));
  if (same?.status !== "approved" || call.repeat !== undefined || made === 0) return same;
  const before = same.calls.find((one) => isSame(one, call))?.made ?? 0;
  const approved = asked.flatMap(({ status, calls }) => (status === "approved" ? calls : []));
  const alike = approved.filter(
    (one) =>
      one.repeat === undefined &&
      (one.made ?? 0) >= before &&
      isSameTool(one, call) &&
      isDeepStrictEqual(one.args, call.args),
  );
  return alike.length > made - before ? same : undefined;
}

/** What a person said of this very call, for always: by now a rule may allow it. */
export function findAlways(ofRun: readonly Approval[], call: PendingCall): Approval | undefined {
  return ofRun.findLast(
    ({ answer, calls }) =>
      answer?.decision === "approve" &&
      answer.scope === "always" &&
      calls.some((one) => isSameTool(one, call) && isDeepStrictEqual(one.args, call.args)),
  );
}

/** A tool whose definition has changed since is another one. */
function isSameTool(a: PendingCall, b: PendingCall): boolean {
  return a.server === b.server && a.tool === b.tool && a.toolHash === b.toolHash;
}

function isSame(a: PendingCall, b: PendingCall): boolean {
  return (
    a.number === b.number && a.repeat === b.repeat && isSameTool(a, b) && isDeepStrictEqual(a.args, b.args)
  );
}

/** Whoever embeds Keyhole answers by a function. */
function toWho(by: string): string {
  if (by === "library") return "onApproval said no";
  return by === "library, failed" ? "onApproval failed" : "a person said no";
}

export function toRuling(
  { id, status, answer, calls }: Approval,
  call: PendingCall,
  run: { obstacle?(): string | undefined },
): Ruling {
  if (status === "pending") return { decision: "waiting", approval: id };
  if (answer?.decision === "approve") {
    const isAsked = calls.some((one) => isSame(one, call));
    const edited = isAsked ? answer.edits?.[String(call.number)] : undefined;
    return { decision: "approved", args: edited ?? call.args, approval: id, by: answer.by };
  }
  if (answer?.decision === "deny") {
    const said = answer.reason === undefined ? "" : `: ${answer.reason}`;
    return { decision: "denied", reason: `${toWho(answer.by)}${said}`, approval: id, by: answer.by };
  }
  const obstacle = run.obstacle?.();
  if (status === "withdrawn" && obstacle !== undefined)
    return {
      decision: "denied",
      approval: id,
      reason: `nobody answered in time, and the run can't be left to wait: ${obstacle}`,
    };
  return {
    decision: "denied",
    approval: id,
    reason: status === "expired" ? "nobody answered in time" : "nobody was asked",
  };
}
