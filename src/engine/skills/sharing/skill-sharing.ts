import type { SkillSource } from "../../../language/language.ts";
import type { WorkspacePrivacy } from "../../../privacy/workspace-privacy.ts";
import type { SkillActor, SkillChange, Skills } from "../../../skills/skill.ts";
import { type Project, userDir } from "../../project.ts";
import type { SkillCheck } from "../check-skill.ts";
import { refusePersonal } from "../refuse-personal.ts";
import { type ExportedSkills, type ExportOptions, exportSkills } from "./export-skills.ts";
import {
  assertAllowed,
  type ImportedSkill,
  type ImportOptions,
  reviewImport,
  takeReviewed,
} from "./import-skills.ts";
import type { ImportReview } from "./review.ts";

/** Skills that come from others and go to them. */
export type SkillSharing = {
  /** A signed pack of these and of what they import. */
  export(names: readonly string[], by: SkillActor, options?: ExportOptions): Promise<ExportedSkills>;
  /** What a pack, a folder or a checkout has, and what of it is forbidden here; nothing is kept. */
  review(path: string, by: SkillActor, options?: ImportOptions): Promise<ImportReview>;
  /** Throws where something of it is forbidden here. */
  assertAllowed(review: ImportReview): void;
  /** Keeps what was reviewed. */
  take(review: ImportReview, by: SkillActor): Promise<ImportedSkill[]>;
};

export type SharingContext = {
  readonly project: Project;
  readonly store: Skills;
  readonly check: SkillCheck;
  readonly sources: (principal: string) => readonly SkillSource[];
  privacyOf(principal: string): Promise<Pick<WorkspacePrivacy, "knownIn" | "mask">>;
  onChange(change: SkillChange): void;
};

export function createSharing(context: SharingContext): SkillSharing {
  const { project, store, onChange } = context;
  const own = userDir({ homeDir: project.homeDir, env: project.env });
  const trustedKeys = project.config.config.skills.trustedKeys ?? {};
  const importing = { ...context, trustedKeys, userDir: own };

  /** What leaves is read by others. */
  async function assertImpersonal(names: readonly string[], { principal }: SkillActor): Promise<void> {
    const privacy = await context.privacyOf(principal);
    await store.look();
    for (const name of names) {
      const skill = store.get(name);
      if (skill !== undefined) refusePersonal({ ...skill, body: skill.manual }, privacy);
    }
  }

  return {
    async export(names, by, options) {
      await assertImpersonal(names, by);
      return exportSkills({ store, userDir: own, onChange }, names, by, options);
    },
    review: (path, by, options) => reviewImport(importing, path, by, options),
    assertAllowed,
    take: (review, by) => takeReviewed(importing, review, by),
  };
}
