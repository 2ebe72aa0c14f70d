import type { Database } from "../../store/database/sqlite.ts";
import { isRecord } from "../../text/is-record.ts";
import {
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalScope,
  type ApprovalStatus,
  type GivenAnswer,
} from "./approval.ts";

/** To be called in a transaction, or alone. What was written here is read by other processes of the same user. */
export type ApprovalTable = {
  add(db: Database, approval: NewApproval): void;
  /** Whether it was still open: the first answer holds. */
  settle(db: Database, id: string, status: Exclude<ApprovalStatus, "pending">, answer?: GivenAnswer): boolean;
  read(db: Database, id: string): Approval | undefined;
  /** The oldest first, a page at a time. */
  list(db: Database, filter: ApprovalFilter, after?: ApprovalPage["last"]): ApprovalPage;
  listPendingIds(db: Database): Set<string>;
  /** Those whose time is over, a page at a time. They are settled one by one, by whoever is first. */
  listExpired(db: Database, now: number, after?: ApprovalPage["last"]): ApprovalPage;
};

export type NewApproval = Omit<Approval, "status" | "answer">;

export type ApprovalFilter = {
  readonly status?: ApprovalStatus;
  readonly runId?: string;
  readonly session?: string;
  /** Of answered ones. */
  readonly scope?: ApprovalScope;
};

export type ApprovalPage = {
  readonly found: readonly Approval[];
  /** After which the next page begins; nothing where this is the last. */
  readonly last?: number | undefined;
};

/** That a row was written by this user's Keyhole: whoever can write in the project's folder could write one as well. */
export type Prove = (text: string) => string;

type Row = readonly unknown[];

const COLUMNS = "id, run, session, principal, request, created_at, expires_at, status, answer";
const PAGE_ROWS = 200;

export function createApprovalTable(prove: Prove): ApprovalTable {
  const toProof = (row: Row) => prove(JSON.stringify(row));

  function readPage(
    db: Database,
    where: string,
    values: readonly (string | number)[],
    after = 0,
  ): ApprovalPage {
    const sql = `SELECT ${COLUMNS}, proof, number FROM approvals WHERE ${where} AND number > ? ORDER BY number LIMIT ${PAGE_ROWS}`;
    const rows = db.all(sql, [...values, after]);
    const found = rows.map((row) => {
      const known = row.slice(0, -2);
      return toApproval(known, row.at(-2) === toProof(known));
    });
    return { found, last: rows.length < PAGE_ROWS ? undefined : Number(rows.at(-1)?.at(-1)) };
  }

  return {
    add(db, { id, runId, session, principal, calls, about, createdAt, expiresAt }) {
      const request = JSON.stringify({ calls, about });
      const row = [id, runId, session, principal, request, createdAt, expiresAt, "pending", null];
      db.run(
        `INSERT INTO approvals (${COLUMNS}, proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        [...row, toProof(row)],
      );
    },
    settle(db, id, status, answer) {
      const [row] = db.all(`SELECT ${COLUMNS}, proof FROM approvals WHERE id = ? AND status = 'pending'`, [
        id,
      ]);
      if (row === undefined || row.at(-1) !== toProof(row.slice(0, -1))) return false;
      const text = answer === undefined ? null : JSON.stringify(answer);
      const proof = toProof([...row.slice(0, -3), status, text]);
      const sql =
        "UPDATE approvals SET status = ?, answer = ?, proof = ? WHERE id = ? AND status = 'pending'";
      return db.run(sql, [status, text, proof, id]) > 0;
    },
    read: (db, id) => readPage(db, "id = ?", [id]).found[0],
    list(db, { status, runId, session, scope }, after) {
      const wanted = [
        ["status = ?", status],
        ["run = ?", runId],
        ["session = ?", session],
        ["CASE WHEN json_valid(answer) THEN json_extract(answer, '$.scope') END = ?", scope],
      ].filter((pair): pair is [string, string] => pair[1] !== undefined);
      const where = wanted.length === 0 ? "1" : wanted.map(([sql]) => sql).join(" AND ");
      const values = wanted.map(([, value]) => value);
      const { found, last } = readPage(db, where, values, after);
      return { found: found.filter((approval) => status === undefined || approval.status === status), last };
    },
    listPendingIds: (db) =>
      new Set(db.all("SELECT id FROM approvals WHERE status = 'pending'").map(([id]) => String(id))),
    listExpired: (db, now, after) => readPage(db, "status = 'pending' AND expires_at <= ?", [now], after),
  };
}

/** One without its proof was not asked by us, or not answered by a person: nobody needs an answer to it. */
function toApproval(row: Row, isProven: boolean): Approval {
  const [id, runId, session, principal, request, createdAt, expiresAt, status, answer] = row;
  const known = {
    id: String(id),
    runId: String(runId),
    session: String(session),
    principal: String(principal),
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
  };
  if (!isProven) return { ...known, status: "withdrawn", calls: [], about: UNKNOWN };
  const { calls, about } = JSON.parse(String(request)) as Pick<Approval, "calls" | "about">;
  const given: unknown = answer === null ? undefined : JSON.parse(String(answer));
  return {
    ...known,
    status: APPROVAL_STATUSES.find((one) => one === status) ?? "withdrawn",
    calls,
    about,
    ...(isRecord(given) ? { answer: given as GivenAnswer } : {}),
  };
}

const UNKNOWN: Approval["about"] = { written: [], approvedBefore: [] };
