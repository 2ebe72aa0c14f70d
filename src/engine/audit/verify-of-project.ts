import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readAnchorFile, verifyAnchors } from "../../audit/anchors/verify-anchors.ts";
import type { LogStore } from "../../audit/log/log-store.ts";
import { openSqliteLogFile } from "../../audit/log/sqlite-store.ts";
import { type VerifyOptions, verifyLog } from "../../audit/log/verify.ts";
import { compareArchives } from "../../audit/retention/compare-archives.ts";
import { type ArchiveReport, verifyArchive } from "../../audit/retention/verify-archive.ts";
import { KeyholeError } from "../../errors.ts";
import { AUDIT_DATABASE } from "../../store/database/open-database.ts";
import { STATE_FOLDER } from "../../store/state-dir.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { readAuditorsFile, readPublicKeys } from "./audit-keys.ts";
import type { ProjectAudit } from "./audit-of-project.ts";

export type AuditVerification = {
  readonly ok: boolean;
  readonly events: number;
  readonly problems: readonly AuditProblem[];
  readonly problemCount: number;
  /** Taken out by retention. */
  readonly pruned: number;
  readonly checkpoints: number;
  readonly keys: readonly string[];
  /** Lines of the file of anchors. */
  readonly anchors?: number;
  /** Files beside the log that were moved aside, since they were not this user's: older events may be in them. */
  readonly aside?: readonly string[];
  /** Archives that the log names, and that are not where they were written. */
  readonly missingArchives?: readonly string[];
};

export type AuditProblem = {
  readonly kind: string;
  readonly sequence?: number;
  readonly id?: string;
  readonly message: string;
};

export type VerifyRequest = {
  /** Public keys that the auditor was given; else those count that the user's folder knows. */
  readonly keyFile?: string;
  readonly anchorFile?: string;
  readonly onProgress?: (events: number, of: number) => void;
};

/** No more are made by Keyhole. */
const MAX_ASIDE_SHOWN = 5;

const NOTHING: AuditVerification = {
  ok: true,
  events: 0,
  problems: [],
  problemCount: 0,
  pruned: 0,
  checkpoints: 0,
  keys: [],
};

/** Whether a log is what was written down, all of it and nothing else; and what is not. */
export async function verifyAudit(
  { log, place }: Pick<ProjectAudit, "log" | "place">,
  { keyFile, anchorFile, onProgress }: VerifyRequest,
): Promise<AuditVerification> {
  const given = keyFile === undefined ? undefined : await readPublicKeys(keyFile);
  const lines = anchorFile === undefined ? undefined : await readAnchorFile(anchorFile);
  const aside = await findAside(place.projectDir);
  const beside = aside.length === 0 ? {} : { aside };
  if (log === undefined) return { ...NOTHING, ...beside };
  const { logId } = log;
  // Before the log: what is added meanwhile is no gap.
  const remembered = given === undefined ? await log.remembered.read() : undefined;
  const knownKeys = given ?? (await log.keys.known());
  const found = await verifyStore(log.store, { logId, knownKeys, remembered, lines, onProgress });
  const { changed, missing } = await compareArchives(log.store, join(place.projectDir, STATE_FOLDER));
  const problems = changed.map(({ archive, sequence }) => ({
    kind: "archive_changed",
    sequence,
    message: `The file "${archive}" is not the archive that event ${sequence} says was written: events may be missing in it`,
  }));
  return {
    ...found,
    ok: found.ok && problems.length === 0,
    problems: [...found.problems, ...problems],
    problemCount: found.problemCount + problems.length,
    ...beside,
    ...(missing.length > 0 && { missingArchives: missing }),
  };
}

async function findAside(projectDir: string): Promise<string[]> {
  const dir = join(projectDir, STATE_FOLDER);
  const names = await readdir(dir).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${AUDIT_DATABASE.file}.aside-`) && !/-(wal|shm|journal)$/.test(name))
    .sort()
    .slice(0, MAX_ASIDE_SHOWN)
    .map((name) => join(dir, name));
}

/** A copy of a log on SQLite, by what an auditor was given with it: nothing of the machine where it was written is needed. */
export async function verifyCopy(
  databaseFile: string,
  { keyFile, anchorFile, onProgress }: VerifyRequest & { readonly keyFile: string },
): Promise<AuditVerification> {
  const { keys, logId } = await readAuditorsFile(keyFile);
  if (logId === undefined)
    throw new KeyholeError(
      "usage",
      `The keys in "${toExcerpt(keyFile, 200)}" do not say for which log they are`,
      {
        hint: 'Use the file as "keyhole audit keys" printed it, with its first line: "# Log …"',
      },
    );
  const lines = anchorFile === undefined ? undefined : await readAnchorFile(anchorFile);
  const store = await openSqliteLogFile(databaseFile);
  try {
    return await verifyStore(store, { logId, knownKeys: keys, lines, onProgress });
  } finally {
    await store.close();
  }
}

type Known = Pick<VerifyOptions, "logId" | "knownKeys" | "remembered"> & {
  readonly lines: readonly string[] | undefined;
  readonly onProgress: VerifyRequest["onProgress"];
};

async function verifyStore(
  whole: LogStore,
  { logId, knownKeys, remembered, lines, onProgress }: Known,
): Promise<AuditVerification> {
  const store = inTurns(whole);
  const { events, pruned, checkpoints, keys, problems, problemCount } = await verifyLog(store, {
    logId,
    knownKeys,
    remembered,
    ...(onProgress !== undefined && { onProgress }),
  });
  const anchored =
    lines && (await verifyAnchors(lines, { logId, store, keys: keys.map((key) => ({ key })) }));
  const contradictions = (anchored?.problems ?? []).map(({ kind, line, sequence, message }) => ({
    kind: `anchor_${kind}`,
    ...(sequence !== undefined && { sequence }),
    message: `Line ${line} of the anchors: ${message}`,
  }));
  return {
    ok: problemCount + contradictions.length === 0,
    events,
    problems: [...problems, ...contradictions],
    problemCount: problemCount + contradictions.length,
    pruned,
    checkpoints,
    keys,
    ...(anchored !== undefined && { anchors: anchored.checked }),
  };
}

/** Reading takes long, and the database answers at once: others have their turn in between. */
function inTurns(store: LogStore): LogStore {
  return {
    ...store,
    rows: async (from, limit) => {
      await nextTurn();
      return store.rows(from, limit);
    },
  };
}

/** What retention took out of a log, by the checkpoints in the archive. */
export async function verifyArchiveFile(
  file: string,
  known: readonly { readonly key: string }[],
): Promise<ArchiveReport> {
  const found = await verifyArchive(file);
  const unknown = found.keys.filter((key) => !known.some((one) => one.key === key));
  const problems = unknown.map((key) => `It is signed by key ${key}, which is not known`);
  return {
    ...found,
    ok: found.ok && unknown.length === 0,
    problems: [...found.problems, ...problems],
  };
}
