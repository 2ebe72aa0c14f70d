import type pg from "pg";
import { toPostgresError } from "./postgres-error.ts";

export type SqlValue = string | number | null | Uint8Array | readonly (string | number | null | Uint8Array)[];
export type SqlQuery = (sql: string, values?: readonly SqlValue[]) => Promise<unknown[][]>;

/** Connections to one database. Each statement and each attempt to connect has an end. */
export type PostgresPool = {
  query: SqlQuery;
  /** All of it or nothing. A connection that broke in it is not used again. */
  transaction<T>(work: (query: SqlQuery) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const CONNECT_MS = 10_000;
const STATEMENT_MS = 60_000;
/** Of a server that is gone without a word. */
const ANSWER_MS = STATEMENT_MS + 15_000;
const LOCK_MS = 30_000;
const IDLE_MS = 30_000;
const MAX_CONNECTIONS = 3;

/**
 * Loads the library: nobody pays for it who has no such database.
 * @param setting the key of the config that has the address
 */
export async function openPostgresPool(store: string, setting: string): Promise<PostgresPool> {
  const { default: library } = await import("pg");
  const pool = open(library, store, setting);
  // An idle connection that breaks is replaced when the next one is asked for.
  pool.on("error", () => {});

  async function withClient<T>(work: (query: SqlQuery) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      client.on("error", ignore);
      const result = await work(toQuery(client));
      client.off("error", ignore);
      client.release();
      return result;
    } catch (error) {
      client?.off("error", ignore);
      client?.release(true);
      throw toPostgresError(error, store, setting);
    }
  }

  return {
    query: (sql, values) => withClient((query) => query(sql, values)),
    transaction: (work) =>
      withClient(async (query) => {
        await query("BEGIN");
        const result = await work(query);
        await query("COMMIT");
        return result;
      }),
    close: () => pool.end(),
  };
}

function open(library: typeof pg, store: string, setting: string): pg.Pool {
  try {
    return new library.Pool({
      connectionString: store,
      application_name: "keyhole",
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
      lock_timeout: LOCK_MS,
      idle_in_transaction_session_timeout: STATEMENT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      allowExitOnIdle: true,
    });
  } catch (error) {
    throw toPostgresError(error, store, setting);
  }
}

/** The error of a connection is also that of its statement. */
function ignore(): void {}

function toQuery(client: pg.PoolClient): SqlQuery {
  return async (sql, values = []) => {
    const { rows } = await client.query<unknown[]>({ text: sql, values: [...values], rowMode: "array" });
    return rows;
  };
}
