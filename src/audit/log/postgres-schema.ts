import { StoreError } from "../../store/database/store-error.ts";
import type { PostgresPool, SqlQuery } from "../../store/postgres/postgres-pool.ts";
import { toStoreName } from "../../store/postgres/store-name.ts";

/** One at a time over all who use the database: the letters "keyhole". */
const SCHEMA_LOCK = 0x6b6579686f6c;

/**
 * The tables of SQLite's log (`AUDIT_MIGRATIONS`), each with a column more: one database has the logs of several projects and
 * machines. Numbered steps: number n leads from version n-1 to version n; a step that was released is never changed.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE keyhole_audit_logs (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  made_at timestamptz NOT NULL DEFAULT now()
)`,
    `CREATE TABLE keyhole_audit_events (
  log integer NOT NULL,
  sequence bigint NOT NULL,
  body text,
  leaf bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (log, sequence)
)`,
    `CREATE TABLE keyhole_audit_event_columns (
  log integer NOT NULL,
  sequence bigint NOT NULL,
  id text NOT NULL,
  at bigint NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL,
  session text,
  principal text,
  client text,
  run text,
  call text,
  server text,
  tool text,
  risk smallint,
  PRIMARY KEY (log, sequence)
)`,
    toIndex("id"),
    toIndex("session"),
    toIndex("run"),
    toIndex("call"),
    `CREATE TABLE keyhole_audit_checkpoints (
  log integer NOT NULL,
  sequence bigint NOT NULL,
  first bigint NOT NULL,
  at bigint NOT NULL,
  hash bytea NOT NULL,
  root bytea NOT NULL,
  key text NOT NULL,
  signature bytea NOT NULL,
  PRIMARY KEY (log, sequence)
)`,
    `CREATE TABLE keyhole_audit_log_keys (
  log integer NOT NULL,
  key text NOT NULL,
  public_key bytea NOT NULL,
  since bigint NOT NULL,
  previous text,
  endorsement bytea,
  PRIMARY KEY (log, key)
)`,
    `CREATE TABLE keyhole_audit_spools (
  log integer NOT NULL,
  spool text NOT NULL,
  bytes bigint NOT NULL,
  sequence bigint NOT NULL,
  proof bytea NOT NULL,
  PRIMARY KEY (log, spool)
)`,
  ],
];

const VERSION_TABLE = `CREATE TABLE IF NOT EXISTS keyhole_audit_schema (
  version integer PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now()
)`;

/** Brings the tables up to date, whoever comes first; tells the number of this log. */
export async function openPostgresLog(pool: PostgresPool, store: string, id: string): Promise<number> {
  const known = await findLog(pool).catch(() => undefined);
  if (known !== undefined) return known;
  return pool.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    await query(VERSION_TABLE);
    const version = await readVersion(query);
    assertKnown(version, store);
    for (const [index, step] of STEPS.entries()) {
      if (index < version) continue;
      for (const statement of step) await query(statement);
      await query("INSERT INTO keyhole_audit_schema (version) VALUES ($1)", [index + 1]);
    }
    await query("INSERT INTO keyhole_audit_logs (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", [id]);
    const [[number] = []] = await query("SELECT number FROM keyhole_audit_logs WHERE id = $1", [id]);
    return Number(number);
  });

  /** Without a lock, and without any right to make tables. */
  async function findLog({ query }: PostgresPool): Promise<number | undefined> {
    const version = await readVersion(query);
    if (version !== STEPS.length) return undefined;
    const [[number] = []] = await query("SELECT number FROM keyhole_audit_logs WHERE id = $1", [id]);
    return number === undefined ? undefined : Number(number);
  }
}

/** What acts on the tables, or hides rows of them, and was not made by Keyhole. */
export async function findStrangers(query: SqlQuery): Promise<readonly string[]> {
  const rows = await query(
    `WITH own AS (
  SELECT oid, relname, relkind, relrowsecurity FROM pg_class
  WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('keyhole_audit_events'))
    AND relname = ANY($1)
)
SELECT 'trigger ' || tgname || ' on ' || relname FROM pg_trigger JOIN own ON tgrelid = own.oid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || rulename || ' on ' || relname FROM pg_rewrite JOIN own ON ev_class = own.oid
UNION ALL SELECT 'row security on ' || relname FROM own WHERE relrowsecurity
UNION ALL SELECT relname || ' is not a table' FROM own WHERE relkind <> 'r'
UNION ALL SELECT 'a table below ' || relname FROM pg_inherits JOIN own ON inhparent = own.oid
UNION ALL SELECT 'default of ' || relname FROM pg_attrdef JOIN own ON adrelid = own.oid
  WHERE relname <> 'keyhole_audit_logs'
ORDER BY 1`,
    [TABLES],
  );
  return rows.map(([text]) => String(text));
}

const TABLES = [
  "keyhole_audit_logs",
  "keyhole_audit_events",
  "keyhole_audit_event_columns",
  "keyhole_audit_checkpoints",
  "keyhole_audit_log_keys",
  "keyhole_audit_spools",
];

async function readVersion(query: SqlQuery): Promise<number> {
  const [[version] = []] = await query("SELECT coalesce(max(version), 0) FROM keyhole_audit_schema");
  return Number(version);
}

function assertKnown(version: number, store: string): void {
  if (version <= STEPS.length) return;
  throw new StoreError(
    "newer",
    `The store "${toStoreName(store)}" was made by a newer Keyhole (version ${version}, this one knows ${STEPS.length})`,
    "Update Keyhole",
  );
}

function toIndex(column: string): string {
  const name = `keyhole_audit_event_columns_${column}`;
  return `CREATE INDEX ${name} ON keyhole_audit_event_columns (log, ${column}, sequence) WHERE ${column} IS NOT NULL`;
}
