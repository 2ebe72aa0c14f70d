import type { InitOptions } from "../init.ts";
import type { Output } from "../output.ts";
import { askToReplace } from "./choose.ts";
import { planSkill, skillConflict, writeSkill } from "./skill.ts";

export type SkillReport = {
  file: string;
  /** `kept`: it has somebody else's words, and was to stay. */
  status: "written" | "updated" | "unchanged" | "replaced" | "kept";
  backups: string[];
  dryRun: boolean;
};

/** Adds the skill to a project that has all the rest. */
export async function addSkill(
  projectDir: string,
  options: InitOptions,
  output: Output,
  found: unknown,
): Promise<number> {
  const skill = await (await settleSkill(projectDir, options, output)).write();
  if (output.json) output.printJson({ found, written: null, skill, paste: [], notices: [] });
  else printSkill(skill, output);
  return 0;
}

/** Decides what is to happen, before anything is written; throws where a changed file stands in the way. */
export async function settleSkill(
  projectDir: string,
  { force = false, dryRun = false, yes = false }: InitOptions,
  output: Output,
): Promise<{ write(): Promise<SkillReport> }> {
  const plan = await planSkill(projectDir);
  const { file } = plan;
  const isConflict = plan.status === "conflict";
  if (isConflict && !force && (yes || !output.interactive)) throw skillConflict(file);
  const isKept = isConflict && !force && !(await askToReplace(file));
  const status = plan.status === "conflict" ? (isKept ? "kept" : "replaced") : plan.status;
  return {
    async write() {
      const backups = dryRun || isKept ? [] : await writeSkill(plan);
      return { file, status, backups, dryRun };
    },
  };
}

export function printSkill({ file, status, backups, dryRun }: SkillReport, output: Output): void {
  const name = output.style("bold", file);
  if (status === "unchanged") output.print(`${name} is there already`);
  else if (status === "kept") output.print(`${name} stays as it is`);
  else output.print(`${dryRun ? "Would write" : "Wrote"} ${name}`);
  for (const backup of backups) output.print(`What it was before is kept as ${backup}`);
  if (status !== "kept") output.print("The wrappers that it reads are written by `keyhole generate`");
}
