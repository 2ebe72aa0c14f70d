import { homedir } from "node:os";
import { resolve } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { KeyholeError } from "../../errors.ts";
import { openSkills } from "../../skills/open-skills.ts";
import type { Skills } from "../../skills/skill.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { createSkillTrail } from "../audit/skill-events.ts";
import { withTrail } from "../audit/trail-of-project.ts";
import { openMemory } from "../memory/open-memory.ts";
import { userDir } from "../project.ts";
import { revokeUntrusted } from "./sharing/signer.ts";

export { toSkillTexts } from "../../skills/skill-folder.ts";

export type SkillsOfProject = {
  readonly projectDir: string;
  readonly onNotice: (text: string) => void;
  readonly homeDir?: string | undefined;
  /** Whether what lies in the folder is believed for this time. */
  readonly trust?: boolean;
};

/** For commands that look at skills, remove them and say yes to them: no server is started, and nothing is checked. */
export async function withSkillsOf<T>(
  { projectDir, onNotice, homeDir = homedir(), trust = false }: SkillsOfProject,
  work: (store: Skills) => Promise<T>,
): Promise<T> {
  const dir = resolve(projectDir);
  return withTrail({ projectDir: dir, onNotice, homeDir }, async (trail) => {
    const { config } = await loadConfig({ projectDir: dir, homeDir });
    const state = await openStateDir(dir, userDir({ homeDir, env: process.env }));
    const memory = openMemory(state, onNotice);
    const store = openSkills({
      ...{ projectDir: dir, state, isTrusted: trust, onNotice },
      ...{ approval: config.skills.approval, maxVersions: config.skills.maxVersions },
      database: memory.database,
      onWritten: memory.wrote,
      check: async () => {
        throw new KeyholeError("internal", "Nothing is checked here");
      },
      onChange: createSkillTrail(trail),
    });
    try {
      await store.look();
      await revokeUntrusted(store, config.skills.trustedKeys ?? {});
      return await work(store);
    } finally {
      await memory.close();
    }
  });
}
