import { LOCAL_PRINCIPAL } from "../../session.ts";
import { openSkills } from "../../skills/open-skills.ts";
import { openMemory } from "../memory/open-memory.ts";
import type { Project } from "../project.ts";
import { createSeenSkills } from "./seen-skills.ts";
import { createSettledSources, type SettledSources } from "./settled-sources.ts";
import { createSkillSources } from "./skill-sources.ts";

/** What a program of the local user may import, for one that is only looked at: skills are not checked for it. */
export async function withSkillSources<T>(
  project: Project,
  work: (skills: SettledSources) => Promise<T>,
): Promise<T> {
  let opened: Opened | undefined;
  try {
    return await work(async (asked) => {
      // Most programs import none.
      opened ??= open(project);
      return (await opened.settled)(asked);
    });
  } finally {
    await opened?.memory.close();
  }
}

type Opened = ReturnType<typeof open>;

function open({ dir, state, config, discovered, isTrustedByOption }: Project) {
  const memory = openMemory(state);
  const check = async () => ({ exports: [], tools: [], skills: [] });
  const store = openSkills({
    ...{ projectDir: dir, state, check, isTrusted: isTrustedByOption, database: memory.database },
    ...{ approval: config.config.skills.approval, maxVersions: config.config.skills.maxVersions },
  });
  const sources = createSkillSources(store, createSeenSkills(store, discovered, check));
  const local = { look: store.look, sources: () => sources(LOCAL_PRINCIPAL), onNotice: () => {} };
  return { memory, settled: createSettledSources(local, []) };
}
