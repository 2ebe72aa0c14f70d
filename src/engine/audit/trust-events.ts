import type { NewEvent } from "../../audit/event.ts";
import type { Brought } from "../../config/trust/brought.ts";
import { toHash } from "../../text/hash.ts";

/** One for each thing that a folder brings: a server by its name, settings; what it was, by its hash. */
export function toTrustEvents(
  action: "trust.given" | "trust.revoked",
  items: readonly Pick<Brought, "id" | "kind" | "name" | "accepted">[],
  channel: string,
  person?: string,
): NewEvent[] {
  return items.map(({ kind, name, accepted, id }) => ({
    action,
    outcome: "ok" as const,
    ...(kind === "server" && { server: name }),
    details: { content: accepted?.digest ?? toHash(id), channel, ...(person !== undefined && { person }) },
  }));
}
