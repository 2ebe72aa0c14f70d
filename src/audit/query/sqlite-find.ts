import type { Database } from "../../store/database/sqlite.ts";
import type { BodyPage, EventPage, PageRequest } from "../log/log-store.ts";
import { readRowsOf, toTextLines } from "../log/sqlite-rows.ts";
import { SQLITE_DIALECT, toCondition } from "./condition.ts";
import type { LogFilter } from "./filter.ts";

/** A page of events, by the narrow table: whoever is asked for often has an index there. */
export function findInSqlite(db: Database, filter: LogFilter, page: PageRequest): EventPage {
  const { sql, values } = toCondition(filter, page, SQLITE_DIALECT);
  const order = page.order === "newest" ? "DESC" : "ASC";
  const found = db
    .all(
      `SELECT sequence FROM event_columns CROSS JOIN events USING (sequence) WHERE ${sql} ORDER BY sequence ${order} LIMIT ?`,
      [...values, page.limit + 1],
    )
    .map(([sequence]) => Number(sequence));
  const shown = found.slice(0, page.limit);
  const rows = readRowsOf(db, shown);
  const last = shown.at(-1);
  return found.length > page.limit && last !== undefined ? { rows, next: last } : { rows };
}

/** So many bytes are read as one value; a longer page is read row by row. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The bodies of a page as one value: for reports, which read all of a log. */
export function findBodiesInSqlite(
  db: Database,
  filter: LogFilter,
  page: Omit<PageRequest, "order">,
): BodyPage {
  const { sql, values } = toCondition(filter, { ...page, order: "oldest" }, SQLITE_DIALECT);
  const rows = `SELECT sequence, body FROM event_columns CROSS JOIN events USING (sequence) WHERE ${sql} ORDER BY sequence LIMIT ?`;
  const [[count, last, size, bytes] = []] = db.all(
    `SELECT count(*), max(sequence), sum(octet_length(body)), CASE WHEN sum(octet_length(body)) < ${MAX_BYTES} THEN CAST(group_concat(sequence || char(10) || body, char(10)) AS BLOB) END FROM (${rows})`,
    [...values, page.limit],
  );
  if (Number(count) === 0) return { rows: [] };
  const lines = (Buffer.isBuffer(bytes) ? toTextLines(bytes) : undefined) ?? [];
  // A body that has lines of its own, or is no text, was written by others: each is looked at by itself.
  if (Number(size) >= MAX_BYTES || lines.length !== 2 * Number(count)) {
    const { rows: found, next } = findInSqlite(db, filter, { ...page, order: "oldest" });
    return { rows: found, ...(next !== undefined && { next }) };
  }
  const found = [];
  for (let index = 0; index < lines.length; index += 2)
    found.push({ sequence: Number(lines[index]), body: lines[index + 1] });
  return { rows: found, ...(Number(count) === page.limit && { next: Number(last) }) };
}
