import { asMine } from "../../engine/skills/as-mine.ts";
import { hasSkills } from "../../engine/skills/has-skills.ts";
import { withSkillsOf } from "../../engine/skills/skills-of-project.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { CommandContext } from "../command.ts";
import { describeSkill, toSkillData } from "./describe.ts";

const MAX_TEXT = 160;

/** Those of the project, with what lies in its folder and can't be used. */
export async function listSkills({ output, projectDir, options }: CommandContext): Promise<number> {
  const { skills, faults } = hasSkills(projectDir)
    ? await withSkillsOf(
        { projectDir, onNotice: output.notice, trust: options["trust"] === true },
        async (store) => ({
          skills: store.list().map((skill) => asMine(skill, store.visibleTo("local"))),
          faults: [...store.faults()],
        }),
      )
    : { skills: [], faults: [] };
  if (output.json) {
    const problems = faults.map(([folder, problem]) => ({ folder, problem }));
    output.printJson({ skills: skills.map(toSkillData), problems });
    return 0;
  }
  if (skills.length === 0 && faults.length === 0) {
    output.print("There are no skills yet: a program saves one with saveSkill, you with keyhole skills save");
    return 0;
  }
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  for (const skill of skills) {
    output.print(describeSkill(skill, width, output));
    output.print(`  ${toExcerpt(skill.description, MAX_TEXT)}`);
    if (skill.problem !== undefined)
      output.print(`  ${output.style("red", toExcerpt(skill.problem, MAX_TEXT))}`);
  }
  for (const [folder, problem] of faults)
    output.notice(`skills/${toExcerpt(folder, 80)} is no skill: ${toExcerpt(problem, MAX_TEXT)}`);
  return 0;
}
