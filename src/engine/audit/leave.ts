import type { Leave } from "../../audit/event.ts";
import { describeBy, type PolicyVerdict } from "../../policy/permissions/policy.ts";
import { toToldName } from "./told-names.ts";

const known = new WeakMap<PolicyVerdict, Leave>();

/** What the rules said of a call; what they allow, nobody was asked for. */
export function toLeave(verdict: PolicyVerdict): Leave {
  const { decision, by } = verdict;
  const leave = known.get(verdict) ?? {
    decision,
    by: describeBy(by),
    ...(decision === "allow" && { approved: "auto" as const }),
  };
  known.set(verdict, leave);
  return leave;
}

/** The same with what a person said to it. */
export function toAnsweredLeave(
  verdict: PolicyVerdict,
  {
    approval,
    by,
    isApproved,
  }: { readonly approval?: string; readonly by?: string; readonly isApproved: boolean },
): Leave {
  const { decision, by: rule } = toLeave(verdict);
  const asked = { decision: decision === "allow" ? "ask" : decision, by: rule } as const;
  const approved = isApproved ? { approved: by === EXPIRY ? ("auto" as const) : ("person" as const) } : {};
  return {
    ...asked,
    ...approved,
    ...(approval !== undefined && { approval }),
    ...(by !== undefined && toAnswerer(by)),
  };
}

/** It was let through by what a person said for always, not by the rule that came of it: by that, those after it are. */
export function toAlwaysLeave(approval: string, by: string): Leave {
  return {
    decision: "allow",
    by: "an approval for always",
    approved: "person",
    approval,
    ...toAnswerer(by),
  };
}

/** Nobody answered in time, and the config says what that means. */
const EXPIRY = "expiry";

const OWN: ReadonlySet<string> = new Set(["cli", "terminal", "http"]);

/** Of `cli root`, `elicitation claude-code`, `http ada`: the way, and who as far as that is known. */
export function toAnswerer(by: string): { readonly channel: string; readonly person?: string } {
  const [, channel = by, person = ""] = /^([a-z]+)[ ,]*(.*)$/s.exec(by) ?? [];
  if (person === "") return { channel };
  // Of the user's own machine and config; of others, it is what they say of themselves.
  return { channel, person: OWN.has(channel) ? person.slice(0, 100) : toToldName(person) };
}
