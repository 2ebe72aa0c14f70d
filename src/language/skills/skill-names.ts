import { foldName, type Meaning } from "../../catalog/name-index.ts";
import type { SkillSource } from "../language.ts";

/** As Agent Skills has it: the folder's name. */
const SKILL_NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Of a spelling; a name is shorter, and no language makes it much longer. */
const MAX_SPELLING = 200;

export function isSkillName(text: unknown): text is string {
  return typeof text === "string" && SKILL_NAME.test(text);
}

export type SkillNames<Skill> = {
  /**
   * A name means its own skill or none. What can be no name (`a_b`, `aB`) means the one that it is close to: nobody can come to be
   * meant by the name of another that is gone.
   */
  find(spelling: string): Meaning<Skill>;
};

export function createSkillNames<Skill extends { readonly name: string }>(
  skills: readonly Skill[],
): SkillNames<Skill> {
  const own = new Map<string, Skill>();
  const folded = new Map<string, Skill[]>();
  for (const skill of skills) {
    if (own.has(skill.name)) continue;
    own.set(skill.name, skill);
    const key = foldName(skill.name);
    const others = folded.get(key);
    if (others) others.push(skill);
    else folded.set(key, [skill]);
  }
  return {
    find(spelling) {
      if (spelling.length > MAX_SPELLING) return { kind: "none" };
      const one = own.get(spelling);
      if (one !== undefined) return { kind: "one", value: one };
      if (isSkillName(spelling)) return { kind: "none" };
      const values = folded.get(foldName(spelling)) ?? [];
      const [first, second] = values;
      if (first === undefined) return { kind: "none" };
      return second === undefined ? { kind: "one", value: first } : { kind: "many", values };
    },
  };
}

const known = new WeakMap<readonly SkillSource[], SkillNames<SkillSource>>();

/** Made once for each list. */
export function skillNamesOf(skills: readonly SkillSource[]): SkillNames<SkillSource> {
  const made = known.get(skills) ?? createSourceNames(skills);
  known.set(skills, made);
  return made;
}

/** One that can't be imported is told of where it alone is meant: beside others it is as if it were not there. */
function createSourceNames(skills: readonly SkillSource[]): SkillNames<SkillSource> {
  const all = createSkillNames(skills);
  const importable = createSkillNames(skills.filter(isImportable));
  return {
    find(spelling) {
      const meant = all.find(spelling);
      return meant.kind === "many" ? importable.find(spelling) : meant;
    },
  };
}

export function isImportable({ unavailable }: SkillSource): boolean {
  return unavailable === undefined;
}
