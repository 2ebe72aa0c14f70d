import { homedir } from "node:os";
import { resolve } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { type TrailOfProject, withTrail } from "../audit/trail-of-project.ts";
import { userDir } from "../project.ts";
import { toTiers } from "../tiers/configured-tiers.ts";
import { toCleanEvent } from "./clean-events.ts";
import { type CleanedProject, cleanProject } from "./clean-project.ts";

export type { CleanedProject } from "./clean-project.ts";

export type CleanRequest = {
  readonly projectDir: string;
  readonly isDry: boolean;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string;
  readonly trust?: boolean;
  readonly signal?: AbortSignal;
};

/** For the command: nothing but what is in the project's `.keyhole` and the tiers is looked at. */
export async function cleanOfProject(request: CleanRequest): Promise<CleanedProject> {
  const { isDry, onNotice, homeDir = homedir(), trust, signal } = request;
  const { env } = process;
  const dir = resolve(request.projectDir);
  const config = await loadConfig({ projectDir: dir, homeDir, env, ...(trust && { trust }) });
  const state = await openStateDir(dir, userDir({ homeDir, env }), { leavesAsIs: true });
  const place = { state, config, tiers: toTiers(config.config), env, homeDir, isKept: true, onNotice };
  const cleaned = await cleanProject(place, { isDry, ...(signal && { signal }) });
  if (!isDry && cleaned.removed.length > 0)
    await tellCleaned(cleaned, { projectDir: dir, onNotice, homeDir });
  return cleaned;
}

async function tellCleaned(cleaned: CleanedProject, place: TrailOfProject): Promise<void> {
  await withTrail(place, async (trail) => {
    trail?.add(toCleanEvent(cleaned, "cli"));
    await trail?.commit();
  });
}
