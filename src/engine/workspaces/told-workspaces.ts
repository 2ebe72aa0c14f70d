import type { NewEvent } from "../../audit/event.ts";
import type { WorkspaceCare } from "../../workspace/workspace-care.ts";
import { toWorkspaceText, type WorkspaceId } from "../../workspace/workspace-id.ts";

type By = { readonly channel: string; readonly person?: string };

/** Whatever changes a workspace as a whole, or shows it to somebody, is told. */
export function toldWorkspaces(
  care: WorkspaceCare,
  by: By,
  tell: <T>(event: NewEvent, act: () => Promise<T>) => Promise<T>,
): WorkspaceCare {
  const toEvent = (id: WorkspaceId, change: string, snapshot?: string): NewEvent => ({
    action: "workspace.changed",
    outcome: "ok",
    details: {
      workspace: toWorkspaceText(id),
      change,
      ...by,
      ...(snapshot !== undefined && { snapshot }),
    },
  });
  return {
    ...care,
    snapshot: (id, note) => tell(toEvent(id, "kept"), () => care.snapshot(id, note)),
    restore: (id, snapshot) => tell(toEvent(id, "restored", snapshot), () => care.restore(id, snapshot)),
    remove: (id, unusedSince) => tell(toEvent(id, "removed"), () => care.remove(id, unusedSince)),
    removeSnapshot: (id, snapshot) =>
      tell(toEvent(id, "snapshot removed", snapshot), () => care.removeSnapshot(id, snapshot)),
  };
}
