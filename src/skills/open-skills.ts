import { foldName } from "../catalog/name-index.ts";
import { KeyholeError } from "../errors.ts";
import { isSkillName } from "../language/skills/skill-names.ts";
import { LOCAL_PRINCIPAL } from "../session.ts";
import type { Database } from "../store/database/sqlite.ts";
import { whenFree } from "../store/database/when-free.ts";
import type { StateDir } from "../store/state-dir.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { toExcerpt } from "../text/plain-text.ts";
import { draftFiles } from "./draft-files.ts";
import { createFolders, MAX_KEPT_SKILLS } from "./settle-folders.ts";
import type {
  RefusedVersion,
  Skill,
  SkillActor,
  SkillChange,
  SkillDraft,
  SkillFiles,
  SkillFindings,
  Skills,
  SkillVersion,
  TakenSkill,
} from "./skill.ts";
import { createSkillBook } from "./skill-book.ts";
import { toFilesHash } from "./skill-folder.ts";
import { readManual } from "./skill-manual.ts";
import { assertSkillName, toSkillName } from "./skill-name.ts";
import {
  addApproval,
  addUse,
  addVersion,
  type ChangedSkill,
  dropApprovals,
  type NewVersion,
  readApprovers,
  readSkill,
  readSkillVersions,
  setFindings,
  setRemoved,
} from "./skill-records.ts";
import { isOwnOf, isUsableText, toSkill, toSkillOf, type UsePolicy } from "./skill-status.ts";

export type SkillsOptions = {
  readonly projectDir: string;
  readonly state: Pick<StateDir, "inFolder">;
  /** That of what agents remember. */
  readonly database: () => Promise<Database>;
  readonly onWritten?: ((db: Database) => void) | undefined;
  /** Reads and checks a skill's code like that of a program; a problem refuses it. */
  readonly check: (name: string, files: SkillFiles, principal: string) => Promise<SkillFindings>;
  /** Whether what lies in the project's folder is believed, though nobody has said yes to it here. */
  readonly isTrusted?: boolean;
  readonly approval: UsePolicy;
  readonly maxVersions: number;
  readonly onChange?: ((change: SkillChange) => void) | undefined;
  readonly onNotice?: ((text: string) => void) | undefined;
};

type Made = Pick<SkillVersion, "name" | "description" | "tags" | "origin"> & {
  /** Nothing where it was found in the folder. */
  readonly author: string | undefined;
};

/** Opens nothing before the first look. */
export function openSkills(options: SkillsOptions): Skills {
  const { projectDir, state, check, approval, maxVersions } = options;
  const { isTrusted = false, onWritten, onChange = () => {}, onNotice = () => {} } = options;
  const policy = { approval, isTrusted };
  const book = createSkillBook(options.database, policy);
  const folders = createFolders({ projectDir, state, book, inDatabase, maxVersions, onChange, onNotice });
  let looking: Promise<void> | undefined;

  async function inDatabase<T>(work: (db: Database) => T): Promise<T> {
    const db = await options.database();
    const result = await whenFree(() => work(db));
    onWritten?.(db);
    return result;
  }

  const change = <T>(work: (db: Database) => T): Promise<T> =>
    inDatabase((db) => db.transaction(() => work(db)));

  async function lookAtAll(): Promise<void> {
    await book.read();
    await folders.settleAll();
    await book.readUses();
    book.tell();
  }

  async function lookAt(names: readonly string[]): Promise<void> {
    await book.read();
    // What is known by then tells what a spelling means.
    book.tell();
    const seen = new Set<string>();
    for (let next = names; next.length > 0; ) {
      const fresh = [...new Set(next.map(toName))].filter((name) => isSkillName(name) && !seen.has(name));
      for (const name of fresh) seen.add(name);
      await folders.settle(fresh);
      next = fresh.flatMap((name) => book.record(name)?.latest.skills ?? []);
    }
    book.tell();
  }

  const toName = (spelling: string): string => book.get(spelling)?.name ?? toSkillName(spelling) ?? "";

  const asItIs = (changed: ChangedSkill): Skill =>
    toSkill(changed, { ...policy, fault: book.faults().get(changed.record.name) });

  async function existing(spelling: string): Promise<Skill> {
    await lookAt([spelling]);
    const found = book.get(spelling);
    if (found?.name === spelling) return found;
    const problem = book.faults().get(spelling);
    if (problem !== undefined) throw unreadable(spelling, problem);
    throw noSkill(spelling, book.names());
  }

  function assertMayChange(name: string, by: SkillActor): void {
    const problem = book.faults().get(name);
    if (problem !== undefined) throw unreadable(name, problem);
    const known = book.record(name);
    if (known !== undefined) assertOwn(known, by);
  }

  /** Who spells another's in their language's way would get this one, once that is gone. */
  function assertNoLookalike(name: string, { principal }: SkillActor): void {
    const key = foldName(name);
    const close = book.records().find(({ record, latest }) => {
      return record.name !== name && foldName(record.name) === key && !isOwnOf(latest, principal);
    });
    if (close === undefined) return;
    throw new KeyholeError("denied", `"${name}" can be taken for the skill "${close.record.name}"`, {
      hint: "Save yours under a name that differs in its letters",
    });
  }

  async function examine(files: SkillFiles, made: Made, { principal }: SkillActor): Promise<NewVersion> {
    const { problem, ...findings } = await check(made.name, files, principal);
    if (problem !== undefined) throw new KeyholeError("usage", problem, { hint: "Nothing was saved" });
    const { manual, language, code, tests } = files;
    return {
      ...{ manual, language, code, ...(tests !== undefined && { tests }) },
      ...findings,
      ...{ name: made.name, description: made.description, tags: made.tags, origin: made.origin },
      ...{ hash: toFilesHash(files), author: made.author, savedAt: Date.now(), isChecked: true },
    };
  }

  /** Checks it, writes it down, and has the folder follow. Gives what this made of it, whatever others save meanwhile. */
  async function put(
    files: SkillFiles,
    made: Made,
    by: SkillActor,
    what: "saved" | "restored",
  ): Promise<Skill> {
    const { name } = made;
    if (book.record(name) === undefined && book.names().length >= MAX_KEPT_SKILLS) throw tooMany();
    const known = book.record(name);
    if (known !== undefined && isUnchanged(known, toFilesHash(files))) return asItIs(known);
    const version = await examine(files, made, by);
    const { isNew, now } = await change((db) => {
      const before = readSkill(db, name);
      if (before !== undefined && isUnchanged(before, version.hash)) return { isNew: false, now: before };
      if (before !== undefined) assertOwn(before, by);
      if (!keepsYes(by, what)) dropApprovals(db, { name, hash: version.hash });
      addVersion(db, version, { isWritten: false, keep: maxVersions });
      return { isNew: true, now: readSkill(db, name) };
    });
    if (isNew) onChange({ skill: name, change: what, hash: version.hash, by });
    await lookAt([name]);
    return now === undefined ? existing(name) : asItIs(now);
  }

  async function begin(draft: SkillDraft, by: SkillActor): Promise<{ files: SkillFiles; made: Made }> {
    assertSkillName(draft.name);
    await lookAt([draft.name]);
    assertMayChange(draft.name, by);
    const before = book.record(draft.name)?.latest;
    if (before === undefined) assertNoLookalike(draft.name, by);
    const isKnown = before !== undefined && isUsableText(before, by.principal, policy);
    const { files, description, tags } = draftFiles(draft, isKnown ? before : undefined);
    const origin = draft.origin ?? "own";
    return { files, made: { name: draft.name, description, tags, origin, author: by.principal } };
  }

  return {
    list: book.list,
    get: book.get,
    visibleTo: book.visibleTo,
    onUpdate: book.onUpdate,
    faults: book.faults,
    async look(names) {
      if (names !== undefined) return lookAt(names);
      looking ??= lookAtAll().finally(() => {
        looking = undefined;
      });
      await looking;
    },
    async save(draft, by) {
      const { files, made } = await begin(draft, by);
      return put(files, made, by, "saved");
    },
    async take({ name, files, origin, findings, approvedBy }, by) {
      assertSkillName(name);
      await lookAt([name]);
      assertMayChange(name, by);
      const hash = toFilesHash(files);
      const known = book.record(name);
      if (!isUnchanged(known, hash) || approvedBy !== undefined) {
        const version = toTaken(name, files, origin, findings, by);
        await change((db) => {
          if (!isUnchanged(readSkill(db, name), hash)) {
            dropApprovals(db, { name, hash });
            addVersion(db, version, { isWritten: false, keep: maxVersions });
          }
          if (findings.problem !== undefined) setFindings(db, name, hash, findings);
          if (approvedBy !== undefined) addApproval(db, name, hash, approvedBy);
        });
        onChange({ skill: name, change: origin === "team" ? "received" : "imported", hash, by });
      }
      return existing(name);
    },
    async trySave(draft, by) {
      const { files, made } = await begin(draft, by);
      const known = book.record(draft.name);
      if (known !== undefined && isUnchanged(known, toFilesHash(files))) return existing(draft.name);
      const { author, ...tried } = await examine(files, made, by);
      const record = { name: draft.name, version: 0, isRemoved: false, written: 0, uses: 0, successes: 0 };
      const latest = {
        ...tried,
        version: (known?.latest.version ?? 0) + 1,
        ...(author !== undefined && { author }),
      };
      const skill = toSkill({ change: 0, record, latest }, { ...policy, fault: undefined });
      return toSkillOf(skill, by.principal, approval);
    },
    versions: (spelling) => inDatabase((db) => readSkillVersions(db, toName(spelling))),
    async rollback(spelling, by, wanted) {
      await lookAt([spelling]);
      // Whoever changes one says its name.
      const name = spelling;
      const known = book.record(name);
      if (known === undefined) throw noSkill(spelling, book.names());
      assertMayChange(name, by);
      const versions = await inDatabase((db) => readSkillVersions(db, name));
      const goals =
        wanted === undefined
          ? toEarlier(versions, known.record.isRemoved)
          : versions.filter(({ version }) => version === wanted);
      const refused: RefusedVersion[] = [];
      for (const goal of goals) {
        // What is gone back to has a folder, like all that somebody here wants.
        const origin = goal.origin === "team" ? "imported" : goal.origin;
        try {
          // Whose text it is, it stays: who goes back to it has neither written it nor said yes to it.
          const skill = await put(goal, { ...goal, origin, author: goal.author }, by, "restored");
          return { ...skill, restored: goal.version, refused };
        } catch (error) {
          if (wanted !== undefined || !(error instanceof KeyholeError) || error.code !== "usage") throw error;
          refused.push({ version: goal.version, problem: error.message });
        }
      }
      throw refused.length > 0 ? noneFits(name, refused) : noVersion(name, wanted, versions);
    },
    async remove(spelling, by) {
      const { name, hash } = await existing(spelling);
      assertMayChange(name, by);
      await change((db) => {
        setRemoved(db, name);
        dropApprovals(db, { name });
      });
      onChange({ skill: name, change: "removed", hash, by });
      await lookAt([name]);
    },
    async approve(spelling, by, hash) {
      const skill = await existing(spelling);
      if (skill.hash !== hash) throw changedMeanwhile(skill.name);
      await change((db) => addApproval(db, skill.name, hash, by.principal));
      onChange({ skill: skill.name, change: "approved", hash, by });
      return existing(skill.name);
    },
    approvers: () => inDatabase(readApprovers),
    async revoke(by) {
      await book.read();
      const names = await change((db) => dropApprovals(db, { principal: by.principal }));
      for (const name of names)
        onChange({ skill: name, change: "revoked", hash: book.record(name)?.latest.hash ?? "", by });
      await lookAt([]);
      return names.length;
    },
    async checked(name, hash, findings) {
      const before = book.record(name)?.record.problem;
      await change((db) => setFindings(db, name, hash, findings));
      if (findings.problem !== before)
        onChange({ skill: name, change: findings.problem === undefined ? "repaired" : "broken", hash });
      await book.read();
      book.tell();
    },
    async counted(names, ok) {
      await change((db) => {
        for (const name of names) addUse(db, name, ok);
      });
    },
  };
}

/** Those that differ from what it is now, from the one before its text was first there; of one that was removed, all. */
function toEarlier(versions: readonly SkillVersion[], isRemoved: boolean): SkillVersion[] {
  const first = versions.findLastIndex(({ hash }) => hash === versions[0]?.hash);
  const earlier = isRemoved ? versions : versions.slice(first + 1);
  return earlier.filter(({ hash }, place) => earlier.findIndex((one) => one.hash === hash) === place);
}

function isUnchanged(known: ChangedSkill | undefined, hash: string): boolean {
  return known?.record.isRemoved === false && known.latest.hash === hash && known.latest.author !== undefined;
}

function assertOwn({ record, latest }: ChangedSkill, { principal }: SkillActor): void {
  if (principal === LOCAL_PRINCIPAL || latest.author === principal) return;
  throw new KeyholeError("denied", `Skill "${record.name}" is not yours to change`, {
    hint: "Save yours under another name",
  });
}

/** A yes to an earlier text counts again where a person goes back to it, and for nobody who saves it anew. */
function keepsYes({ principal }: SkillActor, what: "saved" | "restored"): boolean {
  return what === "restored" && principal === LOCAL_PRINCIPAL;
}

function toTaken(
  name: string,
  files: SkillFiles,
  origin: TakenSkill["origin"],
  { problem: _, ...findings }: SkillFindings,
  { principal }: SkillActor,
): NewVersion {
  const read = readManual(files.manual, name);
  if (!read.ok) throw new KeyholeError("usage", `Skill "${name}" can't be kept: ${read.problem}`);
  const { description, tags } = read.manual;
  const { manual, language, code, tests } = files;
  return {
    ...{ manual, language, code, ...(tests !== undefined && { tests }) },
    ...findings,
    ...{ name, description, tags, origin, hash: toFilesHash(files) },
    ...{ author: principal, savedAt: Date.now(), isChecked: true },
  };
}

function noSkill(spelling: string, known: readonly string[]): KeyholeError {
  const hint = didYouMean(spelling, known) ?? "`keyhole skills list` shows what there is";
  return new KeyholeError("usage", `There is no skill "${toExcerpt(spelling, 80)}"`, { hint });
}

function tooMany(): KeyholeError {
  return new KeyholeError("too_large", `There are ${MAX_KEPT_SKILLS} skills, as many as may be`, {
    hint: "Remove those that nobody uses: `keyhole skills remove NAME`",
  });
}

function unreadable(name: string, problem: string): KeyholeError {
  return new KeyholeError("file_conflict", `The folder "skills/${name}" can't be used as it is: ${problem}`, {
    hint: "Mend it, or move it away",
  });
}

function changedMeanwhile(name: string): KeyholeError {
  return new KeyholeError("file_conflict", `Skill "${name}" has changed since it was shown`, {
    hint: `Look at it again: \`keyhole skills show ${name}\``,
  });
}

function noVersion(name: string, version: number | undefined, kept: readonly SkillVersion[]): KeyholeError {
  const which = version === undefined ? "no earlier version" : `no version ${version}`;
  return new KeyholeError("usage", `Skill "${name}" has ${which}`, {
    hint: `Kept are ${kept.map((one) => one.version).join(", ")}: \`keyhole skills rollback ${name} --version N\` goes to any of them`,
  });
}

function noneFits(name: string, refused: readonly RefusedVersion[]): KeyholeError {
  return new KeyholeError("usage", `No earlier version of skill "${name}" fits what is here`, {
    details: refused.map(({ version, problem }) => `v${version}: ${toExcerpt(problem)}`),
    hint: "Repair it and save it again under this name",
  });
}
