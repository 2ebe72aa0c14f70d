import type { StateDir } from "../store/state-dir.ts";
import { createAnchors } from "./anchors/create-anchors.ts";
import type { AuditLog } from "./audit-log.ts";
import { classOf } from "./event.ts";
import { openAuditKeys } from "./log/keys.ts";
import type { LogStore } from "./log/log-store.ts";
import { openLog } from "./log/open-log.ts";
import { type LogPlace, toLogFolder, toLogId } from "./log-place.ts";
import { createRetentionKeeper } from "./retention/keep-retention.ts";
import type { AuditSettings } from "./settings.ts";

export type UpkeepOptions = {
  readonly place: LogPlace;
  readonly state: Pick<StateDir, "inFolder" | "path">;
  readonly log: AuditLog;
  readonly settings: Pick<AuditSettings, "retention" | "anchors">;
  readonly env: NodeJS.ProcessEnv;
  readonly onNotice: (text: string) => void;
};

/** What is done with a log beside writing to it: old events are taken out, and checkpoints told outside. */
export type AuditUpkeep = {
  /** Before the log is closed. */
  close(): Promise<void>;
};

export function startAuditUpkeep({ place, state, log, settings, env, onNotice }: UpkeepOptions): AuditUpkeep {
  const { anchors: targets, retention } = settings;
  const logId = toLogId(place);
  const logFolder = toLogFolder(place);

  async function withStore<T>(work: (store: LogStore) => Promise<T>): Promise<T> {
    const { store, writer } = await openLog(place, { env, onNotice });
    try {
      return await work(store);
    } finally {
      await writer.close();
    }
  }

  const keys = openAuditKeys({ userDir: place.userDir, env });
  const kept = { ...retention, log, logId, keys, logFolder, state };
  const keeper = createRetentionKeeper({ ...kept, withStore, onNotice });
  const anchors = createAnchors({ targets, log, logId, withStore, onNotice });
  const listening =
    targets.length === 0
      ? undefined
      : log.onEvent(({ action }) => {
          // What is told of anchors needs no further anchor.
          if (classOf(action) !== "audit") anchors.note();
        });

  return {
    async close() {
      listening?.end();
      await keeper.close();
      await anchors.close();
    },
  };
}
