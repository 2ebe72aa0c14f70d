import type { Database } from "../../store/database/sqlite.ts";
import { isRecord } from "../../text/is-record.ts";
import { APPROVAL_STATUSES, type Approval, type ApprovalStatus, type GivenAnswer } from "./approval.ts";

/** To be called in a transaction, or alone. What was written here is read by other processes of the same user. */

export type NewApproval = Omit<Approval, "status" | "answer">;

const COLUMNS = "id, run, session, principal, status, request, created_at, expires_at, answer";

export function addApproval(db: Database, approval: NewApproval): void {
  const { id, runId, session, principal, calls, about, createdAt, expiresAt } = approval;
  db.run(
    `INSERT INTO approvals (${COLUMNS}) VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, NULL) ON CONFLICT (id) DO NOTHING`,
    [id, runId, session, principal, JSON.stringify({ calls, about }), createdAt, expiresAt],
  );
}

/** Whether it was still open: the first answer holds. */
export function settleApproval(
  db: Database,
  id: string,
  status: Exclude<ApprovalStatus, "pending">,
  answer?: GivenAnswer,
): boolean {
  const text = answer === undefined ? null : JSON.stringify(answer);
  const changed = db.run("UPDATE approvals SET status = ?, answer = ? WHERE id = ? AND status = 'pending'", [
    status,
    text,
    id,
  ]);
  return changed > 0;
}

export function readApproval(db: Database, id: string): Approval | undefined {
  return readAll(db, "id = ?", [id])[0];
}

export type ApprovalFilter = {
  readonly status?: ApprovalStatus;
  readonly runId?: string;
  readonly session?: string;
};

const MAX_LISTED = 1_000;

/** The oldest first. */
export function listApprovals(db: Database, { status, runId, session }: ApprovalFilter): Approval[] {
  const wanted = [
    ["status = ?", status],
    ["run = ?", runId],
    ["session = ?", session],
  ].filter((pair): pair is [string, string] => pair[1] !== undefined);
  const where = wanted.length === 0 ? "1" : wanted.map(([sql]) => sql).join(" AND ");
  return readAll(
    db,
    where,
    wanted.map(([, value]) => value),
  );
}

export function listPendingIds(db: Database): Set<string> {
  return new Set(db.all("SELECT id FROM approvals WHERE status = 'pending'").map(([id]) => String(id)));
}

/** Those whose time is over. They are settled one by one, by whoever is first. */
export function listExpired(db: Database, now: number): Approval[] {
  return readAll(db, "status = 'pending' AND expires_at <= ?", [now]);
}

function readAll(db: Database, where: string, values: readonly (string | number)[]): Approval[] {
  const sql = `SELECT ${COLUMNS} FROM approvals WHERE ${where} ORDER BY number LIMIT ${MAX_LISTED}`;
  return db.all(sql, values).map(toApproval);
}

function toApproval(row: readonly unknown[]): Approval {
  const [id, runId, session, principal, status, request, createdAt, expiresAt, answer] = row;
  const { calls, about } = JSON.parse(String(request)) as Pick<Approval, "calls" | "about">;
  const given: unknown = answer === null ? undefined : JSON.parse(String(answer));
  return {
    id: String(id),
    runId: String(runId),
    session: String(session),
    principal: String(principal),
    status: APPROVAL_STATUSES.find((known) => known === status) ?? "withdrawn",
    calls,
    about,
    createdAt: Number(createdAt),
    expiresAt: Number(expiresAt),
    ...(isRecord(given) ? { answer: given as GivenAnswer } : {}),
  };
}
