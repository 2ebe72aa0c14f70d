import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { createSkillNames, isSkillName } from "../language/skills/skill-names.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import type { Database } from "../store/database/sqlite.ts";
import { whenFree } from "../store/database/when-free.ts";
import { withFileLock } from "../store/file-lock.ts";
import type { StateDir } from "../store/state-dir.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { toExcerpt } from "../text/plain-text.ts";
import { draftFiles } from "./draft-files.ts";
import type { Skill, SkillDraft, SkillFiles, SkillFindings, Skills, SkillVersion } from "./skill.ts";
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
import { assertSkillName, toSkillName } from "./skill-name.ts";
import {
  addApproval,
  addUse,
  addVersion,
  type ChangedSkill,
  readChanged,
  readSkill,
  readSkillVersion,
  readSkillVersions,
  setFindings,
  setRemoved,
  setWritten,
} from "./skill-records.ts";
import { toSkill, toSkillOf, type UsePolicy } from "./skill-status.ts";

export type SkillsOptions = {
  readonly projectDir: string;
  readonly state: Pick<StateDir, "inFolder">;
  /** The project's. */
  readonly database: () => Promise<Database>;
  /** Reads and checks a skill's code like that of a program; throws where it is refused. */
  readonly check: (name: string, files: SkillFiles, by: string | undefined) => Promise<SkillFindings>;
  /** Whether what lies in the project's folder is believed, though nobody has said yes to it here. */
  readonly isTrusted?: boolean;
  readonly approval: UsePolicy;
  readonly maxVersions: number;
  readonly onNotice?: (text: string) => void;
};

const LOCK_FILE = "skills.lock";
const BATCH = 500;
/** Folders that are looked at at the same time. */
const AT_ONCE = 16;
const NOTHING: SkillFindings = { exports: [], tools: [], skills: [] };

/** Opens nothing before the first look. */
export function openSkills(options: SkillsOptions): Skills {
  const { projectDir, state, check, isTrusted = false, approval, maxVersions, onNotice = () => {} } = options;
  const records = new Map<string, ChangedSkill>();
  /** How each folder was when it last said what the record says. */
  const stamps = new Map<string, string>();
  const faults = new Map<string, string>();
  const listeners = new Set<() => void>();
  let current: Database | undefined;
  let change = 0;
  let isStale = true;
  let skills: readonly Skill[] = [];
  let names = createSkillNames(skills);
  let views = new Map<string, readonly Skill[]>();
  let looking: Promise<void> | undefined;

  async function inDatabase<T>(work: (db: Database) => T): Promise<T> {
    const db = await options.database();
    return whenFree(() => work(db));
  }

  /** What any process has written down since. */
  async function readRecords(): Promise<void> {
    const db = await options.database();
    if (db !== current) {
      records.clear();
      change = 0;
      current = db;
      isStale = true;
    }
    for (let isMore = true; isMore; ) {
      const changed = await whenFree(() => readChanged(db, change, BATCH));
      for (const one of changed) {
        records.set(one.record.name, one);
        change = one.change;
        isStale = true;
      }
      isMore = changed.length === BATCH;
    }
  }

  function tell(): void {
    if (!isStale) return;
    isStale = false;
    const live = [...records.values()].filter(({ record }) => !record.isRemoved);
    skills = live
      .map((one) => toSkill(one, { approval, isTrusted, fault: faults.get(one.record.name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    names = createSkillNames(skills);
    views = new Map();
    for (const listener of listeners) listener();
  }

  function get(spelling: string): Skill | undefined {
    const found = names.find(spelling);
    return found.kind === "one" ? found.value : undefined;
  }

  async function lookAtAll(): Promise<void> {
    await readRecords();
    const { names: folders, odd } = await listFolders(projectDir);
    for (const name of [...faults.keys()]) if (!isSkillName(name) && !odd.includes(name)) setFault(name);
    for (const name of odd) setFault(name, "Its name is none that a skill can have");
    const all = new Set([...folders, ...live()]);
    await eachOf([...all], settle);
    tell();
  }

  const live = () =>
    [...records.values()].filter(({ record }) => !record.isRemoved).map((one) => one.record.name);

  async function lookAt(names: readonly string[]): Promise<void> {
    await readRecords();
    const seen = new Set<string>();
    for (let next = [...names]; next.length > 0; ) {
      const fresh = [...new Set(next.map((name) => get(name)?.name ?? toSkillName(name) ?? ""))].filter(
        (name) => isSkillName(name) && !seen.has(name),
      );
      for (const name of fresh) seen.add(name);
      await eachOf(fresh, settle);
      next = fresh.flatMap((name) => records.get(name)?.latest.skills ?? []);
    }
    tell();
  }

  /** Folder and record say the same afterwards, or the difference is told. */
  async function settle(name: string): Promise<void> {
    const known = records.get(name);
    const stamp = await stampOfFolder(projectDir, name);
    if (stamps.get(name) === `${known?.change} ${stamp}`) return;
    const found = await readSkillFolder(projectDir, name);
    if (!faults.has(name) && saysTheSame(known, found)) {
      // Read after it was stamped: a change meanwhile is seen next time.
      stamps.set(name, `${known?.change} ${stamp}`);
      return;
    }
    stamps.delete(name);
    await inTurn(() => reconcile(name));
    await readRecords();
  }

  /** One process at a time: what another one is just writing is no edit. */
  async function reconcile(name: string): Promise<void> {
    const [known, found] = [
      await inDatabase((db) => readSkill(db, name)),
      await readSkillFolder(projectDir, name),
    ];
    if (saysTheSame(known, found)) return setFault(name);
    if (known !== undefined && (await isBehind(known, found))) return follow(known);
    if (found.kind === "refused") return setFault(name, found.problem);
    if (found.kind === "read") return adopt(name, found.files);
    if (known === undefined || known.record.isRemoved) return setFault(name);
    await inDatabase((db) =>
      db.transaction(() => {
        setRemoved(db, name);
        setWritten(db, name, 0);
      }),
    );
    onNotice(
      `Skill "${name}" is gone: its folder was removed. Its versions are kept, \`keyhole skills rollback ${name}\` brings it back`,
    );
  }

  function saysTheSame(known: ChangedSkill | undefined, found: ReadFolder): boolean {
    if (known === undefined || known.record.isRemoved)
      return found.kind === "absent" && (known?.record.written ?? 0) === 0;
    const { record, latest } = known;
    return (
      found.kind === "read" && record.written === latest.version && toFilesHash(found.files) === latest.hash
    );
  }

  /** Whether the folder is one that was left on its way to what the record says. */
  async function isBehind({ record, latest }: ChangedSkill, found: ReadFolder): Promise<boolean> {
    if (record.written === (record.isRemoved ? 0 : latest.version)) return false;
    const versions = await inDatabase((db) => readSkillVersions(db, record.name));
    return isBetween(
      found,
      versions.filter(({ version }) => version >= record.written),
    );
  }

  async function follow({ record, latest }: ChangedSkill): Promise<void> {
    const { name } = record;
    setFault(name);
    if (record.isRemoved) await removeSkillFolder(projectDir, name);
    else await writeSkillFolder(projectDir, name, latest);
    await inDatabase((db) => setWritten(db, name, record.isRemoved ? 0 : latest.version));
  }

  /** What somebody wrote into the folder: a version like any other, that nobody has said yes to. */
  async function adopt(name: string, files: SkillFiles): Promise<void> {
    const read = readManual(files.manual, name);
    if (!read.ok) return setFault(name, read.problem);
    setFault(name);
    const { description, tags } = read.manual;
    const hash = toFilesHash(files);
    const made = {
      ...files,
      ...NOTHING,
      name,
      hash,
      description,
      tags,
      author: undefined,
      savedAt: Date.now(),
    };
    await inDatabase((db) =>
      db.transaction(() =>
        addVersion(
          db,
          { ...made, origin: "own", isChecked: false },
          { problem: undefined, isWritten: true, keep: maxVersions },
        ),
      ),
    );
  }

  function setFault(name: string, problem?: string): void {
    if (faults.get(name) === problem) return;
    if (problem === undefined) faults.delete(name);
    else faults.set(name, problem);
    isStale = true;
  }

  async function inTurn(work: () => Promise<void>): Promise<void> {
    await state.inFolder([], { make: true }, ({ path }) => withFileLock(join(path, LOCK_FILE), work));
  }

  async function existing(spelling: string): Promise<Skill> {
    const name = toSkillName(spelling);
    await lookAt(name === undefined ? [] : [name]);
    const found = get(spelling);
    if (found !== undefined) return found;
    const hint = didYouMean(spelling, live()) ?? "`keyhole skills list` shows what there is";
    throw new KeyholeError("usage", `There is no skill "${toExcerpt(spelling, 80)}"`, { hint });
  }

  function assertMayChange(name: string, by: string): void {
    const known = records.get(name);
    if (known === undefined || by === LOCAL_PRINCIPAL || known.latest.author === by) return;
    throw new KeyholeError("denied", `Skill "${name}" is not yours to change`, {
      hint: "Save yours under another name",
    });
  }

  /** Checks it, writes it down, and has the folder follow. */
  async function put(
    files: SkillFiles,
    made: Pick<SkillVersion, "name" | "description" | "tags" | "origin">,
    by: string,
  ): Promise<Skill> {
    const { name } = made;
    const hash = toFilesHash(files);
    const known = records.get(name);
    if (known?.record.isRemoved === false && known.latest.hash === hash && known.latest.author !== undefined)
      return existing(name);
    const { problem, ...findings } = await check(name, files, by);
    if (problem !== undefined) throw new KeyholeError("usage", problem);
    await inDatabase((db) =>
      db.transaction(() => {
        addVersion(
          db,
          { ...files, ...findings, ...made, hash, author: by, savedAt: Date.now(), isChecked: true },
          { problem: undefined, isWritten: false, keep: maxVersions },
        );
      }),
    );
    return existing(name);
  }

  return {
    list: () => skills,
    get,
    visibleTo(principal) {
      const known = views.get(principal) ?? skills.map((skill) => toSkillOf(skill, principal, approval));
      views.set(principal, known);
      return known;
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async look(names) {
      if (names !== undefined) return lookAt(names);
      looking ??= lookAtAll().finally(() => {
        looking = undefined;
      });
      await looking;
    },
    faults: () => faults,
    async save(draft: SkillDraft, by) {
      assertSkillName(draft.name);
      await lookAt([draft.name]);
      assertMayChange(draft.name, by);
      const known = records.get(draft.name);
      const { files, description, tags } = draftFiles(draft, known?.latest);
      return put(files, { name: draft.name, description, tags, origin: draft.origin ?? "own" }, by);
    },
    versions: (name) => inDatabase((db) => readSkillVersions(db, toSkillName(name) ?? "")),
    version: (name, version) => inDatabase((db) => readSkillVersion(db, toSkillName(name) ?? "", version)),
    async rollback(spelling, by, wanted) {
      const name = toSkillName(spelling) ?? "";
      await lookAt([name]);
      const known = records.get(name);
      if (known === undefined) return existing(spelling);
      assertMayChange(name, by);
      const versions = await inDatabase((db) => readSkillVersions(db, name));
      const [latest, before] = versions;
      const usual = known.record.isRemoved ? latest : before;
      const goal = wanted === undefined ? usual : versions.find(({ version }) => version === wanted);
      if (goal === undefined) throw noVersion(name, wanted);
      return put(goal, goal, by);
    },
    async remove(spelling, by) {
      const { name } = await existing(spelling);
      assertMayChange(name, by);
      await inDatabase((db) => db.transaction(() => setRemoved(db, name)));
      await lookAt([name]);
    },
    async approve(spelling, by, hash) {
      const skill = await existing(spelling);
      if (skill.hash !== hash)
        throw new KeyholeError("file_conflict", `Skill "${skill.name}" has changed since it was shown`, {
          hint: `Look at it again: \`keyhole skills show ${skill.name}\``,
        });
      await inDatabase((db) => db.transaction(() => addApproval(db, skill.name, hash, by)));
      return existing(skill.name);
    },
    async checked(name, hash, findings) {
      await inDatabase((db) => db.transaction(() => setFindings(db, name, hash, findings)));
      await readRecords();
      tell();
    },
    async counted(names, ok) {
      await inDatabase((db) =>
        db.transaction(() => {
          for (const name of names) addUse(db, name, ok);
        }),
      );
    },
  };
}

function noVersion(name: string, version: number | undefined): KeyholeError {
  const which = version === undefined ? "no earlier version" : `no version ${version}`;
  return new KeyholeError("usage", `Skill "${name}" has ${which}`, {
    hint: `\`keyhole skills show ${name}\` lists those that are kept`,
  });
}

async function eachOf(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names];
  const worker = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, names.length) }, worker));
}
