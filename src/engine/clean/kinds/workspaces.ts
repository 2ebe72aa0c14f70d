import { KeyholeError } from "../../../errors.ts";
import type { StateStore } from "../../../workspace/state/state-store.ts";
import type { WorkspaceCare } from "../../../workspace/workspace-care.ts";
import { toWorkspaceText } from "../../../workspace/workspace-id.ts";
import { isOlderThan } from "../folder-entries.ts";
import type { CleanKind } from "../kind.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A session that was killed with its process has not said that it is over. */
const SESSION_STATE_MS = 14 * DAY_MS;

/** How something is done over a connection that can write; it is opened for that. */
export type WithOwner<Owner> = (act: (owner: Owner) => Promise<boolean>) => Promise<boolean>;

/** Workspaces that nobody has used for as long as the config says: files, state and snapshots. None goes to make room. */
export function expiredWorkspaces(
  care: Pick<WorkspaceCare, "expired">,
  withCare: WithOwner<Pick<WorkspaceCare, "remove">>,
): CleanKind {
  return {
    name: "workspaces",
    async list() {
      return (await care.expired()).map(({ id, bytes, usedAt }) => ({
        name: toWorkspaceText(id),
        bytes,
        usedAt,
        reason: `not used for ${Math.floor((Date.now() - usedAt) / DAY_MS)} days`,
        remove: () => withCare((owner) => owner.remove(id, usedAt).catch(toInUse)),
      }));
    },
  };
}

/** A program is in it, and is not waited for any longer. */
function toInUse(error: unknown): boolean {
  if (error instanceof KeyholeError && error.code === "file_conflict") return false;
  throw error;
}

/** What programs remember within one session alone. */
export function sessionStates(
  store: Pick<StateStore, "spaces"> | undefined,
  withStore: WithOwner<Pick<StateStore, "remove">>,
): CleanKind {
  return {
    name: "state of sessions",
    async list() {
      const spaces = (await store?.spaces()) ?? [];
      return spaces
        .filter(({ space, usedAt }) => space.kind === "session" && isOlderThan(usedAt, SESSION_STATE_MS))
        .map(({ space, bytes, usedAt }) => ({
          name: space.name,
          bytes,
          usedAt,
          reason: "its session has not used it for 14 days",
          remove: () => withStore((owner) => owner.remove(space, usedAt)),
        }));
    },
  };
}
