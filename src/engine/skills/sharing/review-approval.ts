import { KeyholeError } from "../../../errors.ts";
import type { Skill, SkillActor, SkillFindings } from "../../../skills/skill.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { type ImportContext, toForbiddenError } from "./import-skills.ts";
import { reviewSkill, type SkillReview } from "./review.ts";

/** What a person decides by before everybody may use it. */
export type ApprovalReview = {
  readonly skill: Skill;
  /** `before` is the version that was approved last. */
  readonly review: SkillReview;
  readonly findings: SkillFindings;
  /** Skills that it imports and that nobody has said yes to. */
  readonly waiting: readonly string[];
};

/** Checks a skill as it lies here, and says what it is. Nothing is changed. */
export async function reviewApproval(
  { project, store, check, sources }: Pick<ImportContext, "project" | "store" | "check" | "sources">,
  skill: Skill,
  by: SkillActor,
): Promise<ApprovalReview> {
  const { name, version, hash } = skill;
  const versions = await store.versions(name);
  const approved = versions.find((one) => one.version < version && one.approvedBy !== undefined);
  const before = approved && { ...skill, ...approved, status: "ready" as const };
  const among = {
    project,
    known: (other: string) => (other === name ? before : store.get(other)),
    sources: () => sources(by.principal),
    by,
  };
  const packed = { name, version, files: skill, tools: skill.tools, skills: skill.skills, earlier: [] };
  const review = await reviewSkill(among, packed, name, []);
  const findings = await check(name, skill, by.principal);
  const waiting = [...new Set([...skill.skills, ...findings.skills])].filter((other) => {
    const status = store.get(other)?.status;
    return other !== name && (status === "quarantined" || status === "untrusted");
  });
  return { skill, review: { ...review, hash }, findings, waiting };
}

/** Nobody is asked for a yes to what can't be used, or may not be. */
export function assertApprovable({ skill, review, findings }: ApprovalReview): void {
  if (review.forbidden.length > 0)
    throw toForbiddenError(
      review.forbidden,
      "What the skill does may not be done here",
      "Nothing was approved",
    );
  if (findings.problem === undefined) return;
  throw new KeyholeError(
    "usage",
    `Skill "${skill.name}" can't be approved: ${toExcerpt(findings.problem, 1_500)}`,
    { hint: "Nothing was approved. Repair it, and save it again" },
  );
}
