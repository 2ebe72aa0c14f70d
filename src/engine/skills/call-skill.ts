import { KeyholeError } from "../../errors.ts";
import type { Skill } from "../../skills/skill.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { type SkillCall, toCallProgram } from "./call-program.ts";
import type { EngineSkills } from "./open-engine-skills.ts";
import { whyNot } from "./skill-sources.ts";

/** A program as it is asked for. */
export type SkillProgram = { readonly code: string; readonly language: Skill["language"] };

/** What runs a skill directly. One that nobody has said yes to is denied. */
export async function toSkillProgram(
  skills: Pick<EngineSkills, "find" | "namesFor">,
  spelling: string,
  call: SkillCall,
  principal: string,
): Promise<SkillProgram> {
  const skill = await findSkill(skills, spelling, principal);
  for (const name of skill.skills) {
    const imported = await skills.find(name, principal);
    if (imported !== undefined && isWaiting(imported)) throw unusable(imported);
  }
  if (whyNot(skill) !== undefined) throw unusable(skill);
  return { code: toCallProgram(skill, call), language: skill.language };
}

/** The program that tests a skill: its own. */
export async function toTestProgram(
  skills: Pick<EngineSkills, "find" | "namesFor">,
  spelling: string,
  principal: string,
): Promise<SkillProgram> {
  const skill = await findSkill(skills, spelling, principal);
  if (isWaiting(skill)) throw unusable(skill);
  const { name, tests, language } = skill;
  if (tests !== undefined) return { code: tests, language };
  throw new KeyholeError("usage", `Skill "${name}" has no tests`, {
    hint: `Write them into skills/${name}/${language === "python" ? "tests.py" : "tests.ts"}: a program that imports it and throws when it is wrong`,
  });
}

/** Nobody has said yes to it who could. */
function isWaiting({ status }: Skill): boolean {
  return status === "quarantined" || status === "untrusted";
}

function unusable(skill: Skill): KeyholeError {
  const { why = "can't be used", fix } = whyNot(skill) ?? {};
  return new KeyholeError(isWaiting(skill) ? "denied" : "tool_failed", `Skill "${skill.name}" ${why}`, {
    ...(fix !== undefined && { hint: fix }),
  });
}

async function findSkill(
  skills: Pick<EngineSkills, "find" | "namesFor">,
  spelling: string,
  principal: string,
): Promise<Skill> {
  const seen = await skills.find(spelling, principal);
  if (seen !== undefined) return seen;
  const hint = didYouMean(spelling, skills.namesFor(principal)) ?? "The list of skills shows what there is";
  throw new KeyholeError("usage", `There is no skill "${toExcerpt(spelling, 80)}"`, { hint });
}
