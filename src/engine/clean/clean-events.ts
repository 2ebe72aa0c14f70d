import type { NewEvent } from "../../audit/event.ts";
import type { CleanedProject } from "./clean-project.ts";

/** How many of each kind went, and by whom; names are not told. */
export function toCleanEvent(
  { removed, more, bytes, failed }: CleanedProject,
  by: "gateway" | "cli",
): NewEvent {
  const kinds: Record<string, number> = {};
  for (const { kind } of removed) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    action: "clean.ended",
    outcome: failed.length === 0 ? "ok" : "failed",
    details: { by, kinds, more, bytes },
  };
}
