import { lstat, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { atomicWrite } from "../../store/atomic-write.ts";
import { keepBackup } from "./keep-backup.ts";
import { toLauncher } from "./launcher.ts";
import { isUnchangedSkill, SKILL_NAME, toSkillText } from "./skill-text.ts";

const PARTS = [".claude", "skills", SKILL_NAME, "SKILL.md"];

/** What would become of the file. `conflict`: somebody else's words are in it. */
export type SkillPlan = {
  readonly file: string;
  readonly status: "written" | "updated" | "unchanged" | "conflict";
  readonly text: string;
};

export async function planSkill(projectDir: string, launcher = toLauncher()): Promise<SkillPlan> {
  const file = join(projectDir, ...PARTS);
  await assertNoLink(projectDir);
  const text = toSkillText(launcher);
  const current = await readIfThere(file);
  if (current === undefined) return { file, text, status: "written" };
  // Git may have changed the ends of its lines.
  const plain = current.replaceAll("\r\n", "\n");
  if (plain === text) return { file, text, status: "unchanged" };
  return { file, text, status: isUnchangedSkill(plain) ? "updated" : "conflict" };
}

/** What somebody else wrote is kept as a backup. */
export async function writeSkill({ file, text, status }: SkillPlan): Promise<string[]> {
  if (status === "unchanged") return [];
  try {
    await mkdir(dirname(file), { recursive: true });
    const backups = status === "conflict" ? [await keepBackup(file)] : [];
    await atomicWrite(file, text);
    return backups;
  } catch (error) {
    throw cannotWrite(file, errorMessage(error), "Look at that folder, or choose another by --project");
  }
}

export function skillConflict(file: string): KeyholeError {
  return cannotWrite(
    file,
    "it is there already, and not as Keyhole wrote it",
    "Use --force to replace it; a backup is kept",
  );
}

/** A repository could bring links along that lead what we write elsewhere. */
async function assertNoLink(projectDir: string): Promise<void> {
  for (let count = 1; count <= PARTS.length; count++) {
    const path = join(projectDir, ...PARTS.slice(0, count));
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) return;
    const isRight = count === PARTS.length ? stats.isFile() : stats.isDirectory();
    if (isRight) continue;
    const what = stats.isSymbolicLink() ? "a link" : `no ${count === PARTS.length ? "file" : "folder"}`;
    throw cannotWrite(join(projectDir, ...PARTS), `"${path}" is ${what}`, "Move it away");
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw cannotWrite(file, errorMessage(error), "Give yourself the right to read it");
  }
}

function cannotWrite(file: string, why: string, hint: string): KeyholeError {
  return new KeyholeError("file_conflict", `Cannot write "${file}": ${why}`, { hint });
}
