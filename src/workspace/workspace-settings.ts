import { DEFAULT_CONFIG } from "../config/defaults.ts";
import type { KeyholeConfig } from "../config/schema.ts";
import type { FolderQuota } from "../sandbox/sandbox.ts";
import type { SharedGrant } from "./shared-workspaces.ts";
import { LOCAL_WORKSPACE, type WorkspaceId } from "./workspace-id.ts";

/** What the config says of workspaces. */
export type WorkspaceSettings = {
  readonly shared: Readonly<Record<string, SharedGrant>>;
  quotaOf(id: WorkspaceId): FolderQuota;
  /** After so long without use it may be removed; never where nothing is said. */
  expiresAfterMs(id: WorkspaceId): number | undefined;
  readonly snapshots: { readonly keep: number; readonly bytes: number };
};

export const MAX_WORKSPACE_ENTRIES = 200_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_SNAPSHOTS = 10;
const SNAPSHOTS_BYTES = 2 * 1024 ** 3;

export function toWorkspaceSettings({
  workspace,
  resourceLimits = DEFAULT_CONFIG.resourceLimits,
}: Pick<KeyholeConfig, "workspace" | "resourceLimits">): WorkspaceSettings {
  const { quota, expireDays, snapshots, shared = {} } = workspace ?? {};
  const ownOf = ({ kind, name }: WorkspaceId) => (kind === "shared" ? shared[name] : undefined);
  const isLocal = ({ kind, name }: WorkspaceId) =>
    kind === LOCAL_WORKSPACE.kind && name === LOCAL_WORKSPACE.name;

  return {
    shared,
    quotaOf(id) {
      const own = ownOf(id)?.quota;
      return {
        bytes: own?.bytes ?? quota?.bytes ?? resourceLimits.diskBytes,
        entries: own?.files ?? quota?.files ?? MAX_WORKSPACE_ENTRIES,
      };
    },
    expiresAfterMs(id) {
      if (isLocal(id)) return undefined;
      const days = id.kind === "shared" ? ownOf(id)?.expireDays : expireDays;
      return days === undefined ? undefined : days * DAY_MS;
    },
    snapshots: {
      keep: snapshots?.keep ?? KEPT_SNAPSHOTS,
      bytes: snapshots?.bytes ?? SNAPSHOTS_BYTES,
    },
  };
}
