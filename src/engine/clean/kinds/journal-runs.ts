import type { Database } from "../../../store/database/sqlite.ts";
import { measureOldRuns } from "../../journal/retention.ts";
import type { CleanKind } from "../kind.ts";

export type OldRunsOptions = {
  readonly keepMs: number;
  /** Looks after the whole journal, as it does by itself once an hour. */
  tidy(): Promise<void>;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs that are older than they are kept, with all that was written down of them. Nothing of it goes to make room: it has a bound of its own. */
export function journalRuns(db: Database | undefined, { keepMs, tidy }: OldRunsOptions): CleanKind {
  return {
    name: "runs in the journal",
    async list() {
      if (db === undefined) return [];
      const { runs, bytes, oldestAt } = measureOldRuns(db, Date.now() - keepMs);
      if (runs === 0) return [];
      return [
        {
          name: runs === 1 ? "1 run" : `${runs} runs`,
          bytes,
          usedAt: oldestAt,
          reason: `older than ${Math.round(keepMs / DAY_MS)} days`,
          async remove() {
            await tidy();
            return true;
          },
        },
      ];
    },
  };
}
