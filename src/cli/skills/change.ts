import { withSkillsOf } from "../../engine/skills/skills-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { CommandContext } from "../command.ts";
import { describeWhole, findNamed, printTexts } from "./show.ts";

const BY = { principal: LOCAL_PRINCIPAL };

export function removeSkill({ output, projectDir, options }: CommandContext, name: string): Promise<number> {
  return withSkillsOf(
    { projectDir, onNotice: output.notice, trust: options["trust"] === true },
    async (store) => {
      const skill = findNamed(store, name);
      await store.remove(skill.name, BY);
      if (output.json) output.printJson({ name: skill.name, removed: true });
      else
        output.print(`Removed ${skill.name}; its versions are kept: keyhole skills rollback ${skill.name}`);
      return 0;
    },
  );
}

/** Shows all of it, and writes down a person's yes to it. */
export function approveSkill({ output, projectDir, options }: CommandContext, name: string): Promise<number> {
  return withSkillsOf({ projectDir, onNotice: output.notice }, async (store) => {
    const skill = findNamed(store, name);
    if (!output.json) {
      for (const line of describeWhole(skill, output)) output.print(line);
      printTexts(skill, output);
    }
    const isSaid = options["yes"] === true || (output.interactive && (await ask(skill.name)));
    if (!isSaid && !output.interactive)
      throw new KeyholeError("usage", "There is no terminal to ask on, so nothing was approved", {
        hint: `Look at what is shown above, then run keyhole skills approve ${skill.name} --yes`,
      });
    if (!isSaid) {
      output.print("Nothing was approved");
      return 1;
    }
    const approved = await store.approve(skill.name, BY, skill.hash);
    const { version, status } = approved;
    if (output.json) output.printJson({ name: skill.name, version, status, approved: true });
    else output.print(`Approved ${skill.name} v${version}: everybody may use it as it is`);
    return 0;
  });
}

async function ask(name: string): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `May everybody use ${name} as it is shown here?`,
    initialValue: false,
  });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was approved");
  return answer;
}
