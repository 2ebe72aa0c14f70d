import { type CleanState, isOlderThan, listEntries, toRemovable } from "../folder-entries.ts";
import type { CleanKind } from "../kind.ts";

const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** By which one process ends runs of another: whoever left one waits a minute at most. */
export function cancelMarks(state: CleanState): CleanKind {
  return {
    name: "marks of cancelled runs",
    async list() {
      const entries = await listEntries(state, ["cancel"]);
      return entries
        .filter(({ mtimeMs }) => isOlderThan(mtimeMs, FORGOTTEN_MS))
        .map((entry) => toRemovable(state, entry, { reason: "nobody waits for it any more" }));
    },
  };
}
