import { openPostgresPool, type SqlQuery, type SqlValue } from "../../store/postgres/postgres-pool.ts";
import { POSTGRES_DIALECT, toCondition } from "../query/condition.ts";
import { COLUMN_NAMES } from "./columns.ts";
import { type Batch, type Checkpoint, type Head, type LogStore, PAGE_ROWS } from "./log-store.ts";
import { findStrangers, openPostgresLog } from "./postgres-schema.ts";
import { toBytes, toCheckpoint, toKeyRow, toLogRow, toTakenSpool } from "./sqlite-rows.ts";

const NAMES = COLUMN_NAMES.join(", ");
const SELECT = `SELECT sequence, body, leaf, hash, ${NAMES}`;
const SELECT_ROWS = `${SELECT} FROM keyhole_audit_events JOIN keyhole_audit_event_columns USING (log, sequence)`;
const SELECT_CHECKPOINTS =
  "SELECT sequence, first, at, hash, root, key, signature FROM keyhole_audit_checkpoints";
const SELECT_SPOOLS =
  "SELECT spool, bytes, proof, sequence, (SELECT hash FROM keyhole_audit_events AS event WHERE event.log = own.log AND event.sequence = own.sequence) FROM keyhole_audit_spools AS own";
const INSERT_EVENTS =
  "INSERT INTO keyhole_audit_events (log, sequence, body, leaf, hash) SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::bytea[])";
const COLUMN_TYPES: Readonly<Record<(typeof COLUMN_NAMES)[number], string>> = {
  id: "text",
  at: "bigint",
  action: "text",
  outcome: "text",
  session: "text",
  principal: "text",
  client: "text",
  run: "text",
  call: "text",
  server: "text",
  tool: "text",
  risk: "smallint",
};
const COLUMN_ARRAYS = COLUMN_NAMES.map((name, index) => `$${index + 3}::${COLUMN_TYPES[name]}[]`).join(", ");
const INSERT_COLUMNS = `INSERT INTO keyhole_audit_event_columns (log, sequence, ${NAMES}) SELECT $1, * FROM unnest($2::bigint[], ${COLUMN_ARRAYS})`;

export type PostgresPlace = {
  /** The address, with everything that is needed to reach it. */
  readonly store: string;
  /** One database has the logs of several projects, and machines. */
  readonly logId: string;
  /** By whose keys it is signed: only who has them writes to it. */
  readonly owner: string;
};

/** The log in a PostgreSQL database, whose tables are made when there are none. */
export async function openPostgresLogStore({ store, logId, owner }: PostgresPlace): Promise<LogStore> {
  const pool = await openPostgresPool(store, "audit.store");
  let log: number;
  try {
    log = await openPostgresLog(pool, store, `${logId}-${owner}`);
  } catch (error) {
    await pool.close();
    throw error;
  }
  // It is our own number: it can stand in a statement.
  const ours = `log = ${log}`;
  const { query } = pool;

  async function readHead(ask: SqlQuery): Promise<Head | undefined> {
    const [row] = await ask(
      `SELECT sequence, hash FROM keyhole_audit_events WHERE ${ours} ORDER BY sequence DESC LIMIT 1`,
    );
    return row && { sequence: Number(row[0]), hash: toBytes(row[1]) };
  }

  async function readState(ask: SqlQuery) {
    const head = await readHead(ask);
    const [last] = await ask(`${SELECT_CHECKPOINTS} WHERE ${ours} ORDER BY sequence DESC LIMIT 1`);
    const lastCheckpoint: Checkpoint | undefined = last && toCheckpoint(last);
    const leaves = await ask(
      `SELECT leaf FROM keyhole_audit_events WHERE ${ours} AND sequence >= $1 ORDER BY sequence`,
      [lastCheckpoint?.first ?? 1],
    );
    return { head, lastCheckpoint, openLeaves: leaves.map(([leaf]) => toBytes(leaf)) };
  }

  async function readSpool(ask: SqlQuery, spool: string) {
    const [row] = await ask(`${SELECT_SPOOLS} WHERE ${ours} AND spool = $1`, [spool]);
    return row && toTakenSpool(row);
  }

  return {
    kind: "postgres",
    append: (spool, make) =>
      pool.transaction(async (ask) => {
        // Whoever has this row has the turn, on whatever machine; a connection that breaks gives it back.
        await ask(`SELECT 1 FROM keyhole_audit_logs WHERE number = ${log} FOR UPDATE`);
        const taken = await readSpool(ask, spool);
        const state = await readState(ask);
        const batch = make(state, taken);
        if (batch === undefined) return state.head;
        await writeBatch(ask, log, batch);
        const last = batch.rows.at(-1);
        return last === undefined ? state.head : { sequence: last.sequence, hash: last.hash };
      }),
    head: () => readHead(query),
    async rows(from, limit) {
      // The page first: the planner would join whole tables where it knows little of them.
      const page = `SELECT * FROM keyhole_audit_events WHERE ${ours} AND sequence >= $1 ORDER BY sequence LIMIT $2`;
      const rows = await query(
        `${SELECT} FROM (${page}) AS page LEFT JOIN keyhole_audit_event_columns USING (log, sequence) ORDER BY sequence`,
        [from, limit],
      );
      return rows.map(toLogRow);
    },
    async rowOfEvent(id) {
      const [row] = await query(`${SELECT_ROWS} WHERE ${ours} AND id = $1 ORDER BY sequence LIMIT 1`, [id]);
      return row && toLogRow(row);
    },
    async find(filter, page) {
      const { sql, values } = toCondition(filter, page, POSTGRES_DIALECT);
      const order = page.order === "newest" ? "DESC" : "ASC";
      const limit = Math.max(0, Math.floor(page.limit));
      const rows = await query(
        `${SELECT_ROWS} WHERE ${ours} AND ${sql} ORDER BY sequence ${order} LIMIT ${limit + 1}`,
        values,
      );
      const found = rows.slice(0, limit).map(toLogRow);
      const last = found.at(-1);
      return rows.length > limit && last !== undefined
        ? { rows: found, next: last.sequence }
        : { rows: found };
    },
    async checkpoints(from = 0) {
      const rows = await query(
        `${SELECT_CHECKPOINTS} WHERE ${ours} AND sequence >= $1 ORDER BY sequence LIMIT ${PAGE_ROWS}`,
        [from],
      );
      return rows.map(toCheckpoint);
    },
    async keys() {
      const rows = await query(
        `SELECT key, public_key, since, previous, endorsement FROM keyhole_audit_log_keys WHERE ${ours} ORDER BY since, key LIMIT ${PAGE_ROWS}`,
      );
      return rows.map(toKeyRow);
    },
    async addKey({ key, publicKey, since, previous, endorsement }) {
      await query(
        `INSERT INTO keyhole_audit_log_keys (log, key, public_key, since, previous, endorsement) VALUES (${log}, $1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
        [key, publicKey, since, previous, endorsement],
      );
    },
    prune: (ranges) =>
      pool.transaction(async (ask) => {
        const sides = [ranges.map(([from]) => from), ranges.map(([, to]) => to)];
        const within = `own.${ours} AND sequence BETWEEN range.first AND range.last`;
        const taken = await ask(
          `UPDATE keyhole_audit_events AS own SET body = NULL FROM unnest($1::bigint[], $2::bigint[]) AS range (first, last) WHERE ${within} AND body IS NOT NULL RETURNING 1`,
          sides,
        );
        await ask(
          `DELETE FROM keyhole_audit_event_columns AS own USING unnest($1::bigint[], $2::bigint[]) AS range (first, last) WHERE ${within}`,
          sides,
        );
        return taken.length;
      }),
    async forgetSpool(spool) {
      await query(`DELETE FROM keyhole_audit_spools WHERE ${ours} AND spool = $1`, [spool]);
    },
    takenBytes: async (spool) => (await readSpool(query, spool))?.bytes ?? 0,
    async spools() {
      const rows = await query(`${SELECT_SPOOLS} WHERE ${ours} ORDER BY spool LIMIT ${PAGE_ROWS}`);
      return rows.map(toTakenSpool);
    },
    strangers: () => findStrangers(query),
    async counts(to = Number.MAX_SAFE_INTEGER) {
      const count = (table: string) => `(SELECT count(*) FROM ${table} WHERE ${ours} AND sequence <= $1)`;
      const [[events, columns] = []] = await query(
        `SELECT ${count("keyhole_audit_events")}, ${count("keyhole_audit_event_columns")}`,
        [to],
      );
      return { events: Number(events), columns: Number(columns) };
    },
    close: () => pool.close(),
  };
}

async function writeBatch(
  ask: SqlQuery,
  log: number,
  { rows, checkpoint, replacedFrom, taken }: Batch,
): Promise<void> {
  const sequences = rows.map(({ sequence }) => sequence);
  const bodies = rows.map(({ body }) => body ?? null);
  const leaves = rows.map(({ leaf }) => toBuffer(leaf));
  const hashes = rows.map(({ hash }) => toBuffer(hash));
  await ask(INSERT_EVENTS, [log, sequences, bodies, leaves, hashes]);
  const columns = COLUMN_NAMES.map((name): SqlValue => rows.map(({ columns: own }) => own[name]));
  await ask(INSERT_COLUMNS, [log, sequences, ...columns]);
  await ask("DELETE FROM keyhole_audit_checkpoints WHERE log = $1 AND sequence >= $2", [log, replacedFrom]);
  const { sequence, first, at, hash, root, key, signature } = checkpoint;
  await ask(
    "INSERT INTO keyhole_audit_checkpoints (log, sequence, first, at, hash, root, key, signature) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    [log, sequence, first, at, toBuffer(hash), toBuffer(root), key, toBuffer(signature)],
  );
  await ask(
    "INSERT INTO keyhole_audit_spools (log, spool, bytes, sequence, proof) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (log, spool) DO UPDATE SET bytes = excluded.bytes, sequence = excluded.sequence, proof = excluded.proof",
    [log, taken.spool, taken.bytes, taken.end.sequence, toBuffer(taken.proof)],
  );
}

/** The library takes plain bytes in a list for a list of numbers. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
