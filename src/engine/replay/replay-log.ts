import { toErrorCode } from "../../errors.ts";
import { isTierReason } from "../../result/receipt.ts";
import type { Happening } from "../../sandbox/sandbox.ts";
import type { Database } from "../../store/database/sqlite.ts";
import { whenFree } from "../../store/database/when-free.ts";
import { createGroupCommit } from "../journal/group-commit.ts";
import { forgetReplay } from "../journal/left-runs.ts";
import { makeRoom } from "../journal/retention.ts";
import type { WriteEffect } from "./ledger-entry.ts";
import type { CallIdentity, ReplayedCall, ReplayedOutcome, ReplayRun, ReplayStart } from "./replay-run.ts";

/** Where the way of programs is kept that may have to go it again. What can't be written is an error: then nothing is done. */
export type ReplayLog = {
  /** How much more can be kept. For it, runs are ended that others left, the longest left first; which, is told. */
  makeRoom(): Promise<{ readonly leftBytes: number; readonly expired: readonly string[] }>;
  /** @param folderBytes what the copy of its workspace takes */
  begin(run: ReplayStart, folderBytes?: number): Promise<void>;
  /** What happened to a program; written with what it does next. */
  happened(run: string, news: readonly Happening[]): void;
  /** Returns when all of that is on the disk. */
  committed(): Promise<void>;
  /** On the disk before the call leaves. */
  sent(run: string, call: CallIdentity): Promise<void>;
  /** On the disk before the program hears of it. */
  ended(run: string, call: CallIdentity, end: CallEnd): Promise<void>;
  /** From here on it can't go on from its record. */
  obstacle(run: string, reason: string): Promise<void>;
  read(run: string): Promise<ReplayRun | undefined>;
  has(run: string): Promise<boolean>;
  /** Those of a program that did not come to their end, the latest first. */
  find(principal: string, programHash: string): Promise<string[]>;
  /** It has come to its end, or nobody wants it any more. */
  forget(run: string): Promise<void>;
  close(): Promise<void>;
};

export type CallEnd = {
  readonly isWrite: boolean;
  readonly effect: WriteEffect;
  readonly outcome: ReplayedOutcome;
};

type Entry = (db: Database) => void;

const ENTRY_BYTES = 300;

export type ReplayLogOptions = {
  /** What may be kept for all runs together, the copies of their workspaces included. */
  readonly maxBytes?: number;
  onWritten?(db: Database, bytes: number): void;
};

export function openReplayLog(
  open: () => Promise<Database>,
  { maxBytes = Number.POSITIVE_INFINITY, onWritten = () => {} }: ReplayLogOptions = {},
): ReplayLog {
  const group = createGroupCommit<Entry>({
    open,
    write(db, entries) {
      for (const entry of entries) entry(db);
    },
    onWritten: (db, _entries, bytes) => onWritten(db, bytes),
    onFailure: "stop",
    onNotice() {},
  });

  /** Never refused: each program waits for its own, so there are only so many. What was left out would be done twice. */
  function add(entry: Entry, bytes: number): void {
    group.add(entry, bytes, true);
  }

  function write(entry: Entry, bytes = ENTRY_BYTES): Promise<void> {
    add(entry, bytes);
    return group.commit();
  }

  async function read<T>(query: (db: Database) => T): Promise<T> {
    const db = await open();
    return whenFree(() => query(db));
  }

  return {
    async makeRoom() {
      await group.commit();
      return makeRoom(await open(), maxBytes);
    },
    begin: (start, folderBytes = 0) => {
      const { id, principal, programHash, seed, time, isPlanned, tier, tierReason, skills = [] } = start;
      const values = [id, principal, programHash, seed, time, isPlanned ? 1 : 0, ENTRY_BYTES, folderBytes];
      return write((db) => {
        db.run(BEGIN, values);
        if (tier !== undefined) db.run(BEGIN_IN, [id, tier, tierReason ?? null]);
        for (const { name, hash } of skills) db.run(BEGIN_WITH, [id, name, hash]);
      });
    },
    happened(run, news) {
      const text = JSON.stringify(news);
      const bytes = ENTRY_BYTES + text.length;
      add((db) => {
        db.run(HAPPENED, [run, text]);
        db.run(WEIGH, [bytes, run]);
      }, bytes);
    },
    committed: () => group.commit(),
    sent: (run, { number, server, tool, argumentsHash, arguments: args = null }) =>
      write((db) => void db.run(SENT, [run, number, server, tool, argumentsHash, args])),
    ended: (run, call, end) => {
      const { number, server, tool, argumentsHash, arguments: args = null } = call;
      const values = [...toOutcomeValues(end.outcome)];
      const identity = [run, number, server, tool, argumentsHash, args];
      const bytes = ENTRY_BYTES + (end.outcome.ok ? end.outcome.bytes.length : end.outcome.message.length);
      const entry: Entry = (db) => {
        db.run(ENDED, [...identity, end.isWrite ? 1 : 0, end.effect, ...values]);
        db.run(WEIGH, [bytes, run]);
      };
      return write(entry, bytes);
    },
    obstacle: (run, reason) => write((db) => void db.run(OBSTACLE, [reason, run])),
    async read(run) {
      await group.commit();
      return read((db) => readRun(db, run));
    },
    has: (run) => read((db) => db.all("SELECT 1 FROM replay_runs WHERE run = ?", [run]).length > 0),
    async find(principal, programHash) {
      await group.commit();
      return read((db) => db.all(FIND, [principal, programHash]).map(([id]) => String(id)));
    },
    forget: (run) => write((db) => forgetReplay(db, run)),
    close: () => group.close(),
  };
}

const BEGIN =
  "INSERT INTO replay_runs (run, principal, program_hash, seed, time, is_planned, bytes, folder_bytes, begun) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT (run) DO NOTHING";
const BEGIN_IN = "INSERT INTO replay_tiers (run, tier, reason) VALUES (?, ?, ?) ON CONFLICT (run) DO NOTHING";
const BEGIN_WITH =
  "INSERT INTO replay_skills (run, name, hash) VALUES (?, ?, ?) ON CONFLICT (run, name) DO NOTHING";
const HAPPENED = "INSERT INTO replay_happenings (run, news) VALUES (?, ?)";
const SENT =
  "INSERT INTO replay_calls (run, number, server, tool, arguments_hash, arguments, is_write, sent, effect) VALUES (?, ?, ?, ?, ?, ?, 1, 1, 'unknown') ON CONFLICT (run, number) DO UPDATE SET sent = sent + 1, arguments = excluded.arguments";
const ENDED =
  "INSERT INTO replay_calls (run, number, server, tool, arguments_hash, arguments, is_write, sent, effect, form, result, code, message) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?) ON CONFLICT (run, number) DO UPDATE SET effect = excluded.effect, form = excluded.form, result = excluded.result, code = excluded.code, message = excluded.message";
const OBSTACLE = "UPDATE replay_runs SET obstacle = ? WHERE run = ? AND obstacle IS NULL";
const FIND =
  "SELECT run FROM replay_runs WHERE principal = ? AND program_hash = ? ORDER BY time DESC LIMIT 10";
const WEIGH = "UPDATE replay_runs SET bytes = bytes + ? WHERE run = ?";

function toOutcomeValues(outcome: ReplayedOutcome) {
  return outcome.ok ? [outcome.form, outcome.bytes, null, null] : [null, null, outcome.code, outcome.message];
}

function readRun(db: Database, id: string): ReplayRun | undefined {
  const [run] = db.all(
    "SELECT principal, program_hash, seed, time, is_planned, obstacle, tier, reason FROM replay_runs LEFT JOIN replay_tiers USING (run) WHERE run = ?",
    [id],
  );
  if (run === undefined) return undefined;
  const [principal, programHash, seed, time, isPlanned, obstacle, tier, reason] = run;
  const news = db.all("SELECT news FROM replay_happenings WHERE run = ? ORDER BY number", [id]);
  const skills = db.all("SELECT name, hash FROM replay_skills WHERE run = ?", [id]);
  const calls = db.all(
    "SELECT number, server, tool, arguments_hash, arguments, is_write, sent, effect, form, result, code, message FROM replay_calls WHERE run = ? ORDER BY number",
    [id],
  );
  return {
    id,
    principal: String(principal),
    programHash: String(programHash),
    seed: String(seed),
    time: Number(time),
    isPlanned: isPlanned === 1,
    ...(obstacle === null ? {} : { obstacle: String(obstacle) }),
    ...(tier === null ? {} : { tier: String(tier) }),
    ...(isTierReason(reason) ? { tierReason: reason } : {}),
    skills: skills.map(([name, hash]) => ({ name: String(name), hash: String(hash) })),
    // Written by us, in a database that is proved to be ours.
    past: news.flatMap(([text]): Happening[] => JSON.parse(String(text))),
    calls: calls.map(toReplayedCall),
  };
}

function toReplayedCall(row: readonly unknown[]): ReplayedCall {
  const [number, server, tool, argumentsHash, args, isWrite, sent, effect] = row;
  const outcome = toOutcome(row.slice(8));
  return {
    number: Number(number),
    server: String(server),
    tool: String(tool),
    argumentsHash: String(argumentsHash),
    ...(typeof args === "string" && { arguments: args }),
    isWrite: isWrite === 1,
    sent: Number(sent),
    effect: effect === "landed" || effect === "failed" ? effect : "unknown",
    ...(outcome === undefined ? {} : { outcome }),
  };
}

function toOutcome([form, result, code, message]: readonly unknown[]): ReplayedOutcome | undefined {
  if (result instanceof Uint8Array)
    return { ok: true, form: form === "bytes" ? "bytes" : "json", bytes: result };
  return typeof code === "string"
    ? { ok: false, code: toErrorCode(code), message: String(message) }
    : undefined;
}
