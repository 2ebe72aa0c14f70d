import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, KeyholeError } from "../errors.ts";
import { isSkillName } from "../language/skills/skill-names.ts";
import { atomicWrite, LEFTOVER } from "../store/atomic-write.ts";
import { hasCode } from "../store/error-code.ts";
import { readUsersFile } from "../store/held-file.ts";
import { type HeldFolder, inHeldFolder } from "../store/held-folder.ts";
import { toHash } from "../text/hash.ts";
import type { SkillFiles, SkillLanguage } from "./skill.ts";

export const SKILLS_FOLDER = "skills";
export const MANUAL_FILE = "SKILL.md";

const LANGUAGE_FILES: {
  readonly [Name in SkillLanguage]: { readonly code: string; readonly tests: string };
} = {
  typescript: { code: "index.ts", tests: "tests.ts" },
  python: { code: "__init__.py", tests: "tests.py" },
};
const LANGUAGES: readonly SkillLanguage[] = ["typescript", "python"];
/** SKILL.md is written last: without it there is no skill. */
export const SKILL_FILE_NAMES: readonly string[] = [
  ...LANGUAGES.flatMap((one) => Object.values(LANGUAGE_FILES[one])),
  MANUAL_FILE,
];

export const MAX_CODE_BYTES = 256 * 1024;
export const MAX_MANUAL_BYTES = 128 * 1024;

export function maxBytesOf(file: string): number {
  return file === MANUAL_FILE ? MAX_MANUAL_BYTES : MAX_CODE_BYTES;
}

export type ReadFolder = (
  | { readonly kind: "read"; readonly files: SkillFiles }
  /** There is no such folder, or no file of a skill in it. */
  | { readonly kind: "absent" }
  /** A link, a device, a huge file, no SKILL.md beside the code: what is there can't be used. */
  | { readonly kind: "refused"; readonly problem: string }
) & {
  /** Each file that a skill can have, as far as it is there and can be read. */
  readonly texts: ReadonlyMap<string, string>;
};

/** The names of what lies in the project's `skills/`: those that can be a skill's, and the others. */
export async function listFolders(projectDir: string): Promise<{ names: string[]; odd: string[] }> {
  const entries = await inHeldFolder(projectDir, [SKILLS_FOLDER], { make: false }, ({ path }) =>
    readdir(path, { withFileTypes: true }),
  );
  const all = (entries ?? []).filter((entry) => !entry.isFile() && !entry.name.startsWith("."));
  const names = all.map(({ name }) => name).sort();
  return { names: names.filter(isSkillName), odd: names.filter((name) => !isSkillName(name)) };
}

export async function readSkillFolder(projectDir: string, name: string): Promise<ReadFolder> {
  const texts = new Map<string, string>();
  const absent = { kind: "absent", texts } as const;
  if (!isSkillName(name)) return absent;
  try {
    const steps = [SKILLS_FOLDER, name];
    const isThere = await inHeldFolder(projectDir, steps, { make: false }, (folder) =>
      readInto(texts, folder),
    );
    return isThere === undefined ? absent : readSkillTexts(texts);
  } catch (error) {
    return { kind: "refused", problem: errorMessage(error), texts };
  }
}

async function readInto(texts: Map<string, string>, folder: HeldFolder): Promise<true> {
  for (const file of SKILL_FILE_NAMES) {
    const text = await readText(folder, file, maxBytesOf(file));
    if (text !== undefined) texts.set(file, text);
  }
  return true;
}

/** What files of these names make. */
export function readSkillTexts(texts: ReadonlyMap<string, string>): ReadFolder {
  const manual = texts.get(MANUAL_FILE);
  if (manual === undefined && texts.size > 0) return { kind: "refused", problem: NO_MANUAL, texts };
  if (manual === undefined) return { kind: "absent", texts };
  const written = LANGUAGES.filter((one) => texts.has(LANGUAGE_FILES[one].code));
  if (written.length > 1)
    return { kind: "refused", problem: "It has both an index.ts and an __init__.py: remove one", texts };
  const language = written[0] ?? "typescript";
  const { code, tests: testsFile } = LANGUAGE_FILES[language];
  const tests = texts.get(testsFile);
  const files = { manual, language, code: texts.get(code) ?? "", ...(tests !== undefined && { tests }) };
  return { kind: "read", files, texts };
}

const NO_MANUAL =
  "It has no SKILL.md. Write one with a name and a description in its head, or remove the whole folder";

async function readText(folder: HeldFolder, name: string, maxBytes: number): Promise<string | undefined> {
  const bytes = await readUsersFile(folder, name, maxBytes).catch((error: unknown) => {
    if (!hasCode(error, "ELOOP")) throw error;
    const message = `${name} is a link, and links are not followed: put the file itself in its place`;
    throw new KeyholeError("file_conflict", message, { cause: error });
  });
  if (bytes === "too large")
    throw new KeyholeError("too_large", `${name} has more than ${maxBytes} bytes`, {
      hint: "Make it shorter",
    });
  if (bytes === undefined) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
    throw new TypeError("A zero character is no text");
  } catch {
    throw new KeyholeError("file_conflict", `${name} is no text in UTF-8`, { hint: "Save it as UTF-8" });
  }
}

/** Makes the folder say what the record says. Each file is old or new; that all of them are new, the next look sees to. */
export async function writeSkillFolder(projectDir: string, name: string, files: SkillFiles): Promise<void> {
  const texts = toSkillTexts(files);
  const isDone = await inHeldFolder(projectDir, [SKILLS_FOLDER, name], { make: true }, async ({ path }) => {
    await dropLeftovers(path);
    for (const file of SKILL_FILE_NAMES) {
      const text = texts.get(file);
      if (text === undefined) await rm(join(path, file), { force: true });
      else await atomicWrite(join(path, file), text);
    }
    return true;
  });
  if (isDone === true) return;
  throw new KeyholeError("file_conflict", `Cannot make the folder "${SKILLS_FOLDER}/${name}"`, {
    hint: "Move away what is in its place, or let it be written to",
  });
}

/** Its own files, and the folder where nothing else is in it. */
export async function removeSkillFolder(projectDir: string, name: string): Promise<void> {
  await inHeldFolder(projectDir, [SKILLS_FOLDER, name], { make: false }, async ({ path }) => {
    for (const file of SKILL_FILE_NAMES) await rm(join(path, file), { force: true });
    await dropLeftovers(path);
  });
  await inHeldFolder(projectDir, [SKILLS_FOLDER], { make: false }, ({ path }) =>
    rmdir(join(path, name)).catch(() => {}),
  );
}

/** Of one that was killed while it wrote here: nobody else writes meanwhile. */
async function dropLeftovers(path: string): Promise<void> {
  const names = (await readdir(path)).filter((name) => LEFTOVER.test(name));
  for (const name of names) await rm(join(path, name), { force: true });
}

/** Whether every file stands as in one of these versions, or is not there: then the folder was on its way from one to another. */
export function isBetween({ texts, kind }: ReadFolder, versions: readonly SkillFiles[]): boolean {
  if (kind === "refused" && texts.size === 0) return false;
  const known = versions.map(toSkillTexts);
  return [...texts].every(([file, text]) => known.some((version) => version.get(file) === text));
}

/** Its files as they lie in its folder, by their names. */
export function toSkillTexts({ manual, language, code, tests }: SkillFiles): Map<string, string> {
  const texts = new Map<string, string>();
  texts.set(MANUAL_FILE, manual);
  if (code !== "") texts.set(LANGUAGE_FILES[language].code, code);
  if (tests !== undefined) texts.set(LANGUAGE_FILES[language].tests, tests);
  return texts;
}

/** Of all that a version is. */
export function toFilesHash({ manual, language, code, tests }: SkillFiles): string {
  return toHash(JSON.stringify([manual, language, code, tests ?? null]));
}

/**
 * Differs once a file of it was changed, as far as that can be seen without reading them. What is added or replaced shows in the
 * folder, what is written into a file in that.
 */
export async function stampOfFolder(
  projectDir: string,
  name: string,
  files: SkillFiles | undefined,
): Promise<string> {
  const path = join(projectDir, SKILLS_FOLDER, name);
  const names = ["", ...(files === undefined ? [] : toSkillTexts(files).keys())];
  const looks = names.map((file) => lstat(join(path, file), { bigint: true }).catch(() => undefined));
  return (await Promise.all(looks))
    .map((stats) => (stats ? `${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.size}` : "-"))
    .join("|");
}
