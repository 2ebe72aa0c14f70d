import { openStateDir } from "../../store/state-dir.ts";
import { type LogPlace, toLogFolder, toLogId } from "../log-place.ts";
import { createLogWriter } from "./create-log-writer.ts";
import { type AuditKeys, openAuditKeys } from "./keys.ts";
import type { LogStore } from "./log-store.ts";
import type { LogWriter } from "./log-writer.ts";
import { openPostgresLogStore } from "./postgres-store.ts";
import { openRememberedHead, type RememberedHead } from "./remembered-head.ts";
import { openSqliteLogStore } from "./sqlite-store.ts";

export type OpenLog = {
  readonly logId: string;
  readonly store: LogStore;
  readonly keys: AuditKeys;
  readonly remembered: RememberedHead;
  /** Closes the store with it. */
  readonly writer: LogWriter;
};

export type OpenLogOptions = {
  readonly onNotice?: (text: string) => void;
  readonly env?: NodeJS.ProcessEnv;
  /** @internal */
  readonly checkpointEvents?: number;
};

/** A log with all that is needed to write to it, from settings that can be handed to a thread. */
export async function openLog(
  place: LogPlace,
  { onNotice = () => {}, env = process.env, checkpointEvents }: OpenLogOptions = {},
): Promise<OpenLog> {
  const logId = toLogId(place);
  const keys = openAuditKeys({ userDir: place.userDir, env });
  const remembered = openRememberedHead(toLogFolder(place));
  const store = await openStore(place, keys, onNotice);
  const writer = createLogWriter({ store, keys, remembered, logId, checkpointEvents });
  return { logId, store, keys, remembered, writer };
}

async function openStore(
  place: LogPlace,
  keys: AuditKeys,
  onNotice: (text: string) => void,
): Promise<LogStore> {
  const { projectDir, userDir, store } = place;
  if (store === "sqlite") return openSqliteLogStore(await openStateDir(projectDir, userDir), onNotice);
  return openPostgresLogStore({ store, logId: toLogId(place), owner: await toLogOwner(keys) });
}

/** Two machines may have a project at the same path: a log belongs to those who have its keys. The first one names them. */
async function toLogOwner(keys: AuditKeys): Promise<string> {
  const current = await keys.current();
  const [first = current.row] = await keys.known();
  return first.key;
}
