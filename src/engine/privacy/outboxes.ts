import { createOutbox, type Outbox, type OutgoingFilter } from "../../result/outbox/outbox.ts";
import type { Privacy } from "./privacy.ts";

/** The way out for each principal: what their vault knows does not leave. Without one, as it is. */
export function createOutboxes(
  privacy: Pick<Privacy, "opened">,
  filters: readonly OutgoingFilter[] = [],
): (principal?: string) => Outbox {
  const known = new Map<string, Outbox>();
  const nobody = createOutbox(filters);
  return (principal) => {
    if (principal === undefined) return nobody;
    const found = known.get(principal);
    if (found !== undefined) return found;
    // Before the vault is open, no program has run and nothing of it can leave.
    const conceal: OutgoingFilter = (text, isKey) => privacy.opened(principal)?.filter(text, isKey) ?? text;
    const outbox = createOutbox([conceal, ...filters]);
    known.set(principal, outbox);
    return outbox;
  };
}
