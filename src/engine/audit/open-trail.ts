import { dirname, join } from "node:path";
import { assertAnchors } from "../../audit/anchors/anchor-targets.ts";
import type { AuditLog } from "../../audit/audit-log.ts";
import type { NewEvent } from "../../audit/event.ts";
import type { LogPlace } from "../../audit/log-place.ts";
import { openAudit } from "../../audit/open-audit.ts";
import { type AuditSettings, toAuditSettings } from "../../audit/settings.ts";
import { startAuditUpkeep } from "../../audit/upkeep.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { userDir } from "../project.ts";
import type { AuditTrail } from "./trail.ts";

/** The audit log of a project, open to be written. */
export type OpenTrail = AuditTrail &
  Omit<AuditLog, keyof AuditTrail> & {
    readonly settings: AuditSettings;
    readonly place: LogPlace;
  };

export type TrailPlace = {
  readonly dir: string;
  readonly state: StateDir;
  readonly config: Pick<LoadedConfig, "config" | "usersFile">;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  /** Whether the folder outlives the process; what does not has all of its log in there. */
  readonly isKept: boolean;
};

/** Nothing where `auditLogging` is false. Throws what a user has to mend in the config. */
export function openTrail(place: TrailPlace, onNotice: (text: string) => void): OpenTrail | undefined {
  const { dir, state, config, env, homeDir, isKept } = place;
  if (!config.config.auditLogging) return undefined;
  const settings = toAuditSettings(config.config, { env, usersFile: config.usersFile });
  assertAnchors(settings.anchors);
  const ownDir = isKept ? userDir({ homeDir, env }) : join(dir, "user");
  const log = openAudit({ state, userDir: ownDir, settings, env, onNotice });
  const logPlace = { projectDir: dirname(state.path), userDir: ownDir, store: settings.store };
  const upkeep = startAuditUpkeep({ place: logPlace, state, log, settings, env, onNotice });
  return {
    ...log,
    contents: settings.contents,
    settings,
    place: logPlace,
    async close() {
      await upkeep.close();
      await log.close();
    },
  };
}

/** For what has happened already, or happens whatever is written of it. */
export function tellIfPossible(trail: AuditTrail | undefined, ...events: readonly NewEvent[]): void {
  if (trail === undefined) return;
  try {
    for (const event of events) trail.add(event);
    trail.commit()?.catch(() => {});
  } catch {
    // That nothing can be written is told by whoever has something to do.
  }
}
