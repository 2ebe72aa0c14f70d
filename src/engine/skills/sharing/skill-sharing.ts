import { KeyholeError } from "../../../errors.ts";
import type { SkillSource } from "../../../language/language.ts";
import type { WorkspacePrivacy } from "../../../privacy/workspace-privacy.ts";
import type { PackedSkill } from "../../../skills/packs/skill-pack.ts";
import type { SkillActor, SkillChange, Skills } from "../../../skills/skill.ts";
import { readManual } from "../../../skills/skill-manual.ts";
import { type Project, userDir } from "../../project.ts";
import type { SkillCheck } from "../check-skill.ts";
import { refusePersonal } from "../refuse-personal.ts";
import { type ExportedSkills, type ExportOptions, exportSkills } from "./export-skills.ts";
import {
  assertAllowed,
  type ImportedSkill,
  type ImportOptions,
  reviewImport,
  reviewSource,
  takeReviewed,
} from "./import-skills.ts";
import { openTeamLibrary } from "./open-library.ts";
import { type Published, publishSkills } from "./publish-skills.ts";
import type { ImportReview } from "./review.ts";
import { revokeUntrusted } from "./signer.ts";
import { createTeamSkills, type TeamSkill } from "./team-skills.ts";

/** Skills that come from others and go to them. */
export type SkillSharing = {
  /** A signed pack of these and of what they import. */
  export(names: readonly string[], by: SkillActor, options?: ExportOptions): Promise<ExportedSkills>;
  /** Into the team's library: these and what they import, signed. */
  publish(names: readonly string[], by: SkillActor): Promise<Published>;
  /** What the team's library has; what the user's keys have signed is taken up with it. */
  team(): Promise<readonly TeamSkill[]>;
  /** The same for whoever uses skills, now and then; where there is no library, nothing. */
  freshen(signal?: AbortSignal): Promise<void>;
  /** What a pack, a folder or a checkout has, and what of it is forbidden here; nothing is kept. */
  review(path: string, by: SkillActor, options?: ImportOptions): Promise<ImportReview>;
  /** Throws where something of it is forbidden here. */
  assertAllowed(review: ImportReview): void;
  /** Keeps what was reviewed. */
  take(review: ImportReview, by: SkillActor): Promise<ImportedSkill[]>;
  /** Once what is under way has ended. */
  close(): Promise<void>;
};

/** Before the name of a skill in the team's library, in the place of a path. */
const TEAM = "team:";

export type SharingContext = {
  readonly project: Project;
  readonly store: Skills;
  readonly check: SkillCheck;
  readonly sources: (principal: string) => readonly SkillSource[];
  privacyOf(principal: string): Promise<Pick<WorkspacePrivacy, "knownIn" | "mask">>;
  onChange(change: SkillChange): void;
  onNotice(text: string): void;
};

export function createSharing(context: SharingContext): SkillSharing {
  const { project, store, onChange } = context;
  const own = userDir({ homeDir: project.homeDir, env: project.env });
  const trustedKeys = project.config.config.skills.trustedKeys ?? {};
  const importing = { ...context, trustedKeys, userDir: own };

  /** What leaves is read by others. */
  async function assertImpersonal(packed: readonly PackedSkill[], { principal }: SkillActor): Promise<void> {
    const privacy = await context.privacyOf(principal);
    for (const skill of packed)
      for (const { version, files } of [skill, ...skill.earlier]) {
        const { name } = skill;
        const read = readManual(files.manual, name);
        const { description, tags } = read.ok ? read.manual : { description: "", tags: [] };
        const draft = { ...files, name, description, tags, body: files.manual };
        refusePersonal(draft, privacy, `version ${version} is not handed on`);
      }
  }

  const leaving = { store, userDir: own, assertImpersonal, onChange };

  const library = openTeamLibrary(project.config.config.skills, {
    projectDir: project.dir,
    env: project.env,
  });
  const team = library && createTeamSkills({ ...importing, library, state: project.state });

  function assertLibrary<T>(one: T | undefined): T {
    if (one !== undefined) return one;
    throw new KeyholeError("usage", "No library of a team is configured", {
      hint: 'Write "skills": { "library": { "folder": "PATH" } } into keyhole.config.json, or { "postgres": "${URL}" } into your own config',
    });
  }

  let revoked: Promise<void> | undefined;

  /** Once: the config is that of this process. */
  async function freshen(signal?: AbortSignal): Promise<void> {
    revoked ??= revokeUntrusted(store, trustedKeys).catch((error: unknown) => {
      revoked = undefined;
      throw error;
    });
    await revoked;
    await team?.freshen(signal);
  }

  return {
    async publish(names, by) {
      await revokeUntrusted(store, trustedKeys);
      return publishSkills({ ...leaving, trustedKeys, library: assertLibrary(library) }, names, by);
    },
    async team() {
      await revokeUntrusted(store, trustedKeys);
      return assertLibrary(team).look();
    },
    freshen,
    async close() {
      await team?.close();
      await library?.close();
    },
    async export(names, by, options) {
      await revokeUntrusted(store, trustedKeys);
      return exportSkills(leaving, names, by, options);
    },
    async review(path, by, options) {
      if (!path.startsWith(TEAM)) return reviewImport(importing, path, by, options);
      const source = await assertLibrary(team).source(path.slice(TEAM.length));
      return reviewSource(importing, { ...source, kind: "team" }, by, options);
    },
    assertAllowed,
    take: (review, by) => takeReviewed(importing, review, by),
  };
}
