import type { Session } from "../../session.ts";
import type { ResultScope } from "../../workspace/saved-results.ts";

/** By which a session is told from all others where turns are taken. */
export function toTurn({ principal, id }: Session): string {
  return JSON.stringify([principal, id]);
}

/** Who sees the results that were saved for a session. */
export function toScope({ principal, id, savesFor }: Session): ResultScope {
  return { principal, ...(savesFor === "session" ? { session: id } : {}) };
}
