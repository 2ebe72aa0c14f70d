import type { Database } from "../../store/database/sqlite.ts";
import { isBusy } from "../../store/database/store-error.ts";

/**
 * A transaction that is begun when it is first needed and ends with the turn of the event loop in which it was, at the latest:
 * whoever gives numbers in it gives none that another process gives. All who use a connection share it.
 */
export type TurnTransaction = {
  /** Begins it, or joins in. Waits for other processes on this thread: theirs are short. */
  begin(who: TurnMember): void;
  isOpen(): boolean;
  /** Ends it if it has begun. What failed for somebody fails here, once. */
  end(who: TurnMember): void;
};

export type TurnMember = {
  onBegin(): void;
  /** Before it is committed. */
  onEnd(): void;
  /** None of it counts. */
  onFailure(): void;
};

const WAIT_MS = 1;
const PATIENCE_MS = 5_000;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

export function createTurnTransaction(db: Database): TurnTransaction {
  const failures = new Map<TurnMember, unknown>();
  let members: Set<TurnMember> | undefined;

  function fail(error: unknown): void {
    rollBack(db);
    for (const member of members ?? []) failures.set(member, error);
    const failed = members ?? [];
    members = undefined;
    for (const member of failed) member.onFailure();
  }

  function end(): void {
    if (members === undefined) return;
    try {
      db.assertInPlace();
      for (const member of members) member.onEnd();
      db.exec("COMMIT");
      members = undefined;
    } catch (error) {
      fail(error);
    }
  }

  return {
    begin(who) {
      if (members?.has(who)) return;
      if (members === undefined) {
        beginInTurn(db);
        members = new Set();
        queueMicrotask(end);
      }
      members.add(who);
      try {
        who.onBegin();
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    isOpen: () => members !== undefined,
    end(who) {
      end();
      if (!failures.has(who)) return;
      const error = failures.get(who);
      failures.delete(who);
      throw error;
    },
  };
}

function beginInTurn(db: Database): void {
  for (const start = performance.now(); ; Atomics.wait(NEVER, 0, 0, WAIT_MS)) {
    try {
      db.exec("BEGIN IMMEDIATE");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > PATIENCE_MS) throw error;
    }
  }
}

/** Some failures have ended it already. */
function rollBack(db: Database): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // There is none any more.
  }
}
