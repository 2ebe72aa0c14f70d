import { homedir } from "node:os";
import { resolve } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { localPerson, withTrail } from "../audit/trail-of-project.ts";
import { openMemory } from "../memory/open-memory.ts";
import { userDir } from "../project.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { toWorkspacesByName } from "./to-workspaces-by-name.ts";
import { toldWorkspaces } from "./told-workspaces.ts";
import type { WorkspacesByName } from "./workspaces-by-name.ts";

export type WorkspacesPlace = {
  readonly projectDir: string;
  readonly onNotice: (text: string) => void;
  /** What the folder brings counts this time. */
  readonly trust?: boolean;
  readonly homeDir?: string;
};

/** The workspaces of a project, for commands, which have no engine. What changes one is in the audit log. */
export async function withWorkspaces<T>(
  { projectDir, onNotice, trust = false, homeDir = homedir() }: WorkspacesPlace,
  work: (workspaces: WorkspacesByName) => Promise<T>,
): Promise<T> {
  const dir = resolve(projectDir);
  const { config } = await loadConfig({ projectDir: dir, homeDir, trust });
  const state = await openStateDir(dir, userDir({ homeDir, env: process.env }));
  const memory = openMemory(state, onNotice);
  const opened = openWorkspaces({ dir, state, config, memory });
  const person = localPerson();
  const by = { channel: "cli", ...(person !== undefined && { person }) };
  const place = { projectDir: dir, homeDir, onNotice };
  const care = toldWorkspaces(opened.care, by, async (event, act) =>
    withTrail(place, async (trail) => {
      const result = await act();
      trail?.add(event);
      await trail?.commit();
      return result;
    }),
  );
  return work(toWorkspacesByName(care)).finally(memory.close);
}
