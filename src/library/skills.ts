import type { Engine, FinishedRun } from "../engine/engine.ts";
import { toSkillProgram } from "../engine/skills/call-skill.ts";
import { readDraft } from "../engine/skills/save-skill.ts";
import type { FoundSkill } from "../search/answer.ts";
import type { Session } from "../session.ts";
import type { Keyhole, RunOptions, SkillOptions } from "./keyhole.ts";
import { assertOptions } from "./options.ts";

/** Tools and skills are found together; so many are looked at for the skills among them. */
const MOST = 200;

/** The part of a Keyhole that is about skills. */
export function createLibrarySkills(
  engine: Pick<Engine, "skills" | "search">,
  session: Session,
  run: (code: string, options: RunOptions) => Promise<FinishedRun>,
): Pick<Keyhole, "saveSkill" | "executeSkill" | "searchSkills"> {
  const by = { principal: session.principal, session: session.id };
  return {
    async saveSkill(skill) {
      assertOptions("saveSkill", skill);
      return engine.skills.save(readDraft(skill, "typescript"), by);
    },
    async executeSkill(name, args, options: SkillOptions = {}) {
      assertOptions("executeSkill", options);
      const { function: wanted, ...rest } = options;
      const call = { ...(args !== undefined && { args }), ...(wanted !== undefined && { function: wanted }) };
      const { code, language } = await toSkillProgram(engine.skills, name, call, session.principal);
      return run(code, { ...rest, language });
    },
    async searchSkills(query, options = {}) {
      assertOptions("searchSkills", options);
      const { limit = 10, detail = "full" } = options;
      const { tools = [] } = await engine.search({ query, detail, limit: MOST }, session);
      return tools.filter((found): found is FoundSkill => found.skill !== undefined).slice(0, limit);
    },
  };
}
