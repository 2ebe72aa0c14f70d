import { lstat, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type ForeignTree,
  listForeignFolder,
  readForeignFile,
  readForeignTree,
} from "../../store/foreign-tree.ts";
import { toBytesHash, toHash } from "../../text/hash.ts";
import type { SkillLanguage } from "../skill.ts";
import { readManual, type SkillManual } from "../skill-manual.ts";
import { toSkillName } from "../skill-name.ts";

/** A skill that lies where other clients have theirs. It is read, never changed. */
export type DiscoveredSkill = {
  readonly name: string;
  /** As a person finds it: `.claude/skills/pdf`, `~/.agents/skills/pdf`. */
  readonly place: string;
  readonly isInHome: boolean;
  readonly manual: SkillManual;
  /** Its SKILL.md, as it stands there. */
  readonly text: string;
  /** Nothing where it is instructions alone. */
  readonly program?: { readonly language: SkillLanguage; readonly code: string };
  readonly files: readonly DiscoveredFile[];
  /** Of all its files. */
  readonly hash: string;
  readonly remarks: readonly string[];
};

export type DiscoveredFile = {
  readonly path: string;
  readonly bytes: number;
  readonly hash: string;
  /** As it was when it was hashed; nothing where it is another by now. */
  read(): Promise<Uint8Array | undefined>;
};

export type FoundSkills = {
  /** One of each name. */
  readonly skills: readonly DiscoveredSkill[];
  /** What lies there and is not used, with the reason. */
  readonly problems: readonly { readonly place: string; readonly problem: string }[];
};

const CLIENTS = [".agents", ".claude"];
const SKILLS = "skills";
const MANUAL = "SKILL.md";
const PROGRAMS = [
  { file: "index.ts", language: "typescript" },
  { file: "__init__.py", language: "python" },
] as const;

const LINK = "it is a link, which is not followed here";
const NO_FOLDER = "it is no folder";

/** As MCP bounds a skill. */
export const MAX_SKILL_FILES = 512;
export const MAX_SKILL_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 8;
const MAX_MANUAL_BYTES = 128 * 1024;
const MAX_CODE_BYTES = 256 * 1024;
/** Of one of the four folders. */
const MAX_SKILLS = 200;
/** All of them are read to know whether they are what somebody said yes to. */
const MAX_ALL_BYTES = 64 * 1024 * 1024;

/** The folder of one skill. */
type Located = {
  readonly base: string;
  readonly steps: readonly string[];
  readonly folder: string;
  readonly place: string;
  readonly isInHome: boolean;
};

type Root = {
  readonly base: string;
  readonly steps: readonly string[];
  readonly shown: string;
  readonly isInHome: boolean;
};

/**
 * The skills in `.agents/skills` and `.claude/skills` of a project, then of the home folder. Where two have one name, the first is
 * used. No link is followed but those that the user has put into the home folder itself.
 */
export async function findSkills(places: {
  readonly projectDir: string;
  readonly homeDir: string;
}): Promise<FoundSkills> {
  const skills = new Map<string, DiscoveredSkill>();
  const problems: { place: string; problem: string }[] = [];
  let left = MAX_ALL_BYTES;

  async function take(located: Located): Promise<void> {
    const { place } = located;
    const found = await readSkill(located, Math.min(left, MAX_SKILL_BYTES));
    if ("problem" in found) {
      problems.push({ place, problem: found.problem });
      return;
    }
    left -= found.files.reduce((sum, { bytes }) => sum + bytes, 0);
    const first = skills.get(found.name);
    if (first === undefined) skills.set(found.name, found);
    else if (first.hash !== found.hash)
      problems.push({ place, problem: `"${found.name}" is that of ${first.place}: give it another name` });
  }

  for (const root of await toRoots(places)) {
    if ("problem" in root) {
      problems.push(root);
      continue;
    }
    const entries = await listForeignFolder(root.base, root.steps);
    for (const { name, kind } of entries.slice(0, MAX_SKILLS)) {
      const located = { ...root, steps: [...root.steps, name], folder: name, place: `${root.shown}/${name}` };
      if (kind === "folder") await take(located);
      else if (kind === "odd") await takeLinked(located);
      else problems.push({ place: located.place, problem: NO_FOLDER });
    }
    if (entries.length > MAX_SKILLS)
      problems.push({
        place: root.shown,
        problem: `it has more than ${MAX_SKILLS} entries: the others are left out`,
      });
  }

  /** The user's own link leads where the user wants. */
  async function takeLinked(located: Located): Promise<void> {
    const { base, steps, place, isInHome } = located;
    const target = isInHome ? await realpath(join(base, ...steps)).catch(() => undefined) : undefined;
    if (target === undefined) problems.push({ place, problem: LINK });
    else if (!(await isFolder(target))) problems.push({ place, problem: NO_FOLDER });
    else await take({ ...located, base: target, steps: [] });
  }

  return { skills: [...skills.values()], problems };
}

async function toRoots({ projectDir, homeDir }: { projectDir: string; homeDir: string }) {
  const roots: (Root | { place: string; problem: string })[] = [];
  const isHome =
    (await realpath(homeDir).catch(() => homeDir)) === (await realpath(projectDir).catch(() => projectDir));
  for (const client of CLIENTS) {
    const shown = `${client}/${SKILLS}`;
    if (isHome) continue;
    if (await isLinked(projectDir, [client, SKILLS])) roots.push({ place: shown, problem: LINK });
    else if ((await isFolder(join(projectDir, client, SKILLS))) === false)
      roots.push({ place: shown, problem: NO_FOLDER });
    else roots.push({ base: projectDir, steps: [client, SKILLS], shown, isInHome: false });
  }
  for (const client of CLIENTS) {
    const base = await realpath(join(homeDir, client, SKILLS)).catch(() => undefined);
    if (base === undefined) continue;
    const shown = `~/${client}/${SKILLS}`;
    if (await isFolder(base)) roots.push({ base, steps: [], shown, isInHome: true });
    else roots.push({ place: shown, problem: NO_FOLDER });
  }
  return roots;
}

/** Nothing where there is nothing. */
async function isFolder(path: string): Promise<boolean | undefined> {
  return (await stat(path).catch(() => undefined))?.isDirectory();
}

async function isLinked(base: string, steps: readonly string[]): Promise<boolean> {
  const looks = steps.map((_, at) => lstat(join(base, ...steps.slice(0, at + 1))).catch(() => undefined));
  return (await Promise.all(looks)).some((stats) => stats?.isSymbolicLink() === true);
}

async function readSkill(
  { base, steps, folder, place, isInHome }: Located,
  bytes: number,
): Promise<DiscoveredSkill | { readonly problem: string }> {
  const tree = await readForeignTree(base, steps, { files: MAX_SKILL_FILES, bytes, depth: MAX_DEPTH });
  if (tree === undefined) return { problem: "it can't be read" };
  if (tree.isTooLarge)
    return {
      problem: `it has more than ${MAX_SKILL_FILES} files or ${MAX_SKILL_BYTES / 1024 / 1024} MiB, or folders in folders in folders`,
    };
  const name = toSkillName(folder);
  if (name === undefined)
    return { problem: "its name is none for a skill: write a-z, 0-9 and single hyphens" };
  const text = toText(tree, MANUAL, MAX_MANUAL_BYTES);
  if ("problem" in text) return text;
  const read = readManual(text.text, folder);
  if (!read.ok) return { problem: read.problem };
  const programs = PROGRAMS.filter(({ file }) => tree.files.has(file));
  const [first] = programs;
  if (programs.length > 1) return { problem: "it has both an index.ts and an __init__.py" };
  const code = first && toText(tree, first.file, MAX_CODE_BYTES);
  if (code && "problem" in code) return code;
  const files = [...tree.files].map(([path, content]): DiscoveredFile => {
    const hash = toBytesHash(content);
    return {
      path,
      bytes: content.length,
      hash,
      read: () => readAgain(base, [...steps, ...path.split("/")], hash),
    };
  });
  return {
    name,
    place,
    isInHome,
    manual: { ...read.manual, name },
    text: text.text,
    ...(first && code && { program: { language: first.language, code: code.text } }),
    files,
    hash: toHash(JSON.stringify(files.map(({ path, hash }) => [path, hash]))),
    remarks: [
      ...read.remarks,
      ...tree.odd.map((path) => `${path} is a link or no plain file, and left out`),
    ].slice(0, 20),
  };
}

function toText(
  { files }: ForeignTree,
  path: string,
  maxBytes: number,
): { readonly text: string } | { readonly problem: string } {
  const content = files.get(path);
  if (content === undefined) return { problem: `there is no ${path} in it` };
  if (content.length > maxBytes) return { problem: `${path} has more than ${maxBytes} bytes` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(content) };
  } catch {
    return { problem: `${path} is not UTF-8` };
  }
}

async function readAgain(
  base: string,
  steps: readonly string[],
  hash: string,
): Promise<Uint8Array | undefined> {
  const content = await readForeignFile(base, steps, MAX_SKILL_BYTES);
  return content !== undefined && toBytesHash(content) === hash ? content : undefined;
}
