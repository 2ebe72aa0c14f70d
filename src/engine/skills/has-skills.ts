import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { SKILLS_FOLDER } from "../../skills/skill-folder.ts";
import { MEMORY_DATABASE } from "../../store/database/open-database.ts";
import { STATE_FOLDER } from "../../store/state-dir.ts";

/** Whether there is anything to look at: a look leaves no trace in a folder that has none. */
export function hasSkills(projectDir: string): boolean {
  const dir = resolve(projectDir);
  return [SKILLS_FOLDER, join(STATE_FOLDER, MEMORY_DATABASE.file)].some((path) =>
    existsSync(join(dir, path)),
  );
}
