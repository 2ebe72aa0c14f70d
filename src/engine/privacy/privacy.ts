import { toPrivacySettings } from "../../privacy/settings.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import type { Project } from "../project.ts";
import { openVault } from "./open-vault.ts";

/** Personal data of a project's principals, each in a world of their own. */
export type Privacy = {
  /** Fails where the vault can't be opened: without it nobody could tell what may leave. */
  open(principal: string): Promise<WorkspacePrivacy>;
  opened(principal: string): WorkspacePrivacy | undefined;
  close(): Promise<void>;
};

export type PrivacyOptions = {
  /** Whether a word stands in the catalogue. */
  isPublic(text: string): boolean;
  onNotice?: ((text: string) => void) | undefined;
};

const FULL =
  "The vault of personal values is full: values that are new are shown without a number. Make room: keyhole privacy forget --older-than 30d";

/** Nothing is loaded or opened before a program runs. */
export function openPrivacy(project: Project, { isPublic, onNotice }: PrivacyOptions): Privacy {
  const settings = toPrivacySettings(project.config);
  const { vault } = openVault({ ...project, ...(onNotice && { onNotice }) });
  const opening = new Map<string, Promise<WorkspacePrivacy>>();
  const opened = new Map<string, WorkspacePrivacy>();
  let isFull = false;

  function onFull(): void {
    if (!isFull) onNotice?.(FULL);
    isFull = true;
  }

  async function openOne(principal: string): Promise<WorkspacePrivacy> {
    // Its rules and lists take a while to load.
    const [{ openWorkspacePrivacy }, workspace] = await Promise.all([
      import("../../privacy/workspace-privacy.ts"),
      vault.open(principal),
    ]);
    const own = await openWorkspacePrivacy({ vault: workspace, settings, isPublic, onFull });
    opened.set(principal, own);
    return own;
  }

  return {
    open(principal) {
      const known = opening.get(principal);
      if (known !== undefined) return known;
      const promise = openOne(principal).catch((error) => {
        opening.delete(principal);
        throw error;
      });
      opening.set(principal, promise);
      return promise;
    },
    opened: (principal) => opened.get(principal),
    close: () => vault.close(),
  };
}
