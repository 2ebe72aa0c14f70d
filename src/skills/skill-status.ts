import type { KeyholeConfig } from "../config/schema.ts";
import type { Skill, SkillStatus, UsableBy } from "./skill.ts";
import type { ChangedSkill } from "./skill-records.ts";

/** Whose yes a skill needs: nobody's, that of somebody before others than its author use it, or in any case. */
export type UsePolicy = KeyholeConfig["skills"]["approval"];

export type StatusOptions = {
  readonly approval: UsePolicy;
  /** What lies in the project's folder is believed. */
  readonly isTrusted: boolean;
  /** Why its folder can't be read as it is now. */
  readonly fault: string | undefined;
};

/** A skill as it is for everybody. */
export function toSkill({ record, latest }: ChangedSkill, options: StatusOptions): Skill {
  const problem = options.fault ?? record.problem;
  const { uses, successes } = record;
  return {
    ...latest,
    status: toStatus(latest, problem, options),
    ...(problem !== undefined && { problem }),
    uses,
    successes,
  };
}

function toStatus(
  { author, approvedBy }: ChangedSkill["latest"],
  problem: string | undefined,
  { approval, isTrusted }: StatusOptions,
): SkillStatus {
  if (author === undefined && approvedBy === undefined && !isTrusted) return "untrusted";
  if (problem !== undefined) return "broken";
  const isApproved = approvedBy !== undefined || author === undefined;
  return isApproved || approval === "never" ? "ready" : "quarantined";
}

/** The same for one principal: what is its own is not in quarantine for it, and of what is, nothing is told that its author wrote. */
export function toSkillOf(skill: Skill, principal: string, approval: UsePolicy): Skill {
  const { status } = skill;
  if (status === "quarantined" && approval === "others" && isOwnOf(skill, principal))
    return { ...skill, status: "ready" };
  const isTold = status === "ready" || (status === "broken" && isUsable(skill, principal, approval));
  return isTold ? skill : hide(skill);
}

export function toUsableBy(skill: Skill, seen: Pick<Skill, "status">): UsableBy | undefined {
  if (seen.status !== "ready") return undefined;
  return skill.status === "quarantined" ? "author" : "everybody";
}

function isUsable(skill: Skill, principal: string, approval: UsePolicy): boolean {
  if (skill.approvedBy !== undefined || approval === "never") return true;
  return skill.author === undefined || (isOwnOf(skill, principal) && approval === "others");
}

/** Whether what this principal saves may be made of it: what nobody has said yes to is not, but by who wrote it. */
export function isUsableText(
  version: Pick<Skill, "origin" | "author" | "approvedBy">,
  principal: string,
  { approval, isTrusted }: Pick<StatusOptions, "approval" | "isTrusted">,
): boolean {
  if (version.approvedBy !== undefined || isOwnOf(version, principal)) return true;
  return version.author === undefined ? isTrusted : approval === "never";
}

/** Who imported a skill has not written it. */
export function isOwnOf({ origin, author }: Pick<Skill, "origin" | "author">, principal: string): boolean {
  return origin === "own" && author === principal;
}

/** Text of a model or of a repository: nobody has said that others' models may read it. */
function hide({
  name,
  version,
  hash,
  language,
  origin,
  author,
  status,
  savedAt,
  isChecked,
  uses,
  successes,
}: Skill): Skill {
  return {
    ...{ name, version, hash, language, origin, status, savedAt, isChecked, uses, successes },
    ...(author !== undefined && { author }),
    ...{ description: "", tags: [], manual: "", code: "", exports: [], tools: [], skills: [] },
  };
}
