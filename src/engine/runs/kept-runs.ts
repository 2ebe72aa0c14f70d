import type { Session } from "../../session.ts";
import type { RunReport } from "./run-reports.ts";

/** A run that ended after it was answered. */
export type KeptRun = {
  readonly id: string;
  readonly session: Session;
  readonly startedAt: string;
  readonly report: RunReport;
  /** What it emitted and nobody was shown. */
  readonly blocks: readonly unknown[];
};

export type KeptRuns = {
  add(run: KeptRun): void;
  get(id: string): KeptRun | undefined;
  all(): readonly KeptRun[];
  /** Its blocks, once. */
  takeBlocks(id: string): readonly unknown[];
  /** All of a session. */
  forget(sessionId: string): void;
};

const MIB = 1024 * 1024;
const LIFETIME_MS = 60 * 60_000;
const MAX_RUNS = { principal: 32, all: 256 };
const MAX_BYTES = { principal: 32 * MIB, all: 128 * MIB };

type Entry = { run: KeptRun; readonly bytes: number; readonly until: number };

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
      entries.delete(entry.run.id);
      bytes -= entry.bytes;
    }
  }

  return {
    add(run) {
      dropOld();
      const bytes = JSON.stringify([run.report, run.blocks]).length;
      entries.set(run.id, { run, bytes, until: now() + LIFETIME_MS });
      const { principal } = run.session;
      shrink((entry) => entry.run.session.principal === principal, MAX_RUNS.principal, MAX_BYTES.principal);
      shrink(() => true, MAX_RUNS.all, MAX_BYTES.all);
    },
    get(id) {
      dropOld();
      return entries.get(id)?.run;
    },
    all() {
      dropOld();
      return [...entries.values()].map(({ run }) => run);
    },
    takeBlocks(id) {
      const entry = entries.get(id);
      if (entry === undefined) return [];
      const { blocks } = entry.run;
      entry.run = { ...entry.run, blocks: [] };
      return blocks;
    },
    forget(sessionId) {
      for (const [id, { run }] of entries) if (run.session.id === sessionId) entries.delete(id);
    },
  };
}
