import { createApprovalTable } from "../../policy/approvals/approval-table.ts";
import { SANDBOX_LIMITS } from "../../sandbox/limits.ts";
import { openDatabase } from "../../store/database/open-database.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { createKeptFolders } from "../../workspace/kept-folders.ts";
import { type LeftRun, tellLeftCancelled } from "../audit/cancelled-run.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { localPerson } from "../audit/trail-of-project.ts";
import { cancelLeftRun } from "../journal/left-runs.ts";
import { markLost } from "../journal/recorded-runs.ts";

/**
 * Ends a run that no process has: one that waits for a person, or was interrupted. What is asked for it is taken back, and what
 * was kept for it is deleted. False where somebody goes on with it in this moment.
 */
export async function cancelLeft(
  state: StateDir,
  run: LeftRun,
  trail: AuditTrail | undefined,
): Promise<boolean> {
  const { id: runId } = run;
  const db = await openDatabase(state, () => {});
  const approvals = createApprovalTable((text) => state.prove("approval", text));
  try {
    const isEnded = await whenFree(() =>
      db.transaction(() => {
        markLost(db);
        if (!cancelLeftRun(db, runId, Date.now())) return false;
        const withdrawn = approvals
          .list(db, { runId, status: "pending" })
          .found.filter(({ id }) => approvals.settle(db, id, "withdrawn"));
        // What can't be written down is not done.
        if (trail) tellLeftCancelled(trail, run, withdrawn, localPerson());
        return true;
      }),
    );
    // What stays is found by whoever tidies up next.
    if (isEnded)
      await createKeptFolders(state, SANDBOX_LIMITS)
        .drop(runId)
        .catch(() => {});
    return isEnded;
  } finally {
    await db.close();
  }
}
