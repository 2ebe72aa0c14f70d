import type { Database } from "./sqlite.ts";

/** "KEYH": says that a file is ours. */
export const APPLICATION_ID = 0x4b455948;

/** Of a run that has not ended; word for word as the index has it, or it is not used. */
export const UNDER_WAY = "status IN ('queued', 'running', 'waiting')";

/**
 * The tables, as numbered steps: number n leads from version n-1 to version n. A step that was released is never changed;
 * a new one is added below it. One statement each: a database is ours only if what it holds is exactly these.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE processes (
  id TEXT PRIMARY KEY,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE runs (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  process TEXT NOT NULL,
  session TEXT NOT NULL,
  principal TEXT NOT NULL,
  client TEXT NOT NULL,
  workspace TEXT NOT NULL,
  language TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  status TEXT NOT NULL,
  kind TEXT,
  receipt TEXT,
  code_bytes INTEGER NOT NULL,
  code TEXT NOT NULL
) STRICT`,
    `CREATE TABLE calls (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments_hash BLOB NOT NULL,
  arguments_bytes INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ms REAL,
  ok INTEGER,
  code TEXT,
  result_hash BLOB,
  result_bytes INTEGER,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE tool_calls (
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID`,
    `CREATE INDEX runs_under_way ON runs (process) WHERE ${UNDER_WAY}`,
  ],
  [
    `CREATE TABLE replay_runs (
  run TEXT PRIMARY KEY,
  principal TEXT NOT NULL,
  program_hash TEXT NOT NULL,
  seed TEXT NOT NULL,
  time INTEGER NOT NULL,
  is_planned INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  folder_bytes INTEGER NOT NULL,
  begun INTEGER NOT NULL,
  obstacle TEXT
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX replay_runs_program ON replay_runs (program_hash)",
    `CREATE TABLE replay_calls (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments_hash TEXT NOT NULL,
  arguments TEXT,
  is_write INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  effect TEXT NOT NULL,
  form TEXT,
  result BLOB,
  code TEXT,
  message TEXT,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE replay_happenings (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  news TEXT NOT NULL
) STRICT`,
    "CREATE INDEX replay_happenings_run ON replay_happenings (run)",
  ],
  [
    `CREATE TABLE approvals (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  run TEXT NOT NULL,
  session TEXT NOT NULL,
  principal TEXT NOT NULL,
  status TEXT NOT NULL,
  request TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer TEXT,
  proof TEXT NOT NULL
) STRICT`,
    "CREATE INDEX approvals_run ON approvals (run)",
    "CREATE INDEX approvals_pending ON approvals (expires_at) WHERE status = 'pending'",
  ],
  // In which tier a run began, and why there: it goes on in no weaker one.
  [
    `CREATE TABLE replay_tiers (
  run TEXT PRIMARY KEY,
  tier TEXT NOT NULL,
  reason TEXT
) STRICT, WITHOUT ROWID`,
  ],
  // Which skills a run began with: it goes on with these alone.
  [
    `CREATE TABLE replay_skills (
  run TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID`,
  ],
  // Calls whose results may be kept, and whether they were answered with one that was.
  [
    `CREATE TABLE cached_calls (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  is_hit INTEGER NOT NULL,
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID`,
  ],
];

/** Those of the vault, which has a file of its own: it is written at other times, by others' leave, and no journal makes room in it. */
export const VAULT_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE vault_keys (
  proof BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE vault_workspaces (
  workspace BLOB PRIMARY KEY,
  erasures INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE vault_numbers (
  workspace BLOB NOT NULL,
  class TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (workspace, class)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE vault_values (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace BLOB NOT NULL,
  class TEXT NOT NULL,
  place INTEGER NOT NULL,
  lookup BLOB NOT NULL,
  sealed BLOB NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT`,
    "CREATE UNIQUE INDEX vault_values_lookup ON vault_values (workspace, lookup)",
    "CREATE INDEX vault_values_number ON vault_values (workspace, number)",
    `CREATE TABLE vault_sightings (
  workspace BLOB NOT NULL,
  session BLOB NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (workspace, session, value)
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX vault_sightings_value ON vault_sightings (value)",
    `CREATE TABLE vault_records (
  workspace BLOB NOT NULL,
  record BLOB NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (workspace, record, value)
) STRICT, WITHOUT ROWID`,
    "CREATE INDEX vault_records_value ON vault_records (value)",
  ],
];

/**
 * Those of the audit log. What is chained stands apart from the columns, which are there for queries alone: a search reads narrow
 * rows, and retention takes them out as a whole. Only what few events share has an index: for the others there is
 * `src/audit/query/blocks`. Ids are not unique: what somebody wrote twice must be found, not refused.
 */
export const AUDIT_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE events (
  sequence INTEGER PRIMARY KEY,
  body TEXT,
  leaf BLOB NOT NULL,
  hash BLOB NOT NULL
) STRICT`,
    `CREATE TABLE event_columns (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  session TEXT,
  principal TEXT,
  client TEXT,
  run TEXT,
  call TEXT,
  server TEXT,
  tool TEXT,
  risk INTEGER
) STRICT`,
    "CREATE INDEX event_columns_id ON event_columns (id)",
    "CREATE INDEX event_columns_session ON event_columns (session) WHERE session IS NOT NULL",
    "CREATE INDEX event_columns_run ON event_columns (run) WHERE run IS NOT NULL",
    "CREATE INDEX event_columns_call ON event_columns (call) WHERE call IS NOT NULL",
    `CREATE TABLE checkpoints (
  sequence INTEGER PRIMARY KEY,
  first INTEGER NOT NULL,
  at INTEGER NOT NULL,
  hash BLOB NOT NULL,
  root BLOB NOT NULL,
  key TEXT NOT NULL,
  signature BLOB NOT NULL
) STRICT`,
    `CREATE TABLE log_keys (
  key TEXT PRIMARY KEY,
  public_key BLOB NOT NULL,
  since INTEGER NOT NULL,
  previous TEXT,
  endorsement BLOB
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE spools (
  spool TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  proof BLOB NOT NULL
) STRICT, WITHOUT ROWID`,
  ],
];

/**
 * Those of what agents remember, which has a file of its own: no journal makes room in it, and it does not count as history. Names and
 * values of state are sealed; how many they are and how large stands beside them, for bounds and for cleaning up.
 */
export const MEMORY_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE state_spaces (
  space TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE state_entries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL,
  lookup BLOB NOT NULL,
  name BLOB NOT NULL,
  value BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT`,
    "CREATE UNIQUE INDEX state_entries_lookup ON state_entries (space, lookup)",
    `CREATE TABLE state_writes (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  arguments_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  PRIMARY KEY (run, number, arguments_hash)
) STRICT, WITHOUT ROWID`,
  ],
  // Skills: what each one is now, by the number of its last change; every text; who has said yes to which; how often they were used.
  [
    `CREATE TABLE skills (
  name TEXT PRIMARY KEY,
  change INTEGER NOT NULL,
  version INTEGER NOT NULL,
  is_removed INTEGER NOT NULL,
  written INTEGER NOT NULL,
  problem TEXT
) STRICT, WITHOUT ROWID`,
    "CREATE UNIQUE INDEX skills_change ON skills (change)",
    `CREATE TABLE skill_versions (
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  hash TEXT NOT NULL,
  description TEXT NOT NULL,
  tags TEXT NOT NULL,
  language TEXT NOT NULL,
  origin TEXT NOT NULL,
  author TEXT,
  saved_at INTEGER NOT NULL,
  exports TEXT NOT NULL,
  tools TEXT NOT NULL,
  imports TEXT NOT NULL,
  is_checked INTEGER NOT NULL,
  tests TEXT,
  manual TEXT NOT NULL,
  code TEXT NOT NULL
) STRICT`,
    "CREATE UNIQUE INDEX skill_versions_number ON skill_versions (name, version)",
    `CREATE TABLE skill_approvals (
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  principal TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (name, hash)
) STRICT, WITHOUT ROWID`,
    `CREATE TABLE skill_uses (
  name TEXT PRIMARY KEY,
  uses INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID`,
  ],
];

/** Those of the results of tools that are kept for a while: a file of its own, which may be lost. */
export const CACHE_MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE cached_results (
  key BLOB NOT NULL,
  owner BLOB NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  kept_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  sealed BLOB NOT NULL
) STRICT`,
    "CREATE UNIQUE INDEX cached_results_key ON cached_results (key)",
    "CREATE INDEX cached_results_tool ON cached_results (server, tool)",
    "CREATE INDEX cached_results_used ON cached_results (used_at)",
    // How often what a tool returns may have become another; the empty tool stands for all of its server.
    `CREATE TABLE cache_versions (
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT, WITHOUT ROWID`,
    // By whom it is changed in this moment.
    `CREATE TABLE cache_changes (
  id TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  machine TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  began_at INTEGER NOT NULL,
  until_at INTEGER,
  PRIMARY KEY (id, server, tool)
) STRICT, WITHOUT ROWID`,
  ],
];

/** Brings a database up to date in one transaction; one that another process has brought there stays as it is. */
export function migrate(db: Database, migrations = MIGRATIONS): void {
  if (readVersion(db) === migrations.length) return;
  db.transaction(() => {
    const version = readVersion(db);
    for (const statement of migrations.slice(version).flat()) db.exec(statement);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

export function readVersion(db: Database): number {
  return readNumber(db, "user_version");
}

export function readNumber(db: Database, pragma: string): number {
  return Number(db.all(`PRAGMA ${pragma}`)[0]?.[0] ?? 0);
}
