import { assertApprovable } from "../../engine/skills/sharing/review-approval.ts";
import { withSkillsOf } from "../../engine/skills/skills-of-project.ts";
import { KeyholeError } from "../../errors.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { CommandContext } from "../command.ts";
import { printReviewed } from "./print-review.ts";
import { describeWhole, findNamed } from "./show.ts";
import { withEngine } from "./with-engine.ts";

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

/** Checks it, shows all of it, and writes down a person's yes to it. */
export function approveSkill(context: CommandContext, name: string): Promise<number> {
  const { output, options } = context;
  return withEngine(context, async ({ skills }) => {
    await skills.store.look();
    const skill = findNamed(skills.store, name);
    const review = await skills.reviewApproval(skill, BY);
    if (!output.json) {
      for (const line of describeWhole(skill, output)) output.print(line);
      printReviewed(review.review, output, APPROVAL_STATES);
    }
    for (const other of review.waiting)
      output.notice(`It imports ${other}, which waits for a yes itself: keyhole skills approve ${other}`);
    // What can't be used, nobody is asked about.
    assertApprovable(review);
    const isSaid = options["yes"] === true || (output.interactive && (await ask(skill.name)));
    if (!isSaid && !output.interactive)
      throw new KeyholeError("usage", "There is no terminal to ask on, so nothing was approved", {
        hint: `Look at what is shown above, then run keyhole skills approve ${skill.name} --yes`,
      });
    if (!isSaid) {
      output.print("Nothing was approved");
      return 1;
    }
    const { version, status } = await skills.approve(review, BY);
    const { waiting } = review;
    if (output.json) output.printJson({ name: skill.name, version, status, approved: true, waiting });
    else output.print(`Approved ${skill.name} v${version}: everybody may use it as it is`);
    return 0;
  });
}

const APPROVAL_STATES = {
  new: "which nobody has approved in any version",
  same: "which was approved as it is",
  changed: "which differs from the version approved before",
} as const;

async function ask(name: string): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `May everybody use ${name} as it is shown here?`,
    initialValue: false,
  });
  if (isCancel(answer)) throw new KeyholeError("cancelled", "Nothing was approved");
  return answer;
}
