import type { SearchableSkill } from "../../search/answer.ts";
import type { DiscoveredSkill } from "../../skills/discovered/find-skills.ts";
import type { Skill } from "../../skills/skill.ts";
import { toSkillTexts } from "../../skills/skill-folder.ts";
import { toManualBody } from "../../skills/skill-manual.ts";
import type { SkillInFolder } from "../own-tools/skills-folder.ts";
import type { SeenSkills } from "./seen-skills.ts";

/** A skill as its principal may see it, wherever it is kept. */
export type SeenSkill = Skill & {
  /** It is the principal's own, and nobody else has said yes to it. */
  readonly isQuarantined?: boolean;
  /** Where it lies in the folder of another client. */
  readonly discovered?: DiscoveredSkill;
};

/** The same skills for those who look at them, each list made once for each list of skills. */
export type SkillViews = {
  searchable(principal: string): Promise<readonly SearchableSkill[]>;
  inFolder(principal: string): Promise<readonly SkillInFolder[]>;
};

export function createSkillViews(skills: Pick<SeenSkills, "visibleTo" | "look">): SkillViews {
  const searchable = createView(toSearchable);
  const inFolder = createView(toInFolder);
  const seenBy = async (principal: string) => {
    await skills.look();
    return skills.visibleTo(principal);
  };
  return {
    searchable: async (principal) => searchable(await seenBy(principal)),
    inFolder: async (principal) => inFolder(await seenBy(principal)),
  };
}

function createView<Shown>(show: (skill: SeenSkill) => Shown) {
  const lists = new WeakMap<readonly SeenSkill[], readonly Shown[]>();
  const known = new WeakMap<SeenSkill, Shown>();
  return (skills: readonly SeenSkill[]): readonly Shown[] => {
    const before = lists.get(skills);
    if (before !== undefined) return before;
    const shown = skills.map((skill) => {
      const one = known.get(skill) ?? show(skill);
      known.set(skill, one);
      return one;
    });
    lists.set(skills, shown);
    return shown;
  };
}

function toSearchable(skill: SeenSkill): SearchableSkill {
  const { name, description, language, code, hash, exports, tags, tools, manual, status, problem } = skill;
  const isQuarantined = skill.isQuarantined === true;
  const isBroken = status === "broken";
  return {
    name,
    description,
    stamp: JSON.stringify([hash, description, exports.length, isQuarantined, isBroken ? problem : ""]),
    ...(code !== "" && { language }),
    code,
    exports: exports.filter(({ kind }) => kind !== "type"),
    tags,
    tools,
    body: toManualBody(manual),
    ...(isBroken && { problem: problem ?? "It can't be used as it is" }),
    ...(isQuarantined && { isQuarantined }),
  };
}

export function toInFolder(skill: SeenSkill): SkillInFolder {
  const { name, discovered } = skill;
  if (discovered !== undefined)
    return { name, files: discovered.files.map(({ hash, ...file }) => ({ ...file, digest: hash })) };
  const files = [...toSkillTexts(skill)].map(([path, text]) => ({
    path,
    bytes: Buffer.byteLength(text),
    read: async () => Buffer.from(text),
  }));
  return { name, files };
}
