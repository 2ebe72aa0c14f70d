import { hash } from "node:crypto";
import { randomId } from "../../text/random-id.ts";
import type { AuditEvent } from "../event.ts";
import { toLeaf } from "./chain.ts";
import { parseColumns } from "./columns.ts";
import type { LogColumns, LogRow } from "./log-store.ts";

const NEW_LINE = 0x0a;

/** An event before it has a place in the chain. */
export type LooseRow = Omit<LogRow, "sequence" | "hash">;

export type SpoolPiece = {
  readonly rows: readonly LooseRow[];
  /** How many bytes of the piece are in the rows. */
  readonly bytes: number;
};

/**
 * The whole lines of a piece of a spool, at most so many. A line that is no event stands in the log as that, with its hash: it
 * must not hold up those behind it. One that fills the whole piece is no event either.
 */
export function parseSpoolPiece(
  piece: Uint8Array,
  { spool, maxRows, maxBytes, at }: { spool: string; maxRows: number; maxBytes: number; at: number },
): SpoolPiece {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  const rows: LooseRow[] = [];
  let start = 0;
  while (rows.length < maxRows) {
    const end = bytes.indexOf(NEW_LINE, start);
    if (end < 0) break;
    rows.push(parseLine(bytes.subarray(start, end), spool, at));
    start = end + 1;
  }
  if (start === 0 && bytes.length >= maxBytes)
    return { rows: [toUnreadable(bytes, spool, at)], bytes: bytes.length };
  return { rows, bytes: start };
}

function parseLine(line: Buffer, spool: string, at: number): LooseRow {
  const body = line.toString("utf8");
  const columns = isWhole(body, line) ? parseColumns(body) : undefined;
  return columns === undefined ? toUnreadable(line, spool, at) : { body, leaf: toLeaf(body), columns };
}

/** Bytes that are no UTF-8, and zeros, would not come out of a database as they went in. */
function isWhole(text: string, line: Buffer): boolean {
  return !text.includes("\0") && (!text.includes("\ufffd") || Buffer.from(text, "utf8").equals(line));
}

function toUnreadable(line: Buffer, spool: string, at: number): LooseRow {
  const details = { spool, bytes: line.length, hash: hash("sha256", line, "hex") };
  return toLooseRow({ id: randomId("e"), at, action: "audit.unreadable", outcome: "failed", details });
}

/** Of an event that the log itself writes. */
export function toLooseRow(event: AuditEvent): LooseRow {
  const body = JSON.stringify(event);
  return { body, leaf: toLeaf(body), columns: toOwnColumns(body) };
}

function toOwnColumns(body: string): LogColumns {
  const columns = parseColumns(body);
  if (columns === undefined) throw new TypeError("An event of the log's own is not one");
  return columns;
}
