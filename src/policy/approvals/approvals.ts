import { KeyholeError } from "../../errors.ts";
import { followAbort, unfollowAbort } from "../../mcp/on-abort.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import {
  type About,
  type Approval,
  type ApprovalAnswer,
  type ApprovalStatus,
  type GivenAnswer,
  MAX_NAMED_TOOLS,
  type PendingCall,
  scopesOf,
} from "./approval.ts";
import { type ApprovalFilter, createApprovalTable, type Prove } from "./approval-table.ts";

/** Questions to people, and their answers, in the project's database: asked by one process, answered in any. */
export type Approvals = {
  /** On the disk when it returns. */
  open(request: OpenedApproval): Promise<Approval>;
  /** Returns when it is answered, expired or withdrawn, or when the signal says that nobody waits any more: then as it is. */
  settled(id: string, signal: AbortSignal): Promise<Approval>;
  /** The oldest first, all of them. */
  list(filter?: ApprovalFilter): Promise<Approval[]>;
  /** The same, some at a time. */
  pages(filter?: ApprovalFilter): AsyncIterable<readonly Approval[]>;
  get(id: string): Promise<Approval | undefined>;
  /** Is another one once any question may have changed, by this process or another. */
  version(): Promise<string>;
  /** The first answer holds: a later one fails, and so does one after its time. */
  answer(id: string, answer: ApprovalAnswer, by: string): Promise<Approval>;
  /** Nobody needs an answer any more. */
  withdraw(id: string): Promise<void>;
  close(): void;
};

export type OpenedApproval = {
  readonly id: string;
  readonly runId: string;
  readonly session: string;
  readonly principal: string;
  readonly calls: readonly PendingCall[];
  readonly about: About;
};

export type ApprovalsOptions = {
  database(): Promise<Database>;
  readonly expiresMs: number;
  /** What becomes of a question that nobody answered in time. */
  readonly onExpiry: "deny" | "approve";
  readonly prove: Prove;
  readonly command: KeyholeCommand;
  readonly misfitOf?: MisfitOf | undefined;
  readonly listener?: ApprovalListener | undefined;
};

/** Is told in the transaction by which it comes to hold: what it throws keeps it from that. */
export type ApprovalListener = {
  onAsked(approval: Approval): void;
  onSettled(approval: Approval, status: Exclude<ApprovalStatus, "pending">, answer?: GivenAnswer): void;
};

/** Why other arguments are none that the tool of a call takes; nothing where that can't be told. */
export type MisfitOf = (call: PendingCall, args: PendingCall["args"]) => Promise<string | undefined>;

/** How often answers of other processes are looked for, while somebody waits for one. */
const LOOK_MS = 200;

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { database, expiresMs, onExpiry, prove, command, misfitOf, listener } = options;
  const table = createApprovalTable(prove);
  /** Whoever waits, by the question. */
  const waiting = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let version = -1;
  /** Of this process: others' are told by the database. */
  let writes = 0;

  async function inDatabase<T>(work: (db: Database) => T): Promise<T> {
    const db = await database();
    return whenFree(() => work(db));
  }

  const settle: typeof table.settle = (db, id, status, answer) => {
    writes++;
    if (listener === undefined) return table.settle(db, id, status, answer);
    return db.transaction(() => {
      const approval = table.read(db, id);
      const isFirst = table.settle(db, id, status, answer);
      if (isFirst && approval !== undefined) listener.onSettled(approval, status, answer);
      return isFirst;
    });
  };

  const othersVersion = (db: Database) => Number(db.all("PRAGMA data_version")[0]?.[0] ?? 0);

  function wake(id: string): void {
    for (const look of waiting.get(id) ?? []) look();
  }

  /** Answers come by the database, also those that this process gave. */
  async function look(): Promise<void> {
    const db = await database();
    await whenFree(() => settleExpired(db));
    const now = othersVersion(db);
    if (now === version) return;
    version = now;
    const pending = await whenFree(() => table.listPendingIds(db));
    for (const id of waiting.keys()) if (!pending.has(id)) wake(id);
  }

  function settleExpired(db: Database): void {
    const at = Date.now();
    let page = table.listExpired(db, at);
    for (; ; page = table.listExpired(db, at, page.last)) {
      for (const { id, calls } of page.found) {
        // What may have been done already is done again by the word of a person only.
        const isApproved = onExpiry === "approve" && calls.every(({ repeat }) => repeat === undefined);
        const expired = isApproved
          ? settle(db, id, "approved", { decision: "approve", scope: "once", by: "expiry", at })
          : settle(db, id, "expired");
        if (expired) wake(id);
      }
      if (page.last === undefined) return;
    }
  }

  async function* pages(filter: ApprovalFilter = {}): AsyncGenerator<readonly Approval[]> {
    await inDatabase(settleExpired);
    let last: number | undefined;
    do {
      const page = await inDatabase((db) => table.list(db, filter, last));
      yield page.found;
      last = page.last;
    } while (last !== undefined);
  }

  function lookOn(): void {
    if (waiting.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    // A look that fails is made again; whoever waits goes on waiting, within its own limits.
    timer ??= setInterval(() => void look().catch(() => {}), LOOK_MS);
  }

  async function get(id: string): Promise<Approval | undefined> {
    return inDatabase((db) => {
      settleExpired(db);
      return table.read(db, id);
    });
  }

  async function known(id: string): Promise<Approval> {
    const found = await get(id);
    if (found) return found;
    throw new KeyholeError("usage", `There is no approval "${id}"`, {
      hint: `${command("approvals list")} shows those there are`,
    });
  }

  return {
    async open(request) {
      const createdAt = Date.now();
      const approval = { ...request, createdAt, expiresAt: createdAt + expiresMs };
      await inDatabase((db) => {
        writes++;
        if (listener === undefined) return table.add(db, approval);
        db.transaction(() => {
          table.add(db, approval);
          listener.onAsked({ ...approval, status: "pending" });
        });
      });
      return { ...approval, status: "pending" };
    },
    async settled(id, signal) {
      const others = waiting.get(id) ?? new Set();
      waiting.set(id, others);
      let look = () => {};
      try {
        for (;;) {
          const changed = new Promise<void>((resolve) => {
            look = resolve;
            others.add(look);
            followAbort(signal, look);
          });
          lookOn();
          const approval = await known(id);
          if (approval.status !== "pending" || signal.aborted) return approval;
          await changed;
          others.delete(look);
          unfollowAbort(signal, look);
        }
      } finally {
        others.delete(look);
        unfollowAbort(signal, look);
        if (others.size === 0) waiting.delete(id);
        lookOn();
      }
    },
    async list(filter) {
      const found: Approval[] = [];
      for await (const page of pages(filter)) found.push(...page);
      return found;
    },
    pages,
    get,
    version: () =>
      inDatabase((db) => {
        settleExpired(db);
        return `${writes} ${othersVersion(db)}`;
      }),
    async answer(id, answer, by) {
      const approval = await known(id);
      await assertEdits(approval, answer, misfitOf);
      assertScope(approval, answer);
      const status = answer.decision === "approve" ? "approved" : "denied";
      const given = { ...answer, by, at: Date.now() };
      const isFirst = await inDatabase((db) => {
        settleExpired(db);
        return settle(db, id, status, given);
      });
      const now = await known(id);
      if (!isFirst) throw alreadySettled(now, command);
      wake(id);
      return now;
    },
    async withdraw(id) {
      await inDatabase((db) => settle(db, id, "withdrawn"));
      wake(id);
    },
    close() {
      clearInterval(timer);
    },
  };
}

/** They are the whole arguments of a call, and ones that its tool takes: otherwise the call would fail in the midst of the run. */
async function assertEdits(
  { id, status, calls }: Approval,
  answer: ApprovalAnswer,
  misfitOf: MisfitOf | undefined,
): Promise<void> {
  if (answer.decision !== "approve") return;
  for (const [number, args] of Object.entries(answer.edits ?? {})) {
    const call = calls.find((one) => String(one.number) === number);
    if (call === undefined)
      throw new KeyholeError("usage", `Approval "${id}" has no call ${number}`, {
        hint: `It has ${calls.map((one) => one.number).join(", ")}`,
      });
    const misfit = status === "pending" ? await misfitOf?.(call, args) : undefined;
    if (misfit !== undefined)
      throw new KeyholeError(
        "usage",
        `The arguments for call ${number} are none that "${call.tool}" of server "${call.server}" takes: ${misfit}`,
        { hint: "Give all arguments of the call: they take the place of those it has" },
      );
  }
}

/**
 * A session that others than the client who asked are in, too, can't be meant by whoever answers; nor tools that no question would
 * have room to name.
 */
function assertScope(approval: Approval, answer: ApprovalAnswer): void {
  if (answer.decision !== "approve" || answer.scope === "always") return;
  const scopes = scopesOf(approval);
  if (scopes.includes(answer.scope)) return;
  const { id } = approval;
  if (!scopes.includes("run"))
    throw new KeyholeError("usage", `Approval "${id}" can only be approved once: it has too many tools`, {
      hint: `For more than the calls themselves, a question may have ${MAX_NAMED_TOOLS} tools`,
    });
  throw new KeyholeError(
    "usage",
    `Approval "${id}" can't be for a session: its program was run without one`,
    {
      hint: "Approve it for the run, or always, which writes a rule that you see before",
    },
  );
}

function alreadySettled({ id, status, answer }: Approval, command: KeyholeCommand): KeyholeError {
  const by = answer === undefined ? "" : ` by ${answer.by}`;
  return new KeyholeError("usage", `Approval "${id}" is ${status} already${by}`, {
    hint:
      status === "expired"
        ? "It counts as denied. Once its run has ended, the program asks anew when it is run again"
        : `${command(`approvals show ${id}`)} tells how it was answered`,
  });
}
