import { isAscii, isUtf8 } from "node:buffer";
import type { Database, Value } from "../../store/database/sqlite.ts";
import { HASH_BYTES } from "./chain.ts";
import { COLUMN_NAMES, NO_COLUMNS } from "./columns.ts";
import type { Checkpoint, KeyRow, LogColumns, LogRow, TakenSpool } from "./log-store.ts";

/*
 * The tables are ours, what stands in them may be anybody's. A text that is no UTF-8 ends the process in the library: texts are
 * read as bytes. Many rows are read as one value: one of bytes for each column of each row takes more than twice as long.
 */

const COLUMNS_JSON = `json_array(${COLUMN_NAMES.join(", ")})`;
const ROW_LINES = `events.sequence || ' ' || hex(leaf) || ' ' || hex(hash) || char(10) || ${COLUMNS_JSON} || char(10) || ifnull('+' || body, '-')`;
const LINES = 3;
/** In one value. No row that we write has as many. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What a row takes in it, at least: whoever writes the tables can make any of it as long as they like. */
const ROW_BYTES = [
  "2 * octet_length(leaf) + 2 * octet_length(hash)",
  ...["body", ...COLUMN_NAMES].map((name) => `ifnull(octet_length(${name}), 0)`),
].join(" + ");

/** Of an event that was taken out, in the place of its body: no line of ours has it. */
const TAKEN_OUT = "\0";
/** As most pages are: each row is short enough that all of them are, and its hashes are hashes. Read by range, in one go. */
const LIGHT_PAGE = `SELECT count(*), sum(isLight), min(sequence), max(sequence),
    CAST(group_concat(CASE WHEN isLight THEN ifnull(body, char(0)) END, char(10)) AS BLOB),
    CAST(group_concat(CASE WHEN isLight THEN ${COLUMNS_JSON} END, ',') AS BLOB),
    CAST(group_concat(CASE WHEN isLight THEN leaf || hash END, '') AS BLOB)
  FROM (SELECT events.sequence, body, leaf, hash, ${COLUMN_NAMES.join(", ")},
      octet_length(leaf) = ${HASH_BYTES} AND octet_length(hash) = ${HASH_BYTES} AND ${ROW_BYTES} <= ? AS isLight
    FROM events LEFT JOIN event_columns USING (sequence) WHERE events.sequence >= ? ORDER BY events.sequence LIMIT ?)`;

/** Rows from a sequence on, in the order of the chain. */
export function readLogRows(db: Database, from: number, limit: number): LogRow[] {
  if (limit < 1) return [];
  return readLightPage(db, from, limit) ?? readAnyPage(db, from, limit);
}

/** Nothing where something in it is not what we write, or long, or an event is missing. */
function readLightPage(db: Database, from: number, limit: number): LogRow[] | undefined {
  const values = [Math.floor(MAX_BYTES / limit), from, limit];
  const [[counted, light, first, last, bytes, known, hashes] = []] = db.all(LIGHT_PAGE, values);
  const count = Number(counted);
  if (count === 0) return [];
  if (light !== counted || Number(last) - Number(first) + 1 !== count) return undefined;
  if (!Buffer.isBuffer(bytes) || !Buffer.isBuffer(known) || !Buffer.isBuffer(hashes)) return undefined;
  const bodies = toTextLines(bytes);
  if (bodies?.length !== count || hashes.length !== count * 2 * HASH_BYTES || !isUtf8(known))
    return undefined;
  const columns = parseList(`[${known.toString(isAscii(known) ? "latin1" : "utf8")}]`);
  return bodies.map((body, index) => {
    const at = index * 2 * HASH_BYTES;
    const row = columns[index];
    return {
      sequence: Number(first) + index,
      body: body === TAKEN_OUT ? undefined : body,
      leaf: hashes.subarray(at, at + HASH_BYTES),
      hash: hashes.subarray(at + HASH_BYTES, at + 2 * HASH_BYTES),
      columns: toLogColumns(Array.isArray(row) ? row : []),
    };
  });
}

/** Nothing where it is no text. */
export function toTextLines(bytes: Buffer): string[] | undefined {
  // Twice as fast, and most are.
  if (isAscii(bytes)) return bytes.toString("latin1").split("\n");
  return isUtf8(bytes) ? bytes.toString("utf8").split("\n") : undefined;
}

function readAnyPage(db: Database, from: number, limit: number): LogRow[] {
  const which = "SELECT sequence FROM events WHERE sequence >= ? ORDER BY sequence LIMIT ?";
  const isHeavy = weigh(db, which, [from, limit]) > MAX_BYTES;
  if (isHeavy && limit === 1) return readHeavy(db, which, [from, limit]);
  if (isHeavy) {
    const first = readAnyPage(db, from, Math.ceil(limit / 2));
    const next = (first.at(-1)?.sequence ?? from) + 1;
    return [...first, ...readAnyPage(db, next, Math.floor(limit / 2))];
  }
  return readTogether(db, which, [from, limit]) ?? readOneByOne(db, which, [from, limit]);
}

/** Those of these sequences, in their order. */
export function readRowsOf(db: Database, sequences: readonly number[]): LogRow[] {
  const which = "SELECT value FROM json_each(?)";
  const values = [JSON.stringify(sequences)];
  if (weigh(db, which, values) > MAX_BYTES) {
    const half = Math.ceil(sequences.length / 2);
    if (half === sequences.length) return readHeavy(db, which, values);
    return [...readRowsOf(db, sequences.slice(0, half)), ...readRowsOf(db, sequences.slice(half))];
  }
  const rows = readTogether(db, which, values) ?? readOneByOne(db, which, values);
  const places = new Map(sequences.map((sequence, place) => [sequence, place]));
  return rows.sort((a, b) => (places.get(a.sequence) ?? 0) - (places.get(b.sequence) ?? 0));
}

function weigh(db: Database, which: string, values: readonly Value[]): number {
  const [[bytes] = []] = db.all(
    `SELECT sum(${ROW_BYTES}) FROM events LEFT JOIN event_columns USING (sequence) WHERE events.sequence IN (${which})`,
    values,
  );
  return Number(bytes);
}

/** A row that is too much to be read: what stands in the place of what we write says that it is not that. */
function readHeavy(db: Database, which: string, values: readonly Value[]): LogRow[] {
  const hashOf = (name: string) => `CASE octet_length(${name}) WHEN 32 THEN ${name} END`;
  return db
    .all(
      `SELECT sequence, CASE WHEN octet_length(body) > ${MAX_BYTES} THEN char(0) ELSE CAST(body AS BLOB) END,
         ${hashOf("leaf")}, ${hashOf("hash")} FROM events WHERE sequence IN (${which})`,
      values,
    )
    .map(([sequence, body, leaf, hash]) => ({
      sequence: Number(sequence),
      body: toText(body) ?? undefined,
      leaf: toBytes(leaf),
      hash: toBytes(hash),
      columns: { ...NO_COLUMNS, id: NO_TEXT },
    }));
}

/** Nothing where something in them is not what we write: then each is looked at by itself. */
function readTogether(db: Database, which: string, values: readonly Value[]): LogRow[] | undefined {
  const [[count, bytes] = []] = db.all(
    `SELECT count(*), CAST(group_concat(line, char(10)) AS BLOB) FROM (
      SELECT ${ROW_LINES} AS line FROM events LEFT JOIN event_columns USING (sequence)
      WHERE events.sequence IN (${which}) ORDER BY events.sequence)`,
    values,
  );
  if (count === 0) return [];
  const lines = Buffer.isBuffer(bytes) ? toTextLines(bytes) : undefined;
  if (lines?.length !== Number(count) * LINES) return undefined;
  const rows: LogRow[] = [];
  for (let index = 0; index < lines.length; index += LINES) {
    const [sequence = "", leaf = "", hash = ""] = lines[index]?.split(" ") ?? [];
    const body = lines[index + 2] ?? "-";
    rows.push({
      sequence: Number(sequence),
      body: body.startsWith("+") ? body.slice(1) : undefined,
      leaf: Buffer.from(leaf, "hex"),
      hash: Buffer.from(hash, "hex"),
      columns: toLogColumns(parseList(lines[index + 1] ?? "")),
    });
  }
  return rows;
}

function readOneByOne(db: Database, which: string, values: readonly Value[]): LogRow[] {
  const sequences = db.all(
    `SELECT sequence FROM events WHERE sequence IN (${which}) ORDER BY sequence`,
    values,
  );
  return sequences.flatMap(([sequence]) =>
    db
      .all(
        `SELECT sequence, CAST(body AS BLOB), leaf, hash, CAST(${COLUMNS_JSON} AS BLOB)
         FROM events LEFT JOIN event_columns USING (sequence) WHERE events.sequence = ?`,
        [Number(sequence)],
      )
      .map(toSingleRow),
  );
}

function toSingleRow([sequence, body, leaf, hash, columns]: unknown[]): LogRow {
  const known = toLogColumns(parseList(Buffer.from(toBytes(columns)).toString("utf8")));
  return {
    sequence: Number(sequence),
    body: toText(body) ?? undefined,
    leaf: toBytes(leaf),
    hash: toBytes(hash),
    columns: isText(columns) ? known : { ...known, id: `${known.id}${NO_TEXT}` },
  };
}

/** From a database whose texts are texts in any case. */
export function toLogRow([sequence, body, leaf, hash, ...columns]: unknown[]): LogRow {
  return {
    sequence: Number(sequence),
    body: toColumn(body) ?? undefined,
    leaf: toBytes(leaf),
    hash: toBytes(hash),
    columns: toLogColumns(columns),
  };
}

function parseList(json: string): unknown[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value : [];
}

function toLogColumns(values: readonly unknown[]): LogColumns {
  const [id, at, action, outcome, session, principal, client, run, call, server, tool, risk] = values;
  if (id === null || id === undefined) return NO_COLUMNS;
  return {
    id: String(id),
    at: Number(at),
    action: String(action),
    outcome: String(outcome),
    session: toColumn(session),
    principal: toColumn(principal),
    client: toColumn(client),
    run: toColumn(run),
    call: toColumn(call),
    server: toColumn(server),
    tool: toColumn(tool),
    risk: typeof risk === "number" ? risk : null,
  };
}

function toColumn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What is longer than what we write is not that, however long it is. */
const toShort = (column: string) => `substr(CAST(${column} AS BLOB), 1, 256)`;

export const CHECKPOINT_COLUMNS = `sequence, first, at, ${["hash", "root", "key", "signature"].map(toShort).join(", ")}`;

export function toCheckpoint([sequence, first, at, hash, root, key, signature]: unknown[]): Checkpoint {
  return {
    sequence: Number(sequence),
    first: Number(first),
    at: Number(at),
    hash: toBytes(hash),
    root: toBytes(root),
    key: toText(key) ?? "",
    signature: toBytes(signature),
  };
}

export const KEY_COLUMNS = `${toShort("key")}, ${toShort("public_key")}, since, ${toShort("previous")}, ${toShort("endorsement")}`;

export function toKeyRow([key, publicKey, since, previous, endorsement]: unknown[]): KeyRow {
  return {
    key: toText(key) ?? "",
    publicKey: toBytes(publicKey),
    since: Number(since),
    previous: toText(previous),
    endorsement: endorsement instanceof Uint8Array ? endorsement : null,
  };
}

export const SPOOL_COLUMNS =
  "CAST(spool AS BLOB), bytes, proof, sequence, (SELECT hash FROM events WHERE events.sequence = spools.sequence)";

export function toTakenSpool([spool, bytes, proof, sequence, hash]: unknown[]): TakenSpool {
  const end = { sequence: Number(sequence), hash: toBytes(hash) };
  return { spool: toText(spool) ?? "", bytes: Number(bytes), end, proof: toBytes(proof) };
}

/** At the end of a text that was none: nothing that we write has it, so it is not mistaken for what it was. */
const NO_TEXT = "\0";

function isText(value: unknown): boolean {
  return value instanceof Uint8Array && isUtf8(value);
}

function toText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!(value instanceof Uint8Array)) return null;
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  return isUtf8(value) ? text : `${text}${NO_TEXT}`;
}

export function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
