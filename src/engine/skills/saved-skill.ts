import type { RestoredSkill, Skill, UsableBy } from "../../skills/skill.ts";

/** What whoever saved a skill is told of it. */
export type SavedSkill = {
  readonly name: string;
  readonly version: number;
  readonly status: Skill["status"];
  /** Where it is ready for whoever saved it: whether others may use it, too. */
  readonly usableBy?: UsableBy;
  readonly exports: Skill["exports"];
  /** The line that imports it. */
  readonly use: string;
  readonly problem?: string;
  /** Skills that import it and fit it no more. */
  readonly breaks?: readonly string[];
};

/** And whoever went back to an earlier version. */
export type RestoredAnswer = SavedSkill & Pick<RestoredSkill, "restored" | "refused">;
