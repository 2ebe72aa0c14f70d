import { KeyholeError, toKeyholeError } from "../../errors.ts";
import type { Session } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { FinishedRun } from "../engine.ts";
import type { LogEntry, Run } from "../run/run-record.ts";
import type { ActiveRun, ActiveRuns } from "./active-runs.ts";
import { createKeptRuns, type KeptRun } from "./kept-runs.ts";
import type { RunSummary } from "./run-summary.ts";

/** Runs that were answered before their end, and what programs are told of them. */
export type RunReports = {
  /** From now on the run goes on without its client; false where too many do already. */
  letGoOn(active: ActiveRun, ended: Promise<FinishedRun>): boolean;
  /**
   * `runs.result(id)` of a program: waits for the run's end, or tells how far it is. A run of another session is not there.
   * Whoever waits gives its slot back.
   */
  result(asker: Run, args: unknown, signal: AbortSignal): Promise<RunReport>;
  summaries(): readonly RunSummary[];
  forget(session: Session): void;
};

/** A run as a program sees it. */
export type RunReport = {
  readonly runId: string;
  readonly status: "running" | "done" | "failed";
  readonly result?: unknown;
  readonly error?: object;
  /** The last lines that it printed. */
  readonly logs: readonly string[];
  readonly calls: number;
};

const MAX_GOING_ON = { principal: 16, all: 64 };
/** Of the time after which the asking program is answered itself: it should have ended by then. */
const WAIT_SHARE = 0.8;
/** So long it waits in any case: one that asks again and again must not do nothing else. */
const MIN_WAIT_SHARE = 0.1;
const MAX_LOG_CHARS = 64_000;

export function createRunReports(active: ActiveRuns, answerAfterMs: number): RunReports {
  const kept = createKeptRuns();
  const ends = new Map<string, Promise<void>>();
  /** Going on, of sessions that are over: nobody can ask for them. */
  const abandoned = new Set<string>();

  function countOf(principal: string): number {
    return active.all().filter(({ id, session }) => session.principal === principal && ends.has(id)).length;
  }

  /** To other sessions, whoever's they are, it is as if there were none. */
  function find(asker: Run, id: string): ActiveRun | KeptRun {
    const mine = [active.get(id), kept.get(id)].find((one) => one?.session.id === asker.request.session.id);
    if (mine === undefined || id === asker.id) throw unknownRun(id);
    return mine;
  }

  function patienceOf(asker: Run): number {
    const passedMs = Date.now() - (active.get(asker.id)?.startedAt ?? 0);
    return Math.max(MIN_WAIT_SHARE * answerAfterMs, WAIT_SHARE * answerAfterMs - passedMs);
  }

  async function untilEnd(id: string, waitMs: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    const patience = new Promise<void>((resolve) => {
      stop = resolve;
      timer = setTimeout(resolve, waitMs);
      signal.addEventListener("abort", stop, { once: true });
    });
    await Promise.race([patience, ends.get(id)]);
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }

  return {
    letGoOn(run, ended) {
      const { id, session } = run;
      if (ends.size >= MAX_GOING_ON.all || countOf(session.principal) >= MAX_GOING_ON.principal) return false;
      run.detach();
      const end = ended
        .then(toReport, (error: unknown) => toBrokenReport(id, error))
        .then((report) => {
          const blocks = run.run?.emitted.slice(run.shownBlocks) ?? [];
          const startedAt = new Date(run.startedAt).toISOString();
          ends.delete(id);
          if (!abandoned.delete(id)) kept.add({ id, session, startedAt, report, blocks });
        });
      ends.set(id, end);
      return true;
    },
    async result(asker, args, signal) {
      const id = readId(args);
      const found = find(asker, id);
      if (!("report" in found)) await asker.hold(() => untilEnd(id, patienceOf(asker), signal));
      const now = find(asker, id);
      if (!("report" in now)) return toUnfinished(now);
      // What it emitted since it was answered has not been shown to anybody.
      for (const block of kept.takeBlocks(id)) asker.emit(block);
      return now.report;
    },
    summaries: () => kept.all().map(toKeptSummary),
    forget({ id }) {
      kept.forget(id);
      for (const run of active.all()) if (run.session.id === id && ends.has(run.id)) abandoned.add(run.id);
    },
  };
}

function toReport({ runId, status, result, error, logs, calls }: FinishedRun): RunReport {
  return {
    runId,
    status,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    logs: toLines(logs),
    calls: calls.length,
  };
}

/** Keyhole itself failed: the reason is for the log, not for a program. */
function toBrokenReport(runId: string, error: unknown): RunReport {
  const { code, message } = toKeyholeError(error);
  const told = code === "internal" ? "Keyhole failed to run this" : message;
  return { runId, status: "failed", error: { kind: code, message: told }, logs: [], calls: 0 };
}

function toUnfinished({ id, run }: ActiveRun): RunReport {
  return { runId: id, status: "running", logs: toLines(run?.logs ?? []), calls: run?.calls.length ?? 0 };
}

function toKeptSummary({ session, startedAt, report }: KeptRun): RunSummary {
  const { runId, status, calls } = report;
  return { runId, status, session: session.id, startedAt, calls };
}

function toLines(logs: readonly Pick<LogEntry, "level" | "text">[]): string[] {
  const lines: string[] = [];
  let chars = 0;
  for (const { level, text } of logs.toReversed()) {
    chars += text.length;
    if (chars > MAX_LOG_CHARS) break;
    lines.unshift(level === "info" ? text : `${level}: ${text}`);
  }
  return lines;
}

function readId(args: unknown): string {
  const id = isRecord(args) ? args["id"] : undefined;
  if (typeof id === "string") return id;
  throw new KeyholeError("usage", 'runs.result takes the id of a run: runs.result("r_…")');
}

function unknownRun(id: string): KeyholeError {
  const message = `This session has no run ${JSON.stringify(toExcerpt(id, 40))} that goes on or whose result is kept`;
  return new KeyholeError("usage", message, {
    hint: "Results are kept for an hour, of runs that went on after they were answered",
  });
}
