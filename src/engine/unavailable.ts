import type { CatalogEntry } from "../catalog/entry.ts";
import type { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";

/** Why the servers that are configured and have no functions are not there, by the names that a program would use. */
export function toUnavailable(entries: readonly CatalogEntry[]): Map<string, string> {
  const reasons = new Map<string, string>();
  for (const { identifiers, record, status, error } of entries) {
    if (status === "disabled") reasons.set(identifiers.typescript, "is disabled in the configuration");
    else if (record === undefined && status === "failed")
      reasons.set(identifiers.typescript, toReason(error));
    else if (record === undefined && status === "unread")
      reasons.set(identifiers.typescript, "is starting; try again soon");
  }
  return reasons;
}

/** With its last words: what a server says before it ends is most often the reason. */
function toReason(error: KeyholeError | undefined): string {
  const words = error?.details.at(-1);
  const message = toExcerpt(error?.message ?? "for an unknown reason");
  return words === undefined ? `failed: ${message}` : `failed: ${message} (${toExcerpt(words)})`;
}
