import { KeyholeError } from "../../errors.ts";
import type { DecidedBy } from "../../policy/permissions/policy.ts";
import { type KeyholeCommand, PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import type { AnomalyVerdicts, Suspect } from "./watch-audit.ts";

/** What the watch has to say before a run is taken, and before a call that may write is made. */
export type AnomalyHeed = {
  /** Throws (`denied`) where the session was stopped. */
  assertGoing(suspect: Suspect): void;
  /** Why it was stopped; nothing where it was not. */
  stopOf(suspect: Suspect): { readonly message: string; readonly hint: string } | undefined;
  /** What there is against something that a session writes: it was stopped, or a person must be asked. */
  objectionTo(suspect: Suspect): AnomalyObjection | undefined;
};

export type AnomalyObjection = {
  readonly by: Extract<DecidedBy, { kind: "anomaly" }>;
} & (
  | { readonly decision: "ask"; readonly reason: string }
  | { readonly decision: "deny"; readonly message: string; readonly hint: string }
);

export function createAnomalyHeed(
  { verdictOf }: AnomalyVerdicts,
  command: KeyholeCommand = PLAIN_COMMAND,
): AnomalyHeed {
  function toStop({ reason, session }: NonNullable<ReturnType<typeof verdictOf>>, { id }: Suspect) {
    const whose = session === id ? "This session" : "An earlier session of this client";
    return {
      message: `${whose} was stopped for what it did (${reason})`,
      hint: `The user can look at it by ${command("audit anomalies")}, and let it go on by ${command(`audit anomalies --release ${session}`)}`,
    };
  }

  function stopOf(suspect: Suspect): ReturnType<typeof toStop> | undefined {
    const found = verdictOf(suspect);
    return found?.verdict === "stop" ? toStop(found, suspect) : undefined;
  }

  return {
    assertGoing(suspect) {
      const stop = stopOf(suspect);
      if (stop !== undefined) throw new KeyholeError("denied", stop.message, { hint: stop.hint });
    },
    stopOf,
    objectionTo(suspect) {
      const found = verdictOf(suspect);
      if (found === undefined) return undefined;
      const by = { kind: "anomaly", rule: found.rule, session: found.session } as const;
      if (found.verdict === "stop") return { decision: "deny", by, ...toStop(found, suspect) };
      const whose = found.session === suspect.id ? "this session" : "an earlier session of this client";
      const reason = `what ${whose} did was unusual (${found.reason}), so each thing that it writes needs the word of a person`;
      return { decision: "ask", by, reason };
    },
  };
}
