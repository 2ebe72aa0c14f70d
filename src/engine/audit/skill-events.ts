import type { SkillChange } from "../../skills/skill.ts";
import { tellIfPossible } from "./open-trail.ts";
import type { AuditTrail } from "./trail.ts";

/** What became of skills, in the log. */
export function createSkillTrail(trail: AuditTrail | undefined): (change: SkillChange) => void {
  return ({ skill, change, hash, by }) =>
    tellIfPossible(trail, {
      action: "skill.changed",
      outcome: "ok",
      ...(by && { principal: by.principal }),
      ...(by?.session !== undefined && { session: by.session }),
      ...(by?.run !== undefined && { run: by.run }),
      details: { skill, change, hash },
    });
}
