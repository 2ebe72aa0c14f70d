import type { EventAction } from "../event.ts";
import { readDetails } from "../query/details.ts";
import type { LoggedEvent } from "../reader.ts";

/** What only a person does, from outside: the session and the principal of such an event are whom it concerns. */
const BY_PERSON: ReadonlySet<EventAction> = new Set([
  "approval.answered",
  "trust.given",
  "trust.revoked",
  "pii.shown",
  "pii.forgotten",
  "anomaly.released",
]);

export type Actor = {
  /** Nothing where nobody is known: who is concerned is never named for who did it. */
  readonly name: string | undefined;
  /** Whom it concerns, where that is not who did it. */
  readonly concerns?: string | undefined;
  /** Whether it was done from outside the session. */
  readonly isOutside: boolean;
};

/** Who did it: of an approval, whoever answered, and not whose run had asked. */
export function toEventActor(event: LoggedEvent): Actor {
  const person = readDetails(event).text("person");
  if (person === undefined && !BY_PERSON.has(event.action))
    return { name: event.principal, isOutside: false };
  return { name: person, concerns: event.principal, isOutside: true };
}
