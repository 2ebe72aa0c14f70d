import { join } from "node:path";
import { StoreError } from "../../store/database/store-error.ts";
import { withFileLock } from "../../store/file-lock.ts";
import { makeFolders } from "../../store/make-folders.ts";
import type { StateDir } from "../../store/state-dir.ts";
import type { AuditLog } from "../audit-log.ts";
import { classOf, type EventClass, isAction } from "../event.ts";
import type { AuditKeys } from "../log/keys.ts";
import type { LogRow, LogStore } from "../log/log-store.ts";
import { parseTakenOut } from "../log/pruned-ranges.ts";
import { findDoubt } from "./find-doubt.ts";
import { findExpired, type KeptDays, type PieceLimits, toRanges } from "./find-expired.ts";
import { openIntent } from "./pruning-intent.ts";
import { ARCHIVE_FOLDER, writeArchive } from "./write-archive.ts";

export type RetentionOptions = {
  readonly store: LogStore;
  readonly logId: string;
  readonly keys: Pick<AuditKeys, "known">;
  /** Where events are written: that they were taken out is one. */
  readonly log: Pick<AuditLog, "add" | "commit" | "settled">;
  readonly days: KeptDays;
  /** Whether what is taken out is kept in `.keyhole/audit-archive`. */
  readonly archive: boolean;
  readonly state: Pick<StateDir, "inFolder" | "path">;
  /** What the user's folder has of this log; two processes never take out at the same time. */
  readonly logFolder: string;
  readonly now?: number;
  readonly isDryRun?: boolean;
  readonly limits?: PieceLimits;
  /** Ends it between two pieces. */
  readonly signal?: AbortSignal;
};

export type RetentionResult = {
  readonly count: number;
  readonly classes: Readonly<Partial<Record<EventClass, number>>>;
  readonly archives: readonly string[];
};

const NOTHING: RetentionResult = { count: 0, classes: {}, archives: [] };

/**
 * Takes events out of the log that are older than their class is kept, in pieces: archived, told in the log, and then removed.
 * Of a piece in which anything was changed nothing is taken out: what shows that stays, and it is told when the others are done.
 * Whatever happens between two of these steps, nothing is lost, and what the log says was taken out is.
 */
export async function applyRetention(options: RetentionOptions): Promise<RetentionResult> {
  const { isDryRun, logFolder } = options;
  if (Object.keys(options.days).length === 0) return NOTHING;
  if (isDryRun) return takeOutAll(options);
  await makeFolders(logFolder);
  let result: RetentionResult | undefined;
  await withFileLock(join(logFolder, "retention.lock"), async () => {
    await finishOpen(options);
    result = await takeOutAll(options);
  });
  if (result !== undefined) return result;
  throw new StoreError("locked", "Another process takes old events out of the log", "Try again later");
}

async function takeOutAll(options: RetentionOptions): Promise<RetentionResult> {
  const { store, days, now = Date.now(), isDryRun, limits, signal } = options;
  const classes: Partial<Record<EventClass, number>> = {};
  const archives: string[] = [];
  const { logId, keys } = options;
  const known = await keys.known();
  let doubt: string | undefined;
  let [count, after] = [0, 0];
  for (let isLast = false; !isLast && !signal?.aborted; ) {
    const piece = await findExpired(store, { days, now, after, limits });
    ({ until: after, isLast } = piece);
    if (piece.rows.length === 0) continue;
    const found = await findDoubt(piece.rows, { store, logId, known, days, now });
    doubt ??= found;
    if (found !== undefined) continue;
    const own = countClasses(piece.rows);
    const archive = isDryRun ? undefined : await takeOut(piece.rows, own, options);
    if (archive !== undefined) archives.push(archive);
    count += piece.rows.length;
    for (const kind of Object.keys(own) as EventClass[])
      classes[kind] = (classes[kind] ?? 0) + (own[kind] ?? 0);
  }
  if (doubt !== undefined)
    throw new StoreError(
      "other",
      `${doubt}. Nothing near it is taken out`,
      'See what "keyhole audit verify" finds',
    );
  return { count, classes, archives };
}

async function takeOut(
  rows: readonly LogRow[],
  classes: Readonly<Record<string, number>>,
  options: RetentionOptions,
): Promise<string | undefined> {
  const { store, log, logId, archive, state, logFolder } = options;
  const ranges = toRanges(rows);
  const written = archive ? await writeArchive(state, { logId, rows, store }) : undefined;
  const where = written && { archive: `${ARCHIVE_FOLDER}/${written.name}`, archiveHash: written.hash };
  const open = openIntent(logFolder);
  await open.write({ after: (await store.head())?.sequence ?? 0, ranges });
  log.add({
    action: "audit.pruned",
    outcome: "ok",
    details: { ranges, count: rows.length, classes, ...where },
  });
  await log.commit();
  // In the log before anything is gone from it.
  await log.settled();
  await store.prune(ranges);
  await open.clear();
  return where?.archive;
}

/** A process may have ended after it had said in the log what it takes out, and before it did; what it had not said yet is begun anew. */
async function finishOpen({ store, log, logFolder }: RetentionOptions): Promise<void> {
  const open = openIntent(logFolder);
  const intent = await open.read();
  if (intent === undefined) return;
  // What that process wrote down last may be in its spool.
  await log.settled();
  const { after, ranges } = intent;
  const said = await store.find({ actions: ["audit.pruned"] }, { after, limit: 100, order: "oldest" });
  const isSaid = said.rows.some(({ body, sequence }) =>
    isSame(parseTakenOut(body ?? "null", sequence), ranges),
  );
  if (isSaid) await store.prune(ranges);
  await open.clear();
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function countClasses(rows: readonly LogRow[]): Partial<Record<EventClass, number>> {
  const counts: Partial<Record<EventClass, number>> = {};
  for (const { columns } of rows) {
    if (!isAction(columns.action)) continue;
    const kind = classOf(columns.action);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
