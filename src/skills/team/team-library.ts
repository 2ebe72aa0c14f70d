import type { PackSignature } from "../packs/pack-signature.ts";
import { MAX_PACK_BYTES, type PackedSkill, readPack } from "../packs/skill-pack.ts";

/** Where a team keeps the skills that it shares. Others write there, too, and not all of them mean well. */
export type TeamLibrary = {
  /** Where it is, as it can be shown. */
  readonly shown: string;
  /** By which it is told from others, and which says nothing of it. */
  readonly id: string;
  /** What lies there under which number, believed by nobody yet: of each name the latest first. */
  list(): Promise<readonly PublishedVersion[]>;
  /** Another one when there is something else under this number. */
  stamp(published: PublishedVersion): Promise<string>;
  read(published: PublishedVersion): Promise<Uint8Array | undefined>;
  /** As a whole or not at all; false where there is one of this number. */
  add(published: PublishedVersion, pack: string): Promise<boolean>;
  close(): Promise<void>;
};

/** Each is a pack of one skill, which says its name and this number itself: nobody can give an old one a new number. */
export type PublishedVersion = { readonly name: string; readonly version: number };

export type PublishedSkill = { readonly skill: PackedSkill; readonly signature?: PackSignature };

/** Beyond that is no number of a version. */
export const MAX_PUBLISHED = 999_999;
export const MAX_LISTED = 100_000;
/** Of a library's file; a skill's texts are less than a third of it. */
export const MAX_PUBLISHED_BYTES = Math.min(MAX_PACK_BYTES, 2 * 1024 * 1024);

export function isVersionNumber(version: number): boolean {
  return Number.isInteger(version) && version >= 1 && version <= MAX_PUBLISHED;
}

/** The problem, where it is not what it lies there as. */
export function readPublished(
  { name, version }: PublishedVersion,
  bytes: Uint8Array | undefined,
): PublishedSkill | string {
  if (bytes === undefined) return "it can't be read, or is too large";
  const read = readPack(bytes);
  if (!read.ok) return read.problem;
  const { skills, signature, isPublished } = read.pack;
  if (isPublished !== true) return "it was packed for somebody, and not published";
  const [skill, second] = skills;
  if (skill === undefined || second !== undefined) return "it is a pack of several skills";
  if (skill.name !== name || skill.version !== version)
    return `it says that it is "${skill.name}", version ${skill.version}`;
  return { skill, ...(signature !== undefined && { signature }) };
}

/** Of each name the latest first. */
export function inOrderOfVersions(published: readonly PublishedVersion[]): PublishedVersion[] {
  return [...published].sort((a, b) => {
    if (a.name !== b.name) return a.name < b.name ? -1 : 1;
    return b.version - a.version;
  });
}
