import type { Session } from "../../session.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import type { RunReport } from "./run-reports.ts";
import type { RunSummary } from "./run-summary.ts";

/** A run that ended after it was answered. */
export type KeptRun = {
  readonly session: Session;
  /** Other sessions that have asked for the same. */
  readonly joined: ReadonlySet<string>;
  readonly summary: RunSummary;
  /** Its report, as it is handed on: written once, however often it is asked for. */
  readonly json: UnparsedJson;
};

export type NewRun = {
  readonly session: Session;
  readonly joined?: ReadonlySet<string>;
  readonly startedAt: string;
  readonly report: RunReport;
  /** What it emitted and nobody was shown. */
  readonly blocks: readonly unknown[];
};

export type KeptRuns = {
  add(run: NewRun): void;
  get(id: string): KeptRun | undefined;
  all(): readonly KeptRun[];
  /** Its blocks, once; again if they were given back. */
  takeBlocks(id: string): readonly unknown[];
  giveBackBlocks(id: string, blocks: readonly unknown[]): void;
  /** All of a session. */
  forget(sessionId: string): void;
};

const MIB = 1024 * 1024;
const LIFETIME_MS = 60 * 60_000;
const MAX_RUNS = { principal: 32, all: 256 };
const MAX_BYTES = { principal: 32 * MIB, all: 128 * MIB };

type Entry = KeptRun & { blocks: readonly unknown[]; readonly bytes: number; readonly until: number };

/** In memory, for an hour; where there are too many or they are too large, the oldest of the principal go first, then of all. */
export function createKeptRuns(now: () => number = () => performance.now()): KeptRuns {
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  function dropOld(): void {
    for (const [id, { until }] of entries) if (until <= now()) entries.delete(id);
  }

  /** The newest stays, whatever it takes: its size is bounded by what a run may hand over. */
  function shrink(isOf: (entry: Entry) => boolean, maxRuns: number, maxBytes: number): void {
    const own = [...entries.values()].filter(isOf);
    let bytes = own.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [at, entry] of own.slice(0, -1).entries()) {
      if (own.length - at <= maxRuns && bytes <= maxBytes) return;
      entries.delete(entry.summary.runId);
      bytes -= entry.bytes;
    }
  }

  return {
    add({ session, joined = new Set(), startedAt, report, blocks }) {
      dropOld();
      const { runId, status, calls } = report;
      const json = new UnparsedJson(Buffer.from(JSON.stringify(report)));
      const bytes = json.bytes.length + JSON.stringify(blocks).length;
      const summary = { runId, status, session: session.id, principal: session.principal, startedAt, calls };
      entries.set(runId, { session, joined, summary, json, blocks, bytes, until: now() + LIFETIME_MS });
      const { principal } = session;
      shrink((entry) => entry.session.principal === principal, MAX_RUNS.principal, MAX_BYTES.principal);
      shrink(() => true, MAX_RUNS.all, MAX_BYTES.all);
    },
    get(id) {
      dropOld();
      return entries.get(id);
    },
    all() {
      dropOld();
      return [...entries.values()];
    },
    takeBlocks(id) {
      const entry = entries.get(id);
      if (entry === undefined) return [];
      const { blocks } = entry;
      entry.blocks = [];
      return blocks;
    },
    giveBackBlocks(id, blocks) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.blocks = blocks;
    },
    forget(sessionId) {
      for (const [id, { session }] of entries) if (session.id === sessionId) entries.delete(id);
    },
  };
}
