import type { Skill } from "../../skills/skill.ts";

/** What whoever saved a skill is told of it. */
export type SavedSkill = {
  readonly name: string;
  readonly version: number;
  readonly status: Skill["status"];
  readonly exports: Skill["exports"];
  /** The line that imports it. */
  readonly use: string;
  readonly problem?: string;
};
