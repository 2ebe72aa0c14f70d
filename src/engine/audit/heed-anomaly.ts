import { KeyholeError } from "../../errors.ts";
import { type KeyholeCommand, PLAIN_COMMAND } from "../../text/keyhole-command.ts";
import type { AnomalyVerdicts, Suspect } from "./watch-audit.ts";

/** What the watch has to say before a run is taken, and before a call that may write is made. */
export type AnomalyHeed = {
  /** Throws (`denied`) where the session was stopped. */
  assertGoing(suspect: Suspect): void;
  /** Why it was stopped; nothing where it was not. */
  stopOf(suspect: Suspect): { readonly message: string; readonly hint: string } | undefined;
  /** Why a person must be asked for what a session writes; nothing where nobody must. Throws as above. */
  askReason(suspect: Suspect): string | undefined;
};

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

  function assertNotStopped(suspect: Suspect): ReturnType<typeof verdictOf> {
    const found = verdictOf(suspect);
    if (found?.verdict !== "stop") return found;
    const { message, hint } = toStop(found, suspect);
    throw new KeyholeError("denied", message, { hint });
  }

  return {
    assertGoing: (suspect) => void assertNotStopped(suspect),
    stopOf(suspect) {
      const found = verdictOf(suspect);
      return found?.verdict === "stop" ? toStop(found, suspect) : undefined;
    },
    askReason(suspect) {
      const found = assertNotStopped(suspect);
      if (found === undefined) return undefined;
      const whose = found.session === suspect.id ? "this session" : "an earlier session of this client";
      return `what ${whose} did was unusual (${found.reason}), so each thing that it writes needs the word of a person`;
    },
  };
}
