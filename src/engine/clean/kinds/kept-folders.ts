import { PLANS_FOLDER } from "../../../store/own-tree.ts";
import { isUnused, type KeptForRuns } from "../../replay/run-folder.ts";
import type { CleanState } from "../folder-entries.ts";
import type { CleanKind, Removable } from "../kind.ts";
import { measureFolder } from "../used-bytes.ts";

/** Copies of workspaces, of runs that have ended or are gone. One of a run that can still go on stays, whatever the room. */
export function keptFolders(state: CleanState, { kept, ...context }: KeptForRuns): CleanKind {
  return {
    name: "copies of workspaces",
    async list() {
      const found: Removable[] = [];
      for (const one of await kept.list()) {
        if (!(await isUnused(one, context))) continue;
        const sizes = await Promise.all(
          ["kept", PLANS_FOLDER].map((folder) =>
            measureFolder(state, [folder, one.run]).catch(() => ({ bytes: 0 })),
          ),
        );
        found.push({
          name: `kept/${one.run}`,
          bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
          usedAt: one.since,
          reason: "its run has ended",
          async remove() {
            if (!(await isUnused(one, context))) return false;
            await kept.drop(one.run);
            return true;
          },
        });
      }
      return found;
    },
  };
}
