import type { CatalogEntry } from "../catalog/entry.ts";
import { toExcerpt } from "../plain-text.ts";

/** Why the servers that are configured and have no functions are not there, by the names that a program would use. */
export function toUnavailable(entries: readonly CatalogEntry[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const { identifiers, record, status, error } of entries) {
    if (status === "disabled") reasons.set(identifiers.typescript, "is disabled in the configuration");
    else if (record === undefined && status === "failed")
      reasons.set(identifiers.typescript, `failed: ${toExcerpt(error?.message ?? "for an unknown reason")}`);
    else if (record === undefined && status === "unread")
      reasons.set(identifiers.typescript, "is starting; try again soon");
  }
  return reasons;
}
