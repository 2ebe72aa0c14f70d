import { createSkillNames, type SkillNames } from "../language/skills/skill-names.ts";
import type { Database } from "../store/database/sqlite.ts";
import { whenFree } from "../store/database/when-free.ts";
import type { Skill } from "./skill.ts";
import { type ChangedSkill, readChanged, readUses } from "./skill-records.ts";
import { type StatusOptions, toSkill, toSkillOf } from "./skill-status.ts";

/** What the database says, in memory: read once, and from then on what has changed. */
export type SkillBook = {
  /** What any process has written down since. */
  read(): Promise<void>;
  /** And how often they were used. */
  readUses(): Promise<void>;
  record(name: string): ChangedSkill | undefined;
  /** Those that are removed, too. */
  records(): readonly ChangedSkill[];
  /** The names of those that are not removed. */
  names(): string[];
  faults(): ReadonlyMap<string, string>;
  setFault(name: string, problem?: string): void;
  /** Makes the list anew where something is other than it was, and tells. */
  tell(): void;
  list(): readonly Skill[];
  get(spelling: string): Skill | undefined;
  visibleTo(principal: string): readonly Skill[];
  onUpdate(listener: () => void): () => void;
};

const BATCH = 500;

export function createSkillBook(
  database: () => Promise<Database>,
  policy: Omit<StatusOptions, "fault">,
): SkillBook {
  const records = new Map<string, ChangedSkill>();
  const faults = new Map<string, string>();
  const listeners = new Set<() => void>();
  let current: Database | undefined;
  let change = 0;
  let isStale = false;
  let skills: readonly Skill[] = [];
  let names: SkillNames<Skill> = createSkillNames(skills);
  let views = new Map<string, readonly Skill[]>();

  function take(changed: readonly ChangedSkill[]): void {
    for (const one of changed) {
      records.set(one.record.name, one);
      change = one.change;
      isStale = true;
    }
  }

  return {
    async read() {
      const db = await database();
      if (db !== current) {
        // Another file in its place: what it says counts.
        isStale ||= records.size > 0;
        records.clear();
        change = 0;
        current = db;
      }
      for (let isMore = true; isMore; ) {
        const changed = await whenFree(() => readChanged(db, change, BATCH));
        take(changed);
        isMore = changed.length === BATCH;
        if (isMore) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async readUses() {
      const db = await database();
      const uses = await whenFree(() => readUses(db));
      for (const [name, counts] of uses) {
        const known = records.get(name);
        if (known === undefined || known.record.uses === counts.uses) continue;
        records.set(name, { ...known, record: { ...known.record, ...counts } });
        isStale = true;
      }
    },
    record: (name) => records.get(name),
    records: () => [...records.values()],
    names: () => [...records.values()].flatMap(({ record }) => (record.isRemoved ? [] : [record.name])),
    faults: () => faults,
    setFault(name, problem) {
      if (faults.get(name) === problem) return;
      if (problem === undefined) faults.delete(name);
      else faults.set(name, problem);
      isStale = true;
    },
    tell() {
      if (!isStale) return;
      isStale = false;
      skills = [...records.values()]
        .filter(({ record }) => !record.isRemoved)
        .map((one) => toSkill(one, { ...policy, fault: faults.get(one.record.name) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      names = createSkillNames(skills);
      views = new Map();
      for (const listener of listeners) listener();
    },
    list: () => skills,
    get(spelling) {
      const found = names.find(spelling);
      return found.kind === "one" ? found.value : undefined;
    },
    visibleTo(principal) {
      const known =
        views.get(principal) ?? skills.map((skill) => toSkillOf(skill, principal, policy.approval));
      views.set(principal, known);
      return known;
    },
    onUpdate(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
