import { join } from "node:path";
import { errorMessage } from "../errors.ts";
import { isSkillName } from "../language/skills/skill-names.ts";
import type { Database } from "../store/database/sqlite.ts";
import { withFileLock } from "../store/file-lock.ts";
import type { StateDir } from "../store/state-dir.ts";
import type { SkillChange, SkillFiles } from "./skill.ts";
import type { SkillBook } from "./skill-book.ts";
import {
  isBetween,
  listFolders,
  type ReadFolder,
  readSkillFolder,
  removeSkillFolder,
  stampOfFolder,
  toFilesHash,
  writeSkillFolder,
} from "./skill-folder.ts";
import { readManual } from "./skill-manual.ts";
import {
  addVersion,
  type ChangedSkill,
  readSkill,
  readSkillVersions,
  setRemoved,
  setWritten,
} from "./skill-records.ts";

export type FolderContext = {
  readonly projectDir: string;
  readonly state: Pick<StateDir, "inFolder">;
  readonly book: SkillBook;
  inDatabase<T>(work: (db: Database) => T): Promise<T>;
  readonly maxVersions: number;
  onChange(change: SkillChange): void;
  onNotice(text: string): void;
};

export type Folders = {
  /** Those that lie there and those that are known: afterwards folder and record say the same, or the difference is told. */
  settleAll(): Promise<void>;
  settle(names: readonly string[]): Promise<void>;
};

const LOCK_FILE = "skills.lock";
/** Of a project. What is beyond is not looked at. */
export const MAX_KEPT_SKILLS = 20_000;
/** Folders that are looked at at the same time. */
const AT_ONCE = 16;

export function createFolders(context: FolderContext): Folders {
  const { projectDir, state, book, inDatabase, maxVersions, onChange, onNotice } = context;
  /** How each folder was when it last said what the record says. */
  const stamps = new Map<string, string>();

  async function settle(name: string): Promise<void> {
    const known = book.record(name);
    const files = known === undefined || hasNoFolder(known) ? undefined : known.latest;
    const stamp = await stampOfFolder(projectDir, name, files);
    if (stamps.get(name) === `${known?.change} ${stamp}`) return;
    const found = await readSkillFolder(projectDir, name);
    if (!book.faults().has(name) && saysTheSame(known, found)) {
      // Read after it was stamped: a change meanwhile is seen next time.
      stamps.set(name, `${known?.change} ${stamp}`);
      return;
    }
    stamps.delete(name);
    // One process at a time: what another one is just writing is no edit.
    await state.inFolder([], { make: true }, ({ path }) =>
      withFileLock(join(path, LOCK_FILE), () => reconcile(name)),
    );
    await book.read();
  }

  async function reconcile(name: string): Promise<void> {
    const known = await inDatabase((db) => readSkill(db, name));
    const found = await readSkillFolder(projectDir, name);
    if (saysTheSame(known, found)) return book.setFault(name);
    if (known !== undefined && (await isBehind(known, found))) return follow(known);
    if (found.kind === "refused") return book.setFault(name, toFault(found.problem, known));
    if (found.kind === "read") return adopt(name, found.files);
    book.setFault(name);
    if (known === undefined) return;
    await inDatabase((db) =>
      db.transaction(() => {
        if (!known.record.isRemoved) setRemoved(db, name);
        setWritten(db, name, 0);
      }),
    );
    if (known.record.isRemoved) return;
    onChange({ skill: name, change: "gone", hash: known.latest.hash });
    onNotice(
      `Skill "${name}" is gone: its folder was removed. Its versions are kept: \`keyhole skills rollback ${name}\` brings it back`,
    );
  }

  /** Whether the folder is one that was left on its way to what the record says. */
  async function isBehind(known: ChangedSkill, found: ReadFolder): Promise<boolean> {
    const { record, latest } = known;
    // What stands in the place of one that has no folder, somebody has put there.
    if (!record.isRemoved && hasNoFolder(known)) return false;
    if (record.written === (record.isRemoved ? 0 : latest.version)) return false;
    const versions = await inDatabase((db) => readSkillVersions(db, record.name));
    return isBetween(
      found,
      versions.filter(({ version }) => version >= record.written),
    );
  }

  async function follow({ record, latest }: ChangedSkill): Promise<void> {
    const { name } = record;
    try {
      if (record.isRemoved) await removeSkillFolder(projectDir, name);
      else await writeSkillFolder(projectDir, name, latest);
    } catch (error) {
      return book.setFault(name, `Its folder can't be made to follow: ${errorMessage(error)}`);
    }
    book.setFault(name);
    await inDatabase((db) => setWritten(db, name, record.isRemoved ? 0 : latest.version));
  }

  /** What somebody wrote into the folder: a version like any other, that nobody has said yes to. */
  async function adopt(name: string, files: SkillFiles): Promise<void> {
    const read = readManual(files.manual, name);
    if (!read.ok) return book.setFault(name, read.problem);
    book.setFault(name);
    const { description, tags } = read.manual;
    const hash = toFilesHash(files);
    const findings = { exports: [], tools: [], skills: [], isChecked: false };
    const made = { ...files, ...findings, name, hash, description, tags, savedAt: Date.now() };
    await inDatabase((db) =>
      db.transaction(() =>
        addVersion(db, { ...made, origin: "own", author: undefined }, { isWritten: true, keep: maxVersions }),
      ),
    );
    onChange({ skill: name, change: "edited", hash });
  }

  function isInFolder(name: string): boolean {
    const known = book.record(name);
    return known !== undefined && !hasNoFolder(known);
  }

  return {
    settle: (names) => eachOf(names, settle),
    async settleAll() {
      const { names: all, odd } = await listFolders(projectDir);
      const names = all.slice(0, MAX_KEPT_SKILLS);
      if (all.length > MAX_KEPT_SKILLS) odd.push(`… and ${all.length - MAX_KEPT_SKILLS} more`);
      for (const name of [...book.faults().keys()])
        if (!isSkillName(name) && !odd.includes(name)) book.setFault(name);
      for (const name of odd)
        book.setFault(name, "It has no name that a skill can have, or there are too many");
      await eachOf(
        [...new Set([...names, ...book.names().filter(isInFolder), ...book.faults().keys()])].filter(
          isSkillName,
        ),
        settle,
      );
    },
  };
}

/** Those of the team's library are in the record alone: a project is not filled with what others wrote. */
function hasNoFolder({ record, latest }: ChangedSkill): boolean {
  return record.isRemoved || latest.origin === "team";
}

function toFault(problem: string, known: ChangedSkill | undefined): string {
  if (known === undefined || hasNoFolder(known)) return problem;
  const { name } = known.record;
  return `${problem}. Once the folder is removed, \`keyhole skills rollback ${name}\` brings back what was saved`;
}

function saysTheSame(known: ChangedSkill | undefined, found: ReadFolder): boolean {
  if (known === undefined || known.record.isRemoved)
    return found.kind === "absent" && (known?.record.written ?? 0) === 0;
  const { record, latest } = known;
  if (hasNoFolder(known)) return found.kind === "absent";
  return (
    found.kind === "read" && record.written === latest.version && toFilesHash(found.files) === latest.hash
  );
}

async function eachOf(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names];
  const worker = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, names.length) }, worker));
}
