import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { signBytes, toPrivateKey, toPublicBytes } from "../../store/ed25519.ts";
import { KEY_BYTES, makeKeyFile, readKeyFile, unusableKey } from "../../store/key-file.ts";
import { makeFolders } from "../../store/make-folders.ts";
import { type PackSignature, toSignedBytes } from "./pack-signature.ts";
import { type PackedSkill, type SkillPack, toSignedText } from "./skill-pack.ts";

/** The user's own key for packs. */
export type PackKey = {
  /** The public one, in base64: what others write into their config to trust it. */
  readonly key: string;
  sign(text: string): PackSignature;
};

const FILE = "signing-key";
const WHAT = "The key that signs skills";

/** In the user's own folder, `skills/signing-key`; made when it is first needed, or nothing where it is only looked at. */
export async function openPackKey(userDir: string): Promise<PackKey> {
  const dir = join(userDir, "skills");
  const seed = (await readKeyFile(join(dir, FILE), WHAT)) ?? (await makeSeed(dir));
  return toPackKey(dir, seed);
}

/** Nothing where there is none yet. */
export async function findPackKey(userDir: string): Promise<PackKey | undefined> {
  const dir = join(userDir, "skills");
  const seed = await readKeyFile(join(dir, FILE), WHAT);
  return seed && toPackKey(dir, seed);
}

export function signPack(skills: readonly PackedSkill[], key: PackKey): SkillPack {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills: sorted, signature: key.sign(toSignedText({ skills: sorted })) };
}

/** As a version in a team's library. */
export function signPublished(skill: PackedSkill, key: PackKey): SkillPack {
  const content = { skills: [skill], isPublished: true as const };
  return { ...content, signature: key.sign(toSignedText(content)) };
}

function toPackKey(dir: string, seed: Uint8Array): PackKey {
  const privateKey = toPrivateKey(seed);
  const publicKey = toPublicBytes(privateKey);
  if (publicKey === undefined) throw unusableKey(join(dir, FILE), WHAT, "is not one", "Remove it");
  const key = publicKey.toString("base64");
  return {
    key,
    sign: (text) => ({ key, value: signBytes(privateKey, toSignedBytes(text)).toString("base64") }),
  };
}

/** Two processes that need one at once get the same. */
async function makeSeed(dir: string): Promise<Buffer> {
  await makeFolders(dir);
  return makeKeyFile(dir, FILE, randomBytes(KEY_BYTES), WHAT);
}
