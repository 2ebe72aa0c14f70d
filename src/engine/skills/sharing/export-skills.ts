import { KeyholeError } from "../../../errors.ts";
import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { openPackKey, signPack } from "../../../skills/packs/signing-key.ts";
import type { PackedSkill } from "../../../skills/packs/skill-pack.ts";
import { toPackText } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillChange, Skills, SkillVersion } from "../../../skills/skill.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toExcerpt } from "../../../text/plain-text.ts";
import { isSaid } from "./signer.ts";

export type ExportOptions = {
  /** With the versions before. */
  readonly versions?: boolean | undefined;
};

export type ExportedSkills = {
  /** The pack, as it is to be written into a file. */
  readonly text: string;
  /** With what they import. */
  readonly skills: readonly PackedSkill[];
  /** The public key that it is signed with, and the fingerprint by which people compare keys. */
  readonly key: string;
  readonly fingerprint: string;
};

export type ExportContext = {
  readonly store: Pick<Skills, "look" | "get" | "list" | "versions">;
  /** The user's own folder, in which the key is. */
  readonly userDir: string;
  /** Of all that is packed. */
  readonly assertImpersonal: (packed: readonly PackedSkill[], by: SkillActor) => Promise<void>;
  readonly onChange: (change: SkillChange) => void;
};

/** A pack of these and of what they import, signed by this user. What nobody has said yes to is not signed. */
export async function exportSkills(
  { store, userDir, assertImpersonal, onChange }: ExportContext,
  names: readonly string[],
  by: SkillActor,
  { versions = false }: ExportOptions = {},
): Promise<ExportedSkills> {
  await store.look();
  const chosen = withImported(store, names, by);
  const packed = await Promise.all(
    chosen.map(async (skill) => {
      const earlier = versions ? await store.versions(skill.name) : [];
      return toPackedSkill(
        skill,
        earlier.filter((one) => isSaid(one, by)),
      );
    }),
  );
  await assertImpersonal(packed, by);
  const key = await openPackKey(userDir);
  const pack = signPack(packed, key);
  for (const { name, hash } of chosen) onChange({ skill: name, change: "exported", hash, by });
  return { text: toPackText(pack), skills: pack.skills, key: key.key, fingerprint: toFingerprint(key.key) };
}

/** What is imported stands before what imports it. */
export function withImported(
  store: Pick<Skills, "get" | "list">,
  names: readonly string[],
  by: SkillActor,
): Skill[] {
  const chosen = new Map<string, Skill>();
  const seen = new Set<string>();
  const add = (skill: Skill): void => {
    if (seen.has(skill.name)) return;
    seen.add(skill.name);
    assertSaid(skill, by);
    // One of another client's is needed there, too.
    for (const needed of skill.skills.flatMap((one) => store.get(one) ?? [])) add(needed);
    // What it imports can be why.
    assertWhole(skill);
    chosen.set(skill.name, skill);
  };
  for (const name of names) add(findSkill(store, name));
  return [...chosen.values()];
}

function findSkill(store: Pick<Skills, "get" | "list">, name: string): Skill {
  const skill = store.get(name);
  if (skill?.name === name) return skill;
  throw new KeyholeError("usage", `There is no skill "${toExcerpt(name, 80)}"`, {
    hint:
      didYouMean(
        name,
        store.list().map((one) => one.name),
      ) ?? "`keyhole skills list` shows what there is",
  });
}

/** Whoever signs it says that it is theirs: also of what another one imports, and whatever may be used here without a yes. */
function assertSaid(skill: Skill, by: SkillActor): void {
  if (isSaid(skill, by)) return;
  const { name } = skill;
  throw new KeyholeError(
    "untrusted",
    `Nobody has said yes to skill "${name}" as it is: it is not signed in your name`,
    { hint: `Look at it, then say so: \`keyhole skills approve ${name}\`` },
  );
}

function assertWhole({ name, status }: Skill): void {
  if (status !== "broken") return;
  throw new KeyholeError("usage", `Skill "${name}" is broken, and not handed on`, {
    hint: `Repair it first: \`keyhole skills show ${name}\` says what is wrong`,
  });
}

export function toPackedSkill(skill: Skill, earlier: readonly SkillVersion[] = []): PackedSkill {
  const { name, version, tools, skills } = skill;
  return {
    name,
    ...toPackedVersion(skill),
    tools: tools.map(({ server, tool, hash }) => ({ server, tool, hash })),
    skills: [...skills].sort(),
    earlier: earlier.filter((one) => one.version < version).map(toPackedVersion),
  };
}

function toPackedVersion({ version, manual, language, code, tests }: SkillVersion) {
  return { version, files: { manual, language, code, ...(tests !== undefined && { tests }) } };
}
