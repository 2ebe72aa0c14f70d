import type { SkillSource } from "../../language/language.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import { openSkills } from "../../skills/open-skills.ts";
import { openMemory } from "../memory/open-memory.ts";
import type { Project } from "../project.ts";
import { mentionedSkills } from "./mentioned-skills.ts";
import { createSeenSkills } from "./seen-skills.ts";
import { createSkillSources } from "./skill-sources.ts";

/** What a program of the local user may import, for one that is only looked at: skills are not checked for it. */
export async function withSkillSources<T>(
  { dir, state, config, discovered, isTrustedByOption }: Project,
  code: string,
  work: (skills: () => readonly SkillSource[]) => Promise<T>,
): Promise<T> {
  const names = mentionedSkills(code);
  if (names.length === 0) return work(() => []);
  const memory = openMemory(state);
  const check = async () => ({ exports: [], tools: [], skills: [] });
  const store = openSkills({
    ...{ projectDir: dir, state, check, isTrusted: isTrustedByOption, database: memory.database },
    ...{ approval: config.config.skills.approval, maxVersions: config.config.skills.maxVersions },
  });
  try {
    await store.look(names);
    const sources = createSkillSources(store, createSeenSkills(store, discovered, check));
    return await work(() => sources(LOCAL_PRINCIPAL));
  } finally {
    await memory.close();
  }
}
