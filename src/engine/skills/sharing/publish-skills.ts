import { KeyholeError } from "../../../errors.ts";
import { toFingerprint } from "../../../skills/packs/pack-signature.ts";
import { openPackKey, type PackKey, signPublished } from "../../../skills/packs/signing-key.ts";
import { toPackText } from "../../../skills/packs/skill-pack.ts";
import type { Skill, SkillActor, SkillChange, Skills } from "../../../skills/skill.ts";
import { toFilesHash } from "../../../skills/skill-folder.ts";
import { MAX_PUBLISHED, type PublishedVersion, type TeamLibrary } from "../../../skills/team/team-library.ts";
import { type ExportContext, toPackedSkill, withImported } from "./export-skills.ts";
import { createLibraryReader } from "./library-reader.ts";

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
  readonly trustedKeys: Readonly<Record<string, string>>;
  readonly userDir: string;
  readonly assertImpersonal: ExportContext["assertImpersonal"];
  readonly onChange: (change: SkillChange) => void;
};

/** Several can publish at once: whoever comes second gets the next number. */
const ATTEMPTS = 100;

/** Puts these, and before them what they import, into the team's library, each as its next version, signed by this user. */
export async function publishSkills(
  { store, library, trustedKeys, userDir, assertImpersonal, onChange }: PublishContext,
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
    const published = await publish({ library, trustedKeys }, skill, key);
    skills.push(published);
    if (!published.isSame) onChange({ skill: skill.name, change: "published", hash: skill.hash, by });
  }
  return { library: library.shown, skills, key: key.key, fingerprint: toFingerprint(key.key) };
}

async function publish(
  { library, trustedKeys }: Pick<PublishContext, "library" | "trustedKeys">,
  skill: Skill,
  key: PackKey,
): Promise<PublishedNow> {
  const { name } = skill;
  const versions = (await library.list()).filter((one) => one.name === name);
  // What nobody signed who is believed uses up its number, and no more.
  const latest = await findLatest(library, versions, [key.key, ...Object.values(trustedKeys)]);
  if (latest?.key === key.key && latest.hash === skill.hash)
    return { name, version: latest.version, isSame: true };
  const used = new Set(versions.map(({ version }) => version));
  let attempts = 0;
  for (let version = (latest?.version ?? 0) + 1; version <= MAX_PUBLISHED; version++) {
    if (used.has(version)) continue;
    if (attempts++ === ATTEMPTS) break;
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

async function findLatest(
  library: TeamLibrary,
  versions: readonly PublishedVersion[],
  keys: readonly string[],
) {
  for await (const { version, found } of createLibraryReader(library).read(versions, keys)) {
    if (typeof found === "string") continue;
    const { signature, skill } = found;
    if (signature !== undefined && keys.includes(signature.key))
      return { version, key: signature.key, hash: toFilesHash(skill.files) };
  }
  return undefined;
}
