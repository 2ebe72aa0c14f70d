import type { LoggedEvent } from "../reader.ts";
import { readDetails, toDetailReader } from "./details.ts";

/** Nobody answered in time, and the config says what that means. */
const EXPIRY = "expiry";

/**
 * Who or what decided on a call or a command, and that nobody let it through where nobody did; nothing where the event names no
 * leave. Foreign text stands in it as it is.
 */
export function describeDecision(
  event: Pick<LoggedEvent, "action" | "outcome" | "details">,
): string | undefined {
  const of = readDetails(event);
  const decision = of.text("leave", "decision");
  if (decision === undefined) return undefined;
  const by = of.text("leave", "by") ?? "an unknown rule";
  const decider = toDecider(of.record("leave"));
  const approved = of.text("leave", "approved");
  if (decision === "deny") return `denied by ${by}`;
  if (event.action === "call.denied" || event.action === "command.denied")
    return decider === undefined
      ? `denied: nobody could be asked, as ${by} wants`
      : `denied by ${toDeciderText(decider)}, asked for by ${by}`;
  if (event.outcome === "waiting") return `nobody yet: a person is asked, as ${by} wants`;
  if (approved === "person") {
    const person =
      decider === undefined ? (of.text("leave", "person") ?? "a person") : toDeciderText(decider);
    return decision === "allow"
      ? `approved by ${person}, for always`
      : `approved by ${person}, asked for by ${by}`;
  }
  if (approved === "auto" && decider !== undefined)
    return `let through by ${toDeciderText(decider)}, asked for by ${by}`;
  if (decision === "allow") return `allowed by ${by}, nobody was asked`;
  return `nobody: it was not made, and ${by} asks a person`;
}

/** Whether a person, or the lack of one, decided, rather than a rule. */
export function toDecider(leave: unknown): { readonly channel: string; readonly person: string } | undefined {
  const of = toDetailReader(leave);
  const channel = of.text("channel");
  return channel === undefined || channel === "" ? undefined : { channel, person: of.text("person") ?? "" };
}

/** `root through cli`; of one that nobody answered, that. */
export function toDeciderText({ channel, person }: { channel: string; person: string }): string {
  if (channel === EXPIRY) return "expiry: nobody answered in time";
  return `${person === "" ? "a person" : person} through ${channel}`;
}
