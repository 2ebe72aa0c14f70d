import type { SkillExport } from "../language/skill-export.ts";
import type { Database } from "../store/database/sqlite.ts";
import type { SkillFiles, SkillFindings, SkillOrigin, SkillTool, SkillVersion } from "./skill.ts";

/** What the database has of a skill, apart from its versions. */
export type SkillRecord = {
  readonly name: string;
  readonly version: number;
  readonly isRemoved: boolean;
  /** The version that the folder was last made to have; 0 for none. */
  readonly written: number;
  readonly problem?: string;
  readonly uses: number;
  readonly successes: number;
};

export type NewVersion = SkillFiles &
  Omit<SkillFindings, "problem"> & {
    readonly name: string;
    readonly hash: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly origin: SkillOrigin;
    readonly author: string | undefined;
    readonly savedAt: number;
    readonly isChecked: boolean;
  };

/** Those that were changed since, with what they are now. */
export function readChanged(db: Database, since: number, most: number): ChangedSkill[] {
  const sql = `${SELECT_SKILL} WHERE skills.change > ? ORDER BY skills.change LIMIT ?`;
  return db.all(sql, [since, most]).map(toChanged);
}

export function readSkill(db: Database, name: string): ChangedSkill | undefined {
  const [row] = db.all(`${SELECT_SKILL} WHERE skills.name = ?`, [name]);
  return row && toChanged(row);
}

export type ChangedSkill = {
  readonly change: number;
  readonly record: SkillRecord;
  readonly latest: SkillVersion;
};

function toChanged(row: readonly unknown[]): ChangedSkill {
  const [change, isRemoved, written, problem, uses, successes, ...version] = row;
  const latest = toVersion(version);
  return {
    change: Number(change),
    latest,
    record: {
      name: latest.name,
      version: latest.version,
      isRemoved: isRemoved === 1,
      written: Number(written),
      ...(typeof problem === "string" && { problem }),
      uses: Number(uses),
      successes: Number(successes),
    },
  };
}

export function readSkillVersions(db: Database, name: string): SkillVersion[] {
  return db.all(`${SELECT_VERSION} WHERE v.name = ? ORDER BY v.version DESC`, [name]).map(toVersion);
}

/** As the latest, in a transaction of the caller's; what is more than so many goes, the oldest first. */
export function addVersion(
  db: Database,
  made: NewVersion,
  options: { readonly isWritten: boolean; readonly keep: number },
): void {
  const version = Number(db.all(NEXT_VERSION, [made.name])[0]?.[0] ?? 1);
  db.run(INSERT_VERSION, [
    ...[
      made.name,
      version,
      made.hash,
      made.description,
      JSON.stringify(made.tags),
      made.language,
      made.origin,
    ],
    ...[made.author ?? null, made.savedAt, JSON.stringify(made.exports), JSON.stringify(made.tools)],
    ...[JSON.stringify(made.skills), made.isChecked ? 1 : 0, made.tests ?? null, made.manual, made.code],
  ]);
  const { isWritten, keep } = options;
  db.run(SET_LATEST, [made.name, version, isWritten ? version : 0]);
  if (isWritten) setWritten(db, made.name, version);
  // What the folder may still have is needed to tell it from an edit.
  db.run(DROP_OLD, [made.name, version - keep, made.name]);
}

const NEXT_CHANGE = "(SELECT coalesce(max(change), 0) + 1 FROM skills)";
const NEXT_VERSION = "SELECT coalesce(max(version), 0) + 1 FROM skill_versions WHERE name = ?";
const INSERT_VERSION =
  "INSERT INTO skill_versions (name, version, hash, description, tags, language, origin, author, saved_at, exports, tools, imports, is_checked, tests, manual, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SET_LATEST = `INSERT INTO skills (name, change, version, is_removed, written, problem) VALUES (?, ${NEXT_CHANGE}, ?, 0, ?, NULL)
ON CONFLICT (name) DO UPDATE SET change = excluded.change, version = excluded.version, is_removed = 0, problem = NULL`;
const DROP_OLD =
  "DELETE FROM skill_versions WHERE name = ? AND version <= ? AND version < (SELECT CASE written WHEN 0 THEN version ELSE written END FROM skills WHERE name = ?)";

/** The folder is as this version has it; as nothing, for 0. */
export function setWritten(db: Database, name: string, version: number): void {
  db.run("UPDATE skills SET written = ? WHERE name = ?", [version, name]);
}

export function setRemoved(db: Database, name: string): void {
  db.run(`UPDATE skills SET is_removed = 1, change = ${NEXT_CHANGE} WHERE name = ?`, [name]);
}

/** What a check found of the latest version; nothing is changed where that has other files by now. */
export function setFindings(db: Database, name: string, hash: string, findings: SkillFindings): void {
  const latest = readSkill(db, name)?.latest;
  if (latest?.hash !== hash) return;
  db.run(
    "UPDATE skill_versions SET exports = ?, tools = ?, imports = ?, is_checked = 1 WHERE name = ? AND version = ?",
    [
      ...[JSON.stringify(findings.exports), JSON.stringify(findings.tools), JSON.stringify(findings.skills)],
      ...[name, latest.version],
    ],
  );
  db.run(`UPDATE skills SET problem = ?, change = ${NEXT_CHANGE} WHERE name = ?`, [
    findings.problem ?? null,
    name,
  ]);
}

export function addApproval(db: Database, name: string, hash: string, principal: string): void {
  db.run(
    "INSERT INTO skill_approvals (name, hash, principal, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [...[name, hash, principal, Date.now()]],
  );
  db.run(`UPDATE skills SET change = ${NEXT_CHANGE} WHERE name = ?`, [name]);
}

export function readApprovers(db: Database): string[] {
  return db.all("SELECT DISTINCT principal FROM skill_approvals").map(([principal]) => String(principal));
}

/** Each yes of a principal, to a skill, or to one text of it: gives the names of those that had one. */
export function dropApprovals(
  db: Database,
  which: { readonly principal: string } | { readonly name: string; readonly hash?: string },
): string[] {
  const given = Object.entries(which).filter(([, value]) => value !== undefined);
  const where = given.map(([column]) => `${column} = ?`).join(" AND ");
  const values = given.map(([, value]) => value);
  const names = db.all(`SELECT DISTINCT name FROM skill_approvals WHERE ${where}`, values);
  db.run(`DELETE FROM skill_approvals WHERE ${where}`, values);
  return names.map(([name]) => {
    db.run(`UPDATE skills SET change = ${NEXT_CHANGE} WHERE name = ?`, [String(name)]);
    return String(name);
  });
}

export function addUse(db: Database, name: string, ok: boolean): void {
  db.run(
    `INSERT INTO skill_uses (name, uses, successes, used_at) VALUES (?, 1, ?, ?)
ON CONFLICT (name) DO UPDATE SET uses = uses + 1, successes = successes + excluded.successes, used_at = excluded.used_at`,
    [name, ok ? 1 : 0, Date.now()],
  );
}

export function readUses(db: Database): Map<string, { uses: number; successes: number }> {
  const rows = db.all("SELECT name, uses, successes FROM skill_uses");
  return new Map(
    rows.map(([name, uses, successes]) => [
      String(name),
      { uses: Number(uses), successes: Number(successes) },
    ]),
  );
}

const VERSION_COLUMNS =
  "v.name, v.version, v.hash, v.description, v.tags, v.language, v.origin, v.author, v.saved_at, v.exports, v.tools, v.imports, v.is_checked, v.tests, v.manual, v.code, a.principal";
const SELECT_SKILL = `SELECT skills.change, skills.is_removed, skills.written, skills.problem, coalesce(uses, 0), coalesce(successes, 0), ${VERSION_COLUMNS}
FROM skills JOIN skill_versions AS v ON v.name = skills.name AND v.version = skills.version
LEFT JOIN skill_approvals AS a ON a.name = v.name AND a.hash = v.hash
LEFT JOIN skill_uses ON skill_uses.name = skills.name`;
const SELECT_VERSION = `SELECT ${VERSION_COLUMNS} FROM skill_versions AS v LEFT JOIN skill_approvals AS a ON a.name = v.name AND a.hash = v.hash`;

/** Written by us, in a database that is proved to be ours. */
function toVersion(row: readonly unknown[]): SkillVersion {
  const [name, version, hash, description, tags, language, origin, author, savedAt] = row;
  const [exports, tools, imports, isChecked, tests, manual, code, approvedBy] = row.slice(9);
  return {
    name: String(name),
    version: Number(version),
    hash: String(hash),
    description: String(description),
    tags: toList<string>(tags),
    language: language === "python" ? "python" : "typescript",
    origin: ORIGINS.find((one) => one === origin) ?? "own",
    ...(typeof author === "string" && { author }),
    savedAt: Number(savedAt),
    exports: toList<SkillExport>(exports),
    tools: toList<SkillTool>(tools),
    skills: toList<string>(imports),
    isChecked: isChecked === 1,
    ...(typeof tests === "string" && { tests }),
    manual: String(manual),
    code: String(code),
    ...(typeof approvedBy === "string" && { approvedBy }),
  };
}

const ORIGINS: readonly SkillOrigin[] = ["own", "discovered", "imported", "team"];

function toList<T>(text: unknown): T[] {
  return JSON.parse(String(text));
}
