import { pathToFileURL } from "node:url";
import type Libsql from "libsql";
import { createPlace } from "./place.ts";
import { toStoreError } from "./store-error.ts";

/** What can stand in a column. In a text, a zero character becomes "␀": the library would cut it off there. */
export type Value = string | number | null | Uint8Array;

/**
 * A database that answers at once, on this thread. It never waits for a lock that another process holds: what finds one
 * fails, `isBusy` says so, and can be tried again in a later turn. This is the one file that knows the library.
 */
export type Database = {
  /** Empty for one in memory. */
  readonly path: string;
  all(sql: string, values?: readonly Value[]): unknown[][];
  /** How many rows it changed. */
  run(sql: string, values?: readonly Value[]): number;
  /** Several statements, without values. */
  exec(sql: string): void;
  /** All of it or nothing. Whoever reads first and then writes has the lock from the start. */
  transaction<T>(work: () => T): T;
  /** Statements without values, on another thread and another connection. */
  inBackground(sql: string): Promise<void>;
  /** Likewise; for what has few rows and takes long. */
  allInBackground(sql: string): Promise<unknown[][]>;
  /** Throws when its files are not those any more that were opened: what is written then is in no file that anybody finds. */
  assertInPlace(): void;
  /** Waits for what goes on in the background. */
  close(): Promise<void>;
};

/** `unchanging`: to be read though nothing can be written to its folder; nobody else may change it then. */
export type Access = "write" | "read" | "unchanging";

/** Opens a file that is there and was looked at; without a path, a database in memory. */
export async function openSqlite(path: string, access: Access = "write"): Promise<Database> {
  const { default: Connection } = await import("libsql");
  const fail = (error: unknown): never => {
    throw toStoreError(error, path);
  };
  const address = toAddress(path, access);
  const place = createPlace(path);
  const connection = attempt(() => new Connection(address), fail);
  const prepared = new Map<string, Libsql.Statement<unknown[]>>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const exec = (sql: string) => attempt(() => void connection.exec(sql), fail);
  let background: Promise<unknown> = Promise.resolve();
  let second: Promise<Background> | undefined;

  const all: Database["all"] = (sql, values = []) =>
    attempt(() => prepare(sql).raw().all(values.map(toBound)).map(toRow), fail);

  function inTurn<T>(work: (connection: Background) => Promise<T>): Promise<T> {
    second ??= openSecond(address, place.assertSame).catch((error) => {
      second = undefined;
      throw error;
    });
    const done = Promise.all([second, background]).then(([connection]) => work(connection));
    background = done.catch(() => {});
    return done.catch(fail);
  }

  return {
    path,
    all,
    run: (sql, values = []) => attempt(() => prepare(sql).run(values.map(toBound)).changes, fail),
    exec,
    transaction(work) {
      exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        exec("COMMIT");
        return result;
      } catch (error) {
        // Some failures have ended the transaction already.
        if (connection.inTransaction) exec("ROLLBACK");
        throw error;
      }
    },
    inBackground: (sql) =>
      path === "" ? Promise.resolve(exec(sql)) : inTurn((connection) => connection.exec(sql)),
    allInBackground: (sql) =>
      path === "" ? Promise.resolve(all(sql)) : inTurn((connection) => connection.all(sql)),
    assertInPlace: place.assertSame,
    async close() {
      await background;
      (await second?.catch(() => undefined))?.close();
      prepared.clear();
      connection.close();
    },
  };
}

const TO_READ = { read: "mode=ro", unchanging: "immutable=1" } as const;

function toAddress(path: string, access: Access): string {
  if (path === "") return ":memory:";
  return access === "write" ? path : `${pathToFileURL(path)}?${TO_READ[access]}`;
}

/**
 * Its work is done by threads of the library's. It is opened by name, as the first one was: the file of that name must be the
 * one that the first one has open, and was proven.
 */
async function openSecond(address: string, assertSame: () => void): Promise<Background> {
  const { default: Connection } = await import("libsql/promise");
  assertSame();
  const connection = new Connection(address, { timeout: BACKGROUND_WAIT_MS });
  try {
    await connection.exec("PRAGMA trusted_schema = OFF");
    await connection.exec("PRAGMA cell_size_check = ON");
    assertSame();
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    exec: async (sql) => {
      try {
        await connection.exec(sql);
      } catch (error) {
        // One of several statements, in a transaction of its own.
        await connection.exec("ROLLBACK").catch(() => {});
        throw error;
      }
    },
    all: async (sql) => {
      const statement = await connection.prepare(sql);
      return (await statement.raw().all()).map(toRow);
    },
    close: () => {
      connection.close();
    },
  };
}

type Background = { exec(sql: string): Promise<void>; all(sql: string): Promise<unknown[][]>; close(): void };

const BACKGROUND_WAIT_MS = 1_000;

function attempt<T>(work: () => T, fail: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return fail(error);
  }
}

function toBound(value: Value): Value {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u2400") : value;
}

function toRow(row: unknown): unknown[] {
  return Array.isArray(row) ? row : [];
}
