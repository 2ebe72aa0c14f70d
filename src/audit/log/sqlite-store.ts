import { errorMessage } from "../../errors.ts";
import { sizeOf } from "../../store/database/database-files.ts";
import { AUDIT_MIGRATIONS } from "../../store/database/migrations.ts";
import { AUDIT_DATABASE, openDatabase, type State } from "../../store/database/open-database.ts";
import { assertOwnSchema } from "../../store/database/own-schema.ts";
import { openToRead } from "../../store/database/read-database.ts";
import { type Database, openSqlite, type Value } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { findBodiesInSqlite, findInSqlite } from "../query/sqlite-find.ts";
import {
  type Batch,
  type Checkpoint,
  type Head,
  type LogRow,
  type LogState,
  type LogStore,
  PAGE_ROWS,
} from "./log-store.ts";
import {
  CHECKPOINT_COLUMNS,
  KEY_COLUMNS,
  readLogRows,
  readRowsOf,
  SPOOL_COLUMNS,
  toBytes,
  toCheckpoint,
  toKeyRow,
  toTakenSpool,
} from "./sqlite-rows.ts";

/** Another process's batch takes some hundred milliseconds at most. */
const PATIENCE_MS = 20_000;
/** In one statement: what the library does for each costs as much as a row. */
const ROWS_AT_ONCE = 32;

const SELECT_CHECKPOINTS = `SELECT ${CHECKPOINT_COLUMNS} FROM checkpoints`;

/** The log in `.keyhole/audit.db`, made when there is none. */
export async function openSqliteLogStore(state: State, onNotice: (text: string) => void): Promise<LogStore> {
  const db = await openDatabase(state, onNotice, { kind: AUDIT_DATABASE });
  // What is remembered of the log elsewhere, and what is removed because it is in the log, must not be ahead of the disk.
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA journal_size_limit = 67108864");
  return createSqliteLogStore(db);
}

/** To read alone; nothing where there is none. */
export async function openSqliteLogToRead(state: State): Promise<LogStore | undefined> {
  const db = await openToRead(state, AUDIT_DATABASE);
  return db && createSqliteLogStore(db);
}

/** A copy of a log somewhere, as an auditor has it. Nothing is written to it; nor beside it, unless its write-ahead log is there. */
export async function openSqliteLogFile(path: string): Promise<LogStore> {
  const db = await openSqlite(path, sizeOf(`${path}-wal`) > 0 ? "read" : "unchanging");
  try {
    db.exec("PRAGMA trusted_schema = OFF");
    db.exec("PRAGMA cell_size_check = ON");
    assertOwnSchema(db, AUDIT_MIGRATIONS);
  } catch (error) {
    await db.close();
    throw error;
  }
  // There is nobody who would wait for it.
  return createSqliteLogStore({ ...db, allInBackground: async (sql) => db.all(sql) });
}

function createSqliteLogStore(db: Database): LogStore {
  const one = (sql: string, values: readonly Value[] = []) => db.all(sql, values)[0];
  const free = <T>(work: () => T) => whenFree(work, PATIENCE_MS);
  const insertEvents = toBulkInsert(db, "events", 4);
  const insertColumns = toBulkInsert(db, "event_columns", 13);

  function readHead(): Head | undefined {
    const row = one("SELECT sequence, hash FROM events ORDER BY sequence DESC LIMIT 1");
    return row === undefined ? undefined : { sequence: Number(row[0]), hash: toBytes(row[1]) };
  }

  function readState(): LogState {
    const head = readHead();
    const last = one(`${SELECT_CHECKPOINTS} ORDER BY sequence DESC LIMIT 1`);
    const lastCheckpoint = last && toCheckpoint(last);
    let leaves: Uint8Array[] | undefined;
    return {
      head,
      lastCheckpoint,
      // Most writers know them from the batch before.
      get openLeaves() {
        leaves ??= readOpenLeaves(lastCheckpoint);
        return leaves;
      },
    };
  }

  function readOpenLeaves(last: Checkpoint | undefined): Uint8Array[] {
    const from = last?.first ?? 1;
    return db
      .all("SELECT leaf FROM events WHERE sequence >= ? ORDER BY sequence", [from])
      .map(([leaf]) => toBytes(leaf));
  }

  function write({ rows, checkpoint, replacedFrom, taken }: Batch): void {
    insertEvents(rows, ({ sequence, body, leaf, hash }) => [sequence, body ?? null, leaf, hash]);
    insertColumns(rows, ({ sequence, columns: c }) => [
      sequence,
      c.id,
      c.at,
      c.action,
      c.outcome,
      c.session,
      c.principal,
      c.client,
      c.run,
      c.call,
      c.server,
      c.tool,
      c.risk,
    ]);
    db.run("DELETE FROM checkpoints WHERE sequence >= ?", [replacedFrom]);
    const { sequence, first, at, hash, root, key, signature } = checkpoint;
    db.run(
      "INSERT INTO checkpoints (sequence, first, at, hash, root, key, signature) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [sequence, first, at, hash, root, key, signature],
    );
    db.run(
      "INSERT INTO spools (spool, bytes, sequence, proof) VALUES (?, ?, ?, ?) ON CONFLICT (spool) DO UPDATE SET bytes = excluded.bytes, sequence = excluded.sequence, proof = excluded.proof",
      [taken.spool, taken.bytes, taken.end.sequence, taken.proof],
    );
  }

  const readSpool = (spool: string) => {
    const row = one(`SELECT ${SPOOL_COLUMNS} FROM spools WHERE spool = ?`, [spool]);
    return row && toTakenSpool(row);
  };

  return {
    kind: "sqlite",
    append: (spool, make) =>
      free(() =>
        db.transaction(() => {
          db.assertInPlace();
          const taken = readSpool(spool);
          const state = readState();
          const batch = make(state, taken);
          if (batch === undefined) return state.head;
          write(batch);
          const last = batch.rows.at(-1);
          return last === undefined ? state.head : { sequence: last.sequence, hash: last.hash };
        }),
      ),
    head: () => free(readHead),
    rows: (from, limit) => free(() => readLogRows(db, from, limit)),
    rowOfEvent: (id) =>
      free(() => {
        const [sequence] = one("SELECT min(sequence) FROM event_columns WHERE id = ?", [id]) ?? [];
        return typeof sequence === "number" ? readRowsOf(db, [sequence])[0] : undefined;
      }),
    find: (filter, page) => free(() => findInSqlite(db, filter, page)),
    bodies: (filter, page) => free(() => findBodiesInSqlite(db, filter, page)),
    checkpoints: (from = 0) =>
      free(() =>
        db
          .all(`${SELECT_CHECKPOINTS} WHERE sequence >= ? ORDER BY sequence LIMIT ${PAGE_ROWS}`, [from])
          .map(toCheckpoint),
      ),
    keys: () =>
      free(() =>
        db.all(`SELECT ${KEY_COLUMNS} FROM log_keys ORDER BY since, key LIMIT ${PAGE_ROWS}`).map(toKeyRow),
      ),
    async addKey({ key, publicKey, since, previous, endorsement }) {
      await free(() =>
        db.run(
          "INSERT INTO log_keys (key, public_key, since, previous, endorsement) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
          [key, publicKey, since, previous, endorsement],
        ),
      );
    },
    prune: (ranges) =>
      free(() =>
        db.transaction(() => {
          let count = 0;
          for (const [from, to] of ranges) {
            count += db.run(
              "UPDATE events SET body = NULL WHERE sequence BETWEEN ? AND ? AND body IS NOT NULL",
              [from, to],
            );
            db.run("DELETE FROM event_columns WHERE sequence BETWEEN ? AND ?", [from, to]);
          }
          return count;
        }),
      ),
    async forgetSpool(spool) {
      await free(() => db.run("DELETE FROM spools WHERE spool = ?", [spool]));
    },
    takenBytes: (spool) => free(() => readSpool(spool)?.bytes ?? 0),
    spools: () =>
      free(() =>
        db.all(`SELECT ${SPOOL_COLUMNS} FROM spools ORDER BY spool LIMIT ${PAGE_ROWS}`).map(toTakenSpool),
      ),
    strangers: () => findStrangers(db),
    counts: (to = Number.MAX_SAFE_INTEGER) =>
      free(() => ({
        events: Number(one("SELECT count(*) FROM events WHERE sequence <= ?", [to])?.[0]),
        columns: Number(one("SELECT count(*) FROM event_columns WHERE sequence <= ?", [to])?.[0]),
      })),
    close: () => db.close(),
  };
}

/** A trigger that somebody adds while it is open acts on what we write; an index can be made to hide events from queries. */
async function findStrangers(db: Database): Promise<string[]> {
  try {
    await whenFree(() => assertOwnSchema(db, AUDIT_MIGRATIONS), PATIENCE_MS);
  } catch (error) {
    return [errorMessage(error)];
  }
  const found = (await db.allInBackground("PRAGMA integrity_check(10)")).map(([text]) => String(text));
  return found.filter((text) => text !== "ok");
}

function toBulkInsert(db: Database, table: string, columns: number) {
  const places = `(${Array(columns).fill("?").join(", ")})`;
  const toSql = (rows: number) => `INSERT INTO ${table} VALUES ${Array(rows).fill(places).join(", ")}`;
  const many = toSql(ROWS_AT_ONCE);
  const single = toSql(1);
  return (rows: readonly LogRow[], toValues: (row: LogRow) => Value[]) => {
    let index = 0;
    for (; index + ROWS_AT_ONCE <= rows.length; index += ROWS_AT_ONCE)
      db.run(many, rows.slice(index, index + ROWS_AT_ONCE).flatMap(toValues));
    for (const row of rows.slice(index)) db.run(single, toValues(row));
  };
}
