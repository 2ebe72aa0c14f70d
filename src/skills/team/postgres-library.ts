import { isSkillName } from "../../language/skills/skill-names.ts";
import { openPostgresPool, type PostgresPool } from "../../store/postgres/postgres-pool.ts";
import { toStoreName } from "../../store/postgres/store-name.ts";
import { toHash } from "../../text/hash.ts";
import {
  inOrderOfVersions,
  isVersionNumber,
  MAX_LISTED,
  MAX_PUBLISHED_BYTES,
  type PublishedVersion,
  type TeamLibrary,
} from "./team-library.ts";

/** One at a time over all who use the database: the letters "khskil". */
const SCHEMA_LOCK = 0x6b68736b696c;
const TABLE = "keyhole_team_skills";
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} (
  name text NOT NULL,
  version integer NOT NULL,
  pack text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version)
)`;
const LIST = `SELECT name, version FROM ${TABLE} WHERE length(name) <= 64 AND octet_length(pack) <= $1 ORDER BY name, version DESC LIMIT $2`;
const READ = `SELECT pack FROM ${TABLE} WHERE name = $1 AND version = $2 AND octet_length(pack) <= $3`;
const STAMP = `SELECT xmin::text FROM ${TABLE} WHERE name = $1 AND version = $2`;
const ADD = `INSERT INTO ${TABLE} (name, version, pack) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING version`;

/** A table in a database of the team's, made by whoever publishes first. What its rows say is believed by nobody. */
export function openPostgresLibrary(address: string): TeamLibrary {
  let opened: Promise<PostgresPool> | undefined;

  async function pool(): Promise<PostgresPool> {
    opened ??= openPostgresPool(address, "skills.library").catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  async function isThere({ query }: PostgresPool): Promise<boolean> {
    const [row] = await query("SELECT to_regclass($1) IS NOT NULL", [TABLE]);
    return row?.[0] === true;
  }

  return {
    shown: toStoreName(address),
    id: toHash(toStoreName(address)),
    async list() {
      const database = await pool();
      if (!(await isThere(database))) return [];
      const rows = await database.query(LIST, [MAX_PUBLISHED_BYTES, MAX_LISTED]);
      const published = rows.flatMap(([name, version]): PublishedVersion[] => {
        const isOne = typeof name === "string" && typeof version === "number";
        return isOne && isSkillName(name) && isVersionNumber(version) ? [{ name, version }] : [];
      });
      return inOrderOfVersions(published);
    },
    async stamp({ name, version }) {
      const { query } = await pool();
      const [row] = await query(STAMP, [name, version]);
      return String(row?.[0]);
    },
    async read({ name, version }) {
      const { query } = await pool();
      const [row] = await query(READ, [name, version, MAX_PUBLISHED_BYTES]);
      return typeof row?.[0] === "string" ? Buffer.from(row[0]) : undefined;
    },
    async add({ name, version }, pack) {
      const database = await pool();
      if (!(await isThere(database)))
        await database.transaction(async (query) => {
          await query("SELECT pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
          await query(CREATE);
        });
      const rows = await database.query(ADD, [name, version, pack]);
      return rows.length > 0;
    },
    async close() {
      const database = await opened?.catch(() => undefined);
      opened = undefined;
      await database?.close();
    },
  };
}
