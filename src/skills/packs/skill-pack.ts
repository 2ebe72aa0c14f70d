import { isSkillName } from "../../language/skills/skill-names.ts";
import { toHash } from "../../text/hash.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { SkillFiles, SkillTool } from "../skill.ts";
import { maxBytesOf, readSkillTexts, toSkillTexts } from "../skill-folder.ts";
import { readManual } from "../skill-manual.ts";
import { isModestJson } from "./modest-json.ts";
import { PACK_FORMAT, type PackJson, PUBLISHED_FORMAT, packSchema } from "./pack-json.ts";
import { checkSignature, type PackSignature } from "./pack-signature.ts";

/** Skills on their way from one project to another. */
export type SkillPack = {
  readonly skills: readonly PackedSkill[];
  /** It is a version in a team's library. */
  readonly isPublished?: true;
  /** Nothing where nobody signed it. */
  readonly signature?: PackSignature;
};

export type PackedSkill = PackedVersion & {
  readonly name: string;
  /** What it calls, and the hash of each definition that it was checked against. */
  readonly tools: readonly SkillTool[];
  /** What it imports. */
  readonly skills: readonly string[];
  /** The versions before, the latest first. */
  readonly earlier: readonly PackedVersion[];
};

export type PackedVersion = { readonly version: number; readonly files: SkillFiles };

export type ReadPack =
  | { readonly ok: true; readonly pack: SkillPack }
  | { readonly ok: false; readonly problem: string };

export const MAX_PACK_BYTES = 16 * 1024 * 1024;

/**
 * A pack is JSON, one text for what it says, to the byte: the same skills make the same pack, and nothing in it can be read in two
 * ways. Texts of skills stand in it as strings, so that there is no archive to unpack, and no path.
 */
export function toPackText(pack: SkillPack): string {
  const { skills, isPublished, signature } = pack;
  const signed = signature === undefined ? {} : { signature };
  return `${JSON.stringify({ ...toContent(skills, isPublished), ...signed }, null, 1)}\n`;
}

/** What is signed: all that a pack says, but for the signature. */
export function toSignedText({ skills, isPublished }: Omit<SkillPack, "signature">): string {
  return JSON.stringify(toContent(skills, isPublished));
}

/** Somebody else's: whatever is not just as Keyhole writes it is refused as a whole. */
export function readPack(bytes: Uint8Array): ReadPack {
  if (bytes.length > MAX_PACK_BYTES) return refused(`It has more than ${MAX_PACK_BYTES} bytes`);
  const text = toText(bytes);
  if (text === undefined) return refused("It is no text in UTF-8");
  if (!isModestJson(text)) return refused("It has more lists and objects in it than a pack can have");
  const read = packSchema.safeParse(parse(text));
  if (!read.success) return refused(describe(read.error.issues));
  const skills: PackedSkill[] = [];
  for (const written of read.data.skills) {
    const skill = toSkill(written);
    if (typeof skill === "string") return refused(`Skill "${toExcerpt(written.name, 64)}": ${skill}`);
    skills.push(skill);
  }
  const problem = findDuplicate(skills);
  if (problem !== undefined) return refused(problem);
  const { signature: written } = read.data;
  const content = { skills, ...(read.data.format === PUBLISHED_FORMAT && { isPublished: true as const }) };
  const signature = written && checkSignature(written, toSignedText(content));
  if (typeof signature === "string") return refused(signature);
  const pack = { ...content, ...(signature !== undefined && { signature }) };
  // A checkout on Windows can have other ends of lines; within strings there are none.
  if (toPackText(pack) !== text.replaceAll("\r\n", "\n"))
    return refused("It is not written as Keyhole writes packs: somebody changed it, or cut it off");
  return { ok: true, pack };
}

function refused(problem: string): ReadPack {
  return { ok: false, problem };
}

function toText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const [first] = issues;
  if (first === undefined || first.path.length === 0) return "It is no pack of skills, or was cut off";
  const place = first.path.slice(0, 6).map((step) => toExcerpt(String(step), 40));
  return `${place.join(".")} ${toExcerpt(first.message)}`;
}

/** The problem, where it can't be one. */
function toSkill(written: PackJson["skills"][number]): PackedSkill | string {
  const { name, tools, skills } = written;
  if (!isSkillName(name)) return "its name is none that a skill can have";
  if (skills.some((one) => !isSkillName(one))) return "it needs a skill whose name is none that one can have";
  const versions: PackedVersion[] = [];
  for (const { version, files } of [written, ...written.earlier]) {
    const read = toFiles(name, files);
    if (typeof read === "string") return `version ${version}: ${read}`;
    const after = versions.at(-1);
    if (after !== undefined && after.version <= version) return "its versions are not in their order";
    versions.push({ version, files: read });
  }
  const [latest, ...earlier] = versions;
  return latest === undefined ? "it has no files" : { name, ...latest, tools, skills, earlier };
}

type FileJson = PackJson["skills"][number]["files"][number];

function toFiles(name: string, written: readonly FileJson[]): SkillFiles | string {
  const wrong = written.find(({ text, sha256 }) => toHash(text) !== sha256);
  if (wrong !== undefined) return `"${toExcerpt(wrong.name, 40)}" is not what its hash says`;
  // Half a character has no bytes of its own, and a database's text ends at a zero.
  const odd = written.find(({ text }) => /[\0\p{Cs}]/u.test(text));
  if (odd !== undefined) return `"${toExcerpt(odd.name, 40)}" has a zero character or half a character in it`;
  const large = written.find(({ name: file, text }) => Buffer.byteLength(text) > maxBytesOf(file));
  if (large !== undefined)
    return `"${toExcerpt(large.name, 40)}" has more than ${maxBytesOf(large.name)} bytes`;
  const read = readSkillTexts(new Map(written.map((file) => [file.name, file.text])));
  if (read.kind === "absent") return "it has no SKILL.md";
  if (read.kind === "refused") return read.problem;
  const names = [...toSkillTexts(read.files).keys()];
  const extra = written.find((file, at) => file.name !== names[at]);
  if (extra !== undefined || names.length !== written.length)
    return `"${toExcerpt((extra ?? { name: "a file" }).name, 40)}" is in the way: its files are ${names.join(", ")}, in this order`;
  const manual = readManual(read.files.manual, name);
  return manual.ok ? read.files : manual.problem;
}

/** Names are a-z, 0-9 and hyphens: two that a file system could take for one are the same. */
function findDuplicate(skills: readonly PackedSkill[]): string | undefined {
  const names = skills.map(({ name }) => name);
  const twice = names.find((name, at) => at > 0 && name <= (names[at - 1] ?? ""));
  return twice && `Skill "${twice}" stands in it twice, or not in the order of names`;
}

function toContent(skills: readonly PackedSkill[], isPublished = false): PackJson {
  return {
    format: isPublished ? PUBLISHED_FORMAT : PACK_FORMAT,
    skills: skills.map(({ name, version, files, tools, skills: needed, earlier }) => ({
      name,
      version,
      files: toFileList(files),
      tools: tools.map(({ server, tool, hash }) => ({ server, tool, hash })),
      skills: [...needed],
      earlier: earlier.map((one) => ({ version: one.version, files: toFileList(one.files) })),
    })),
  };
}

function toFileList(files: SkillFiles): FileJson[] {
  return [...toSkillTexts(files)].map(([name, text]) => ({ name, sha256: toHash(text), text }));
}
