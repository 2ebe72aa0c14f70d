import { homedir } from "node:os";
import { dirname } from "node:path";
import type { NewEvent } from "../../audit/event.ts";
import { openAuditKeys } from "../../audit/log/keys.ts";
import { type OpenLog, openLog } from "../../audit/log/open-log.ts";
import { openRememberedHead } from "../../audit/log/remembered-head.ts";
import { AUDIT_KEY_VARIABLE, findSealKeys } from "../../audit/log/seal-keys.ts";
import { createDetailSeal, toUnopened } from "../../audit/log/sealed-details.ts";
import { openSqliteLogToRead } from "../../audit/log/sqlite-store.ts";
import { type LogPlace, toLogFolder, toLogId } from "../../audit/log-place.ts";
import { openAudit } from "../../audit/open-audit.ts";
import { openBlockIndex } from "../../audit/query/blocks/block-index.ts";
import { createAuditReader } from "../../audit/query/create-reader.ts";
import type { AuditReader } from "../../audit/reader.ts";
import { type AuditSettings, toAuditSettings } from "../../audit/settings.ts";
import { toSpoolFolder } from "../../audit/spool/drain.ts";
import { listSpools, takeSpools } from "../../audit/spool/read-spools.ts";
import { loadConfig } from "../../config/load.ts";
import { errorMessage } from "../../errors.ts";
import { StoreError } from "../../store/database/store-error.ts";
import { openStateDir, type StateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";

export { parseFilter } from "../../audit/query/parse-filter.ts";
export type { AuditReader, LoggedEvent } from "../../audit/reader.ts";

export type AuditOfProject = {
  readonly projectDir: string;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string;
  /** Believes the folder's config, this time. */
  readonly trust?: boolean;
};

/** The audit log of a project, for a process that has no engine. */
export type ProjectAudit = {
  readonly reader: AuditReader;
  /** Nothing where nothing was ever written down here. */
  readonly log: ReadableLog | undefined;
  readonly place: LogPlace;
  readonly settings: AuditSettings;
  /** Whether events are written now (`auditLogging`). */
  readonly isOn: boolean;
  /** In the log when it resolves, where events are written at all. */
  tell(event: NewEvent): Promise<void>;
};

/** Without a writer where nothing can be written there. */
export type ReadableLog = Omit<OpenLog, "writer"> & Partial<Pick<OpenLog, "writer">>;

const NOTHING: AuditReader = {
  find: async () => ({ events: [] }),
  scan: async function* () {},
};

/**
 * Opens the log with all that waits in spools. No server is started, nothing is made where there is no log, and where it is comes
 * from the user's own config alone.
 */
export async function withAudit<T>(
  { projectDir, onNotice, homeDir = homedir(), trust }: AuditOfProject,
  use: (audit: ProjectAudit) => Promise<T>,
): Promise<T> {
  const { env } = process;
  const { config, usersFile } = await loadConfig({
    projectDir,
    homeDir,
    ...(trust !== undefined && { trust }),
  });
  const settings = toAuditSettings(config, { env, usersFile });
  const keyDir = userDir({ homeDir, env });
  const state = await openStateDir(projectDir, keyDir);
  const place: LogPlace = { projectDir: dirname(state.path), userDir: keyDir, store: settings.store };
  const log = (await hasLog(state, place)) ? await openReadable(state, place, onNotice) : undefined;
  const isOn = config.auditLogging;
  const tell = async (event: NewEvent) => {
    if (!isOn) return;
    const audit = openAudit({ state, userDir: keyDir, settings, env, onNotice });
    try {
      audit.add(event);
      await audit.commit();
    } finally {
      await audit.close();
    }
  };
  const known = { place, settings, isOn, tell };
  if (log === undefined) return use({ ...known, reader: NOTHING, log });
  try {
    await takeWaiting(place, log, onNotice);
    const seal = await findSealKeys({ env, keyDir });
    // It may be lost, so it may be missing: then rare events take longer to find.
    const blocks = await openBlockIndex(toLogFolder(place), log.store).catch(() => undefined);
    const reader = createAuditReader({
      store: log.store,
      open: seal === undefined ? toUnopened : createDetailSeal(seal, toLogId(place)).open,
      blocks,
      onProblem: createProblemNotice(onNotice),
    });
    try {
      return await use({ ...known, reader, log });
    } finally {
      await blocks?.close();
    }
  } finally {
    await (log.writer ?? log.store).close();
  }
}

/** Where nothing can be written, as on a copy that somebody was given, it is read as it is. */
async function openReadable(
  state: StateDir,
  place: LogPlace,
  onNotice: (text: string) => void,
): Promise<ReadableLog> {
  const { env } = process;
  try {
    return await openLog(place, { onNotice, env });
  } catch (error) {
    const isReadOnly = error instanceof StoreError && ["read_only", "unopened"].includes(error.fault);
    const store = isReadOnly && place.store === "sqlite" ? await openSqliteLogToRead(state) : undefined;
    if (store === undefined) throw error;
    const keys = openAuditKeys({ userDir: place.userDir, env });
    const remembered = openRememberedHead(toLogFolder(place));
    return { logId: toLogId(place), store, keys, remembered };
  }
}

async function takeWaiting(
  place: LogPlace,
  { writer }: ReadableLog,
  onNotice: (text: string) => void,
): Promise<void> {
  const folder = toSpoolFolder(place);
  const late = "What was written down last is not in the log yet, and not shown";
  if (writer === undefined) {
    if ((await listSpools(folder)).length > 0) onNotice(`${late}: nothing can be written to the log`);
    return;
  }
  await takeSpools(folder, writer).catch((error: unknown) => onNotice(`${late}: ${errorMessage(error)}`));
}

/** One that is not ours is refused, and none is made. */
async function hasLog(state: StateDir, place: LogPlace): Promise<boolean> {
  if (place.store !== "sqlite") return true;
  const known = await openSqliteLogToRead(state);
  await known?.close();
  if (known !== undefined || (await listSpools(toSpoolFolder(place))).length > 0) return true;
  // One that was there, and is gone, is not none.
  const { head, breaks } = await openRememberedHead(toLogFolder(place)).read();
  return head !== undefined || breaks.length > 0;
}

/** Once, however many there are. */
function createProblemNotice(onNotice: (text: string) => void) {
  let isTold = false;
  return (sequence: number, problem: string) => {
    if (isTold) return;
    isTold = true;
    const way = /\bkey\b/.test(problem)
      ? `Only its head is shown; the key is the file "audit-key" of whoever wrote it, or ${AUDIT_KEY_VARIABLE}`
      : '"keyhole audit verify" tells more';
    onNotice(`Event ${sequence} can't be read whole: ${problem}. ${way}`);
  };
}
