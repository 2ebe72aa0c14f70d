import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import type { Project } from "../project.ts";
import { openAnomalyParties } from "./anomaly-parties.ts";
import { isReleased } from "./anomaly-releases.ts";
import { withAudit } from "./audit-of-project.ts";
import { type AnomalyHeed, createAnomalyHeed } from "./heed-anomaly.ts";
import type { OpenTrail } from "./open-trail.ts";
import { watchAudit } from "./watch-audit.ts";

export type EngineWatch = { readonly heed: AnomalyHeed; close(): Promise<void> };

export type EngineWatchOptions = {
  readonly command: KeyholeCommand;
  readonly onStop: (session: string) => void;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** The watch over what an engine writes down. Nothing where the config has none. */
export function openWatch(
  {
    dir,
    homeDir,
    isKept,
    isTrustedByOption,
  }: Pick<Project, "dir" | "homeDir" | "isKept" | "isTrustedByOption">,
  log: OpenTrail,
  { command, onStop, onNotice = () => {} }: EngineWatchOptions,
): EngineWatch | undefined {
  if (!log.settings.anomalies.enabled) return undefined;
  const read = { projectDir: dir, homeDir, trust: isTrustedByOption, onNotice: () => {} };
  const watch = watchAudit({
    log,
    settings: log.settings.anomalies,
    onStop,
    onNotice,
    command,
    parties: openAnomalyParties(log.place, log.hash),
    isReleased: (session, since) => isReleased(log.place, session, since),
    // What does not outlive the process has no past.
    ...(isKept && { history: (use) => withAudit(read, ({ reader }) => use(reader)) }),
  });
  return { heed: createAnomalyHeed(watch, command), close: watch.close };
}
