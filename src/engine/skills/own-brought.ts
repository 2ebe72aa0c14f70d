import type { Brought } from "../../config/trust/brought.ts";
import { bounded } from "../../config/trust/describe-server.ts";
import { toShown } from "../../config/trust/shown-text.ts";
import { LOCAL_PRINCIPAL } from "../../session.ts";
import type { Skill } from "../../skills/skill.ts";
import { SKILLS_FOLDER, toSkillTexts } from "../../skills/skill-folder.ts";
import { toHash } from "../../text/hash.ts";
import { hasSkills } from "./has-skills.ts";
import { type SkillsOfProject, withSkillsOf } from "./skills-of-project.ts";

const BY = { principal: LOCAL_PRINCIPAL };
const ID = `skill ${SKILLS_FOLDER}/`;

/** Whether it is one of the project's own skills, of which the project's database knows who said yes to it. */
export function isOwnSkill({ id }: Pick<Brought, "id">): boolean {
  return id.startsWith(ID);
}

/** What lies in the project's `skills/` and nobody has said yes to. */
export async function ownBrought(options: SkillsOfProject): Promise<Brought[]> {
  if (!hasSkills(options.projectDir)) return [];
  return withSkillsOf(options, async (store) => {
    const untrusted = store.list().filter(({ status }) => status === "untrusted");
    return untrusted.map(toBroughtSkill);
  });
}

/** What was shown is said yes to; what has become something else since is not. */
export async function acceptOwn(items: readonly Brought[], options: SkillsOfProject): Promise<void> {
  if (items.length === 0) return;
  await withSkillsOf(options, async (store) => {
    for (const { name, accepted } of items) await store.approve(name, BY, accepted?.digest ?? "");
  });
}

/** Takes back every yes of the user to skills of the project; tells to how many. */
export async function revokeOwn(options: SkillsOfProject): Promise<number> {
  if (!hasSkills(options.projectDir)) return 0;
  return withSkillsOf(options, (store) => store.revoke(BY));
}

function toBroughtSkill(skill: Skill): Brought {
  const { name, version, hash, description, language, code } = skill;
  const files = [...toSkillTexts(skill)].map(
    ([path, text]) => `file ${path}: ${Buffer.byteLength(text)} bytes, sha256 ${toHash(text).slice(0, 16)}`,
  );
  const lines = bounded([`description: ${toShown(description)}`, ...files]);
  return {
    ...{ id: `${ID}${name}`, kind: "skill", name, file: `${SKILLS_FOLDER}/${name}`, lines },
    state: version === 1 ? "new" : "changed",
    remarks: [
      "its description is shown to models that search for what it does",
      ...(code === "" ? [] : [`programs can import its code (${language}), which does what they may do`]),
    ],
    accepted: { digest: hash, lines },
  };
}
