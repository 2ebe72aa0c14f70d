import { fingerprintServer } from "../../catalog/server-fingerprint.ts";
import type { LoadedConfig } from "../../config/load.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { OWN_SERVER_ENTRY, WRITING_COMMAND } from "../own-tools/commands/command-record.ts";
import type { FingerprintOf } from "./always-rule.ts";

/** The servers of a project, told apart from others of their names. */
export function createFingerprints(
  { servers }: Pick<LoadedConfig, "servers">,
  state: Pick<StateDir, "fingerprint" | "isLasting">,
): FingerprintOf {
  return (name) => {
    if (name === OWN_SERVER_ENTRY.name) return WRITING_COMMAND.fingerprint;
    const definition = servers.find((server) => server.name === name);
    // By a key that is gone with this process, no server would ever be found again.
    return definition && state.isLasting ? fingerprintServer(state, definition) : undefined;
  };
}
