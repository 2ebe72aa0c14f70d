import { assertAnchors } from "../../audit/anchors/anchor-targets.ts";
import { type AnchorOutcome, createAnchors } from "../../audit/anchors/create-anchors.ts";
import type { AuditLog } from "../../audit/audit-log.ts";
import type { EventClass } from "../../audit/event.ts";
import { rotateSealKey } from "../../audit/log/seal-keys.ts";
import { noteSealKey } from "../../audit/log/sealed-by.ts";
import { toLogFolder } from "../../audit/log-place.ts";
import { openAudit } from "../../audit/open-audit.ts";
import { applyRetention, type RetentionResult } from "../../audit/retention/apply-retention.ts";
import { openRetentionTimes } from "../../audit/retention/retention-times.ts";
import { KeyholeError } from "../../errors.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

export type PrunedAudit = RetentionResult & {
  /** How many days events of each class are kept; for ever where there is none. */
  readonly days: Readonly<Partial<Record<EventClass, number>>>;
};

type Told = { readonly onNotice: (text: string) => void };

/** Takes old events out of the log now, and not within the hour. */
export async function pruneAudit(
  audit: Pick<ProjectAudit, "log" | "place" | "settings">,
  { isDryRun, onNotice }: Told & { readonly isDryRun: boolean },
): Promise<PrunedAudit> {
  const { log: opened, place, settings } = audit;
  const { days, archive } = settings.retention;
  if (opened === undefined) return { count: 0, classes: {}, archives: [], days };
  const { store, logId, keys } = opened;
  const logFolder = toLogFolder(place);
  return withLog(audit, onNotice, async (log, state) => {
    const options = { store, logId, keys, log, days, archive, state, logFolder, isDryRun };
    const result = await applyRetention(options);
    if (!isDryRun) await openRetentionTimes(logFolder).noteDone();
    return { ...result, days };
  });
}

/** Tells the newest checkpoint to all anchors now. */
export async function anchorAudit(
  audit: Pick<ProjectAudit, "log" | "place" | "settings">,
  { onNotice }: Told,
): Promise<readonly AnchorOutcome[]> {
  const { log: opened, settings } = audit;
  const { anchors: targets } = settings;
  if (targets.length === 0)
    throw new KeyholeError("usage", "No place is named for checkpoints to be told", {
      hint: 'Name some in "audit.anchors" of your own config: docs/audit-storage.md',
    });
  assertAnchors(targets);
  if (opened === undefined) return [];
  const { store, logId } = opened;
  return withLog(audit, onNotice, async (log) => {
    // What fails is in what it returns.
    const anchors = createAnchors({
      targets,
      logId,
      log,
      withStore: (work) => work(store),
      onNotice: () => {},
    });
    const outcomes = await anchors.anchor();
    await anchors.close();
    return outcomes;
  });
}

/** Tells the new key's id, and the log. */
export async function rotateAuditSeal({
  place,
  tell,
}: Pick<ProjectAudit, "place" | "tell">): Promise<string> {
  const key = await rotateSealKey({ env: process.env, keyDir: place.userDir });
  const previous = await noteSealKey(toLogFolder(place), key);
  const details = { key, ...(previous !== undefined && { previous }) };
  await tell({ action: "audit.seal", outcome: "ok", details });
  return key;
}

async function withLog<T>(
  { place, settings }: Pick<ProjectAudit, "place" | "settings">,
  onNotice: (text: string) => void,
  work: (log: AuditLog, state: StateDir) => Promise<T>,
): Promise<T> {
  const state = await openStateDir(place.projectDir, place.userDir);
  const log = openAudit({ state, userDir: place.userDir, settings, env: process.env, onNotice });
  try {
    return await work(log, state);
  } finally {
    await log.close();
  }
}
