import type { SkillSource } from "../../language/language.ts";
import type { Skill, Skills } from "../../skills/skill.ts";
import { toHash } from "../../text/hash.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { SeenSkills } from "./seen-skills.ts";

const MAX_PROBLEM = 600;

/**
 * What programs of a principal may import, and what they may not and why: the same list as long as nothing changed. One of the
 * project's own hides one of the same name that another client has.
 */
export function createSkillSources(
  store: Pick<Skills, "visibleTo">,
  seen: Pick<SeenSkills, "visibleTo">,
): (principal: string) => readonly SkillSource[] {
  const made = new WeakMap<readonly Skill[], { readonly all: readonly Skill[]; sources: SkillSource[] }>();
  return (principal) => {
    const [own, all] = [store.visibleTo(principal), seen.visibleTo(principal)];
    const known = made.get(own);
    if (known?.all === all) return known.sources;
    const discovered = all.filter(({ origin }) => origin === "discovered");
    const sources = [...own, ...discovered].map(toSource);
    made.set(own, { all, sources });
    return sources;
  };
}

const hashes = new WeakMap<Skill, string>();

function toSource(skill: Skill): SkillSource {
  const { name, language, code } = skill;
  const unavailable = whyNot(skill);
  if (unavailable !== undefined) return { name, language, code: "", hash: "", unavailable };
  const hash = hashes.get(skill) ?? toHash(code);
  hashes.set(skill, hash);
  return { name, language, code, hash };
}

/** What comes after its name, where it can't be used as it is. */
export function whyNot({ name, status, problem = "", code }: Skill): SkillSource["unavailable"] {
  if (status === "quarantined")
    return {
      why: "is quarantined: its author alone may use it until somebody approves it",
      fix: `A person can: \`keyhole skills show ${name}\`, then \`keyhole skills approve ${name}\``,
    };
  if (status === "untrusted")
    return {
      why: "is not trusted: it lies in the project's folder, and nobody has said yes to it as it is there",
      fix: `A person can: \`keyhole skills show ${name}\`, then \`keyhole skills approve ${name}\``,
    };
  if (status === "broken")
    return {
      why: `is broken: ${toExcerpt(problem, MAX_PROBLEM)}`,
      fix: `Repair it and save it again under this name, or go back to a version that fits: \`keyhole skills rollback ${name}\``,
    };
  if (code === "")
    return {
      why: "has no code to import: it is instructions alone",
      fix: `Read ./skills/${name}/SKILL.md`,
    };
  return undefined;
}
