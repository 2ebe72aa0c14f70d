import type { Database } from "../../../store/database/sqlite.ts";
import type { CleanKind } from "../kind.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A value, what it is looked up by, and where it was seen. */
const ROW_BYTES = 400;

/** Values that nobody has met for so long, if the user wants them to be forgotten: their tokens mean nothing any more. */
export function vaultValues(
  db: Database | undefined,
  keepDays: number | undefined,
  forget: (notSeenSince: number) => Promise<void>,
): CleanKind {
  return {
    name: "values in the vault",
    async list() {
      if (db === undefined || keepDays === undefined) return [];
      const since = Date.now() - keepDays * DAY_MS;
      const [[count] = []] = db.all("SELECT count(*) FROM vault_values WHERE seen_at < ?", [since]);
      const values = Number(count);
      if (values === 0) return [];
      return [
        {
          name: values === 1 ? "1 value" : `${values} values`,
          bytes: values * ROW_BYTES,
          usedAt: since,
          reason: `not met for ${keepDays} ${keepDays === 1 ? "day" : "days"}`,
          async remove() {
            await forget(since);
            return true;
          },
        },
      ];
    },
  };
}
