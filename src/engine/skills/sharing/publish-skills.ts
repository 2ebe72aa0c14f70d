import { KeyholeError } from "../../../errors.ts";
import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { openPackKey, type PackKey, signPublished } from "../../../skills/packs/signing-key.ts";
import { toPackText } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillChange, Skills } from "../../../skills/skill.ts";
import { toFilesHash } from "../../../skills/skill-folder.ts";
import { MAX_PUBLISHED, readPublished, type TeamLibrary } from "../../../skills/team/team-library.ts";
import { type ExportContext, toPackedSkill, withImported } from "./export-skills.ts";

export type PublishedNow = {
  readonly name: string;
  /** Its number in the library, which is not that of its version here. */
  readonly version: number;
  /** What is there already is this, signed by this user. */
  readonly isSame: boolean;
};

export type Published = {
  readonly library: string;
  readonly skills: readonly PublishedNow[];
  readonly key: string;
  readonly fingerprint: string;
};

export type PublishContext = {
  readonly store: Pick<Skills, "look" | "get" | "list">;
  readonly library: TeamLibrary;
  readonly userDir: string;
  readonly assertImpersonal: ExportContext["assertImpersonal"];
  readonly onChange: (change: SkillChange) => void;
};

/** Several can publish at once: whoever comes second gets the next number. */
const ATTEMPTS = 100;

/** Puts these, and before them what they import, into the team's library, each as its next version, signed by this user. */
export async function publishSkills(
  { store, library, userDir, assertImpersonal, onChange }: PublishContext,
  names: readonly string[],
  by: SkillActor,
): Promise<Published> {
  await store.look();
  const chosen = withImported(store, names, by);
  await assertImpersonal(
    chosen.map((skill) => toPackedSkill(skill)),
    by,
  );
  const key = await openPackKey(userDir);
  const skills: PublishedNow[] = [];
  for (const skill of chosen) {
    const published = await publish(library, skill, key);
    skills.push(published);
    if (!published.isSame) onChange({ skill: skill.name, change: "published", hash: skill.hash, by });
  }
  return { library: library.shown, skills, key: key.key, fingerprint: toFingerprint(key.key) };
}

async function publish(library: TeamLibrary, skill: Skill, key: PackKey): Promise<PublishedNow> {
  const { name } = skill;
  const [latest] = (await library.list()).filter((one) => one.name === name);
  if (latest !== undefined && (await isSame(library, latest.version, skill, key)))
    return { name, version: latest.version, isSame: true };
  const next = (latest?.version ?? 0) + 1;
  for (let version = next; version < next + ATTEMPTS && version <= MAX_PUBLISHED; version++) {
    const pack = signPublished({ ...toPackedSkill(skill), version }, key);
    if (await library.add({ name, version }, toPackText(pack))) return { name, version, isSame: false };
  }
  throw new KeyholeError(
    "file_conflict",
    `The team's library has no number left for a version of "${name}"`,
    {
      hint: "See who wrote so many there, and remove what is none",
    },
  );
}

async function isSame(library: TeamLibrary, version: number, skill: Skill, key: PackKey): Promise<boolean> {
  const at = { name: skill.name, version };
  const there = readPublished(at, await library.read(at));
  if (typeof there === "string") return false;
  return there.signature?.key === key.key && toFilesHash(there.skill.files) === skill.hash;
}
