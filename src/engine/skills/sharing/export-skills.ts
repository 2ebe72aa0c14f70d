import { KeyholeError } from "../../../errors.ts";
import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { openPackKey, signPack } from "../../../skills/packs/signing-key.ts";
import type { PackedSkill } from "../../../skills/packs/skill-pack.ts";
import { toPackText } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillChange, Skills, SkillVersion } from "../../../skills/skill.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { toExcerpt } from "../../../text/plain-text.ts";

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
  readonly onChange: (change: SkillChange) => void;
};

/** A pack of these and of what they import, signed by this user. What nobody has said yes to is not signed. */
export async function exportSkills(
  { store, userDir, onChange }: ExportContext,
  names: readonly string[],
  by: SkillActor,
  { versions = false }: ExportOptions = {},
): Promise<ExportedSkills> {
  await store.look();
  const chosen = withImported(store, names);
  const packed = await Promise.all(chosen.map((skill) => toPacked(store, skill, versions)));
  const key = await openPackKey(userDir);
  const pack = signPack(packed, key);
  for (const { name, hash } of chosen) onChange({ skill: name, change: "exported", hash, by });
  return { text: toPackText(pack), skills: pack.skills, key: key.key, fingerprint: toFingerprint(key.key) };
}

/** What is imported stands before what imports it. */
export function withImported(store: Pick<Skills, "get" | "list">, names: readonly string[]): Skill[] {
  const chosen = new Map<string, Skill>();
  for (const name of names) {
    const skill = findSkill(store, name);
    // What it imports stands in `skills` as a whole; one of another client's is needed there, too.
    for (const needed of [...skill.skills.flatMap((one) => store.get(one) ?? []), skill])
      chosen.set(needed.name, assertSaid(needed));
  }
  return [...chosen.values()];
}

function findSkill(store: Pick<Skills, "get" | "list">, name: string): Skill {
  const skill = store.get(name);
  if (skill !== undefined) return skill;
  throw new KeyholeError("usage", `There is no skill "${toExcerpt(name, 80)}"`, {
    hint:
      didYouMean(
        name,
        store.list().map((one) => one.name),
      ) ?? "`keyhole skills list` shows what there is",
  });
}

/** Whoever signs it says that it is theirs. */
function assertSaid(skill: Skill): Skill {
  if (skill.status !== "untrusted") return skill;
  throw new KeyholeError(
    "untrusted",
    `Skill "${skill.name}" lies in the folder, and nobody has said yes to it`,
    {
      hint: `Look at it, then say so: \`keyhole skills approve ${skill.name}\``,
    },
  );
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

async function toPacked(
  store: ExportContext["store"],
  skill: Skill,
  withVersions: boolean,
): Promise<PackedSkill> {
  return toPackedSkill(skill, withVersions ? await store.versions(skill.name) : []);
}

function toPackedVersion({ version, manual, language, code, tests }: SkillVersion) {
  return { version, files: { manual, language, code, ...(tests !== undefined && { tests }) } };
}
