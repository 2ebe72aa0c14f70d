import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { listForeignFolder, readForeignTree } from "../../store/foreign-tree.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from "../discovered/find-skills.ts";
import { MANUAL_FILE, maxBytesOf, readSkillTexts, SKILL_FILE_NAMES } from "../skill-folder.ts";
import { readManual } from "../skill-manual.ts";
import { toSkillName } from "../skill-name.ts";
import type { PackSignature } from "./pack-signature.ts";
import { MAX_PACK_BYTES, type PackedSkill, readPack } from "./skill-pack.ts";

/** Skills that somebody else wrote, before anything of them is kept. */
export type PackSource = {
  readonly kind: "pack" | "folder";
  readonly skills: readonly PackedSkill[];
  readonly signature?: PackSignature;
  /** What lies there and can't be taken, with the reason. */
  readonly problems: readonly PlacedProblem[];
  /** What is left out of those that can. */
  readonly remarks: readonly PlacedProblem[];
};

export type PlacedProblem = { readonly place: string; readonly problem: string };

/** Where a repository has its skills; then whatever folder in it has a SKILL.md. */
const PLACES: readonly (readonly string[])[] = [[], ["skills"], [".agents", "skills"], [".claude", "skills"]];
const MAX_DEPTH = 8;
const MAX_FOLDERS = 1_000;
const MAX_SKILLS = 200;
const MAX_REMARKS = 50;

/**
 * Reads a pack, the folder of a skill, or a folder with skills in it, a checkout for example. Nothing but files is read: no link is
 * followed below what is named, what begins with a dot is no part of it, and no program runs.
 */
export async function readPackSource(path: string): Promise<PackSource> {
  const whole = await realpath(resolve(path)).catch((error: unknown) => {
    throw unreadable(path, errorMessage(error).replace(/,.*$/s, ""));
  });
  const bytes = await readFileOf(whole, path);
  return bytes === "folder" ? readFolder(whole, path) : readFile(bytes, path);
}

function readFile(bytes: Uint8Array, path: string): PackSource {
  const read = readPack(bytes);
  if (!read.ok) throw unreadable(path, read.problem);
  const { skills, signature } = read.pack;
  return { kind: "pack", skills, problems: [], remarks: [], ...(signature !== undefined && { signature }) };
}

async function readFileOf(whole: string, path: string): Promise<Buffer | "folder"> {
  // A pipe must not hold us up.
  const file = await open(whole, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) return "folder";
    if (!stats.isFile()) throw unreadable(path, "It is no plain file");
    if (stats.size > MAX_PACK_BYTES) throw unreadable(path, `It has more than ${MAX_PACK_BYTES} bytes`);
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function readFolder(base: string, path: string): Promise<PackSource> {
  const skills = new Map<string, PackedSkill>();
  const problems: PlacedProblem[] = [];
  const remarks: PlacedProblem[] = [];

  async function take(steps: readonly string[]): Promise<void> {
    const place = steps.join("/") || ".";
    const read = await readSkill(base, steps);
    if (typeof read === "string") problems.push({ place, problem: read });
    else if (skills.has(read.skill.name))
      problems.push({ place, problem: `"${read.skill.name}" was found before: it is left out` });
    else {
      skills.set(read.skill.name, read.skill);
      for (const problem of read.remarks) if (remarks.length < MAX_REMARKS) remarks.push({ place, problem });
    }
  }

  if (await hasManual(base, [])) await take([]);
  else
    for (const steps of PLACES) {
      const entries = await listForeignFolder(base, steps);
      for (const { name, kind } of entries.slice(0, MAX_FOLDERS)) {
        const inner = [...steps, name];
        if (kind === "folder" && skills.size < MAX_SKILLS && (await hasManual(base, inner)))
          await take(inner);
      }
    }
  if (skills.size + problems.length === 0)
    throw unreadable(path, "There is no SKILL.md in it, nor in a folder of it or of its skills/");
  const sorted = [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { kind: "folder", skills: sorted, problems, remarks };
}

async function hasManual(base: string, steps: readonly string[]): Promise<boolean> {
  const entries = await listForeignFolder(base, steps);
  return entries.some(({ name, kind }) => name === MANUAL_FILE && kind === "file");
}

async function readSkill(
  base: string,
  steps: readonly string[],
): Promise<{ readonly skill: PackedSkill; readonly remarks: readonly string[] } | string> {
  const name = toSkillName(steps.at(-1) ?? basename(base));
  if (name === undefined) return "its folder has no name that a skill can have";
  const bounds = { files: MAX_SKILL_FILES, bytes: MAX_SKILL_BYTES, depth: MAX_DEPTH };
  const tree = await readForeignTree(base, steps, bounds);
  if (tree === undefined) return "it can't be read";
  if (tree.isTooLarge) return `it has more than ${MAX_SKILL_FILES} files, or is too large`;
  const texts = new Map<string, string>();
  for (const file of SKILL_FILE_NAMES) {
    const bytes = tree.files.get(file);
    if (bytes === undefined) continue;
    const text = toText(bytes, maxBytesOf(file));
    if (text === undefined) return `${file} is no text in UTF-8, or larger than ${maxBytesOf(file)} bytes`;
    texts.set(file, text);
  }
  const read = readSkillTexts(texts);
  if (read.kind !== "read") return read.kind === "refused" ? read.problem : "it has no SKILL.md";
  const manual = readManual(read.files.manual, name);
  if (!manual.ok) return manual.problem;
  const others = [...tree.files.keys()].filter((file) => !texts.has(file));
  const skill = { name, version: 1, files: read.files, tools: [], skills: [], earlier: [] };
  const remarks = [
    ...manual.remarks,
    ...tree.odd.map((file) => `${file} is a link or no plain file, and left out`),
    ...others.map((file) => `${file} is left out: a skill is SKILL.md, its code and its tests`),
  ];
  return { skill, remarks: remarks.map((remark) => toExcerpt(remark)) };
}

function toText(bytes: Uint8Array, maxBytes: number): string | undefined {
  if (bytes.length > maxBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function unreadable(path: string, problem: string): KeyholeError {
  return new KeyholeError("usage", `Cannot import skills from "${toExcerpt(path, 200)}": ${problem}`, {
    hint: "Name a pack that `keyhole skills export` wrote, the folder of a skill, or a checkout that has some; what lies elsewhere, clone or download it first",
  });
}
