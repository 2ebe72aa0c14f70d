import type { Skill, UsableBy } from "../../skills/skill.ts";
import { toUsableBy } from "../../skills/skill-status.ts";

/** The user sees all of it; whether it can be used is told as for the user. */
export function asMine(skill: Skill, visible: readonly Skill[]): Skill & { readonly usableBy?: UsableBy } {
  const status = visible.find(({ name }) => name === skill.name)?.status ?? skill.status;
  const usableBy = toUsableBy(skill, { status });
  return { ...skill, status, ...(usableBy && { usableBy }) };
}
