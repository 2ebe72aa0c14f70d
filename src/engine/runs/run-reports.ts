import { KeyholeError, toKeyholeError } from "../../errors.ts";
import { toCallsText } from "../../result/calls-text.ts";
import { type FailureKind, toFailureKind } from "../../run-failure.ts";
import type { Session } from "../../session.ts";
import { isRecord } from "../../text/is-record.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { UnparsedJson } from "../../text/unparsed-json.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import type { FinishedRun, WaitedFor } from "../engine.ts";
import { toWaitedFor } from "../run/answer.ts";
import type { LogEntry, Run } from "../run/run-record.ts";
import { toHeldNote } from "../run/show.ts";
import { type ActiveRun, type ActiveRuns, toOpenQuestions } from "./active-runs.ts";
import { createKeptRuns, type KeptRun } from "./kept-runs.ts";
import type { RunSummary } from "./run-summary.ts";
import { createWaits } from "./waits.ts";

/** Runs that were answered before their end, and what programs are told of them. */
export type RunReports = {
  /** From now on the run goes on without its client; false where too many do already. */
  letGoOn(active: ActiveRun, ended: Promise<FinishedRun>): boolean;
  /**
   * `runs.result(id)` of a program: waits for the run's end, or tells how far it is. A run of another session is not there.
   * Whoever waits gives its slot back. A run that waits for the asking one is not waited for.
   */
  result(asker: Run, args: unknown, signal: AbortSignal): Promise<RunReport | UnparsedJson>;
  summaries(): readonly RunSummary[];
  forget(session: Session): void;
};

/** A run as a program sees it. */
export type RunReport = {
  readonly runId: string;
  readonly status: "running" | "done" | "failed" | "waiting";
  readonly result?: unknown;
  /** Of one that waits: for whom, and what to do then. */
  readonly for?: readonly WaitedFor[];
  readonly hint?: string;
  /** A `RunFailure`; only kind and message where Keyhole itself failed. */
  readonly error?: { readonly kind: FailureKind; readonly message: string };
  /** Of one that failed: the calls it made, as an answer tells them, so that no program does again what is done. */
  readonly made?: readonly string[];
  /** The last lines that it printed. */
  readonly logs: readonly string[];
  readonly calls: number;
};

type GoingOn = {
  readonly run: ActiveRun;
  /** Settles when its result is kept. */
  readonly end: Promise<void>;
  /** Its session is over: nobody can ask for it. */
  isAbandoned: boolean;
};

const MAX_GOING_ON = { principal: 16, all: 64 };
/** Of the time after which the asking program is answered itself: it should have ended by then. */
const WAIT_SHARE = 0.8;
/** So long it waits in any case: one that asks again and again must not do nothing else. */
const MIN_WAIT_SHARE = 0.1;
const MAX_LOG_CHARS = 64_000;
const LINE_COST = 10;
const MADE_TOKENS = 500;

/** How the user can answer a question, for the model to tell. */
type AnswerBy = (approvalId: string) => string;

export function createRunReports(active: ActiveRuns, answerAfterMs: number, answerBy: AnswerBy): RunReports {
  const kept = createKeptRuns();
  const goingOn = new Map<string, GoingOn>();
  const waits = createWaits();

  function countOf(principal: string): number {
    return [...goingOn.values()].filter(({ run }) => run.session.principal === principal).length;
  }

  /** To other sessions, whoever's they are, it is as if there were none. */
  function find(asker: Run, id: string): GoingOn | KeptRun {
    const { session } = asker.request;
    const going = goingOn.get(id);
    if (going !== undefined && isFor(going.run, session) && id !== asker.id) return going;
    const ended = kept.get(id);
    if (ended !== undefined && isFor(ended, session)) return ended;
    throw unknownRun(id);
  }

  function patienceOf(asker: Run): number {
    const passedMs = active.get(asker.id)?.passedMs() ?? answerAfterMs;
    return Math.max(MIN_WAIT_SHARE * answerAfterMs, WAIT_SHARE * answerAfterMs - passedMs);
  }

  async function untilEnd({ end }: GoingOn, waitMs: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    const patience = new Promise<void>((resolve) => {
      stop = resolve;
      timer = setTimeout(resolve, waitMs);
      signal.addEventListener("abort", stop, { once: true });
    });
    await Promise.race([patience, end]);
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }

  /** What a run emitted after its answer is in the answer of the program that asks; if that is lost, in the next one's. */
  function showBlocks(asker: Run, id: string): void {
    const blocks = kept.takeBlocks(id);
    if (blocks.length === 0) return;
    for (const block of blocks) asker.emit(block);
    const giveBack = () => kept.giveBackBlocks(id, blocks);
    active.endOf(asker.id)?.then(({ error }) => error?.kind === "cancelled" && giveBack(), giveBack);
  }

  return {
    letGoOn(run, ended) {
      const { id, session } = run;
      // Several may have asked for it.
      if (goingOn.has(id)) return true;
      if (goingOn.size >= MAX_GOING_ON.all || countOf(session.principal) >= MAX_GOING_ON.principal)
        return false;
      run.detach();
      const end = ended
        .then(
          (finished) => toReport(finished, run.run, answerBy),
          (error: unknown) => toBrokenReport(id, error),
        )
        .then((report) => {
          const blocks = run.run?.emitted.slice(run.shownBlocks) ?? [];
          const startedAt = new Date(run.startedAt).toISOString();
          const isWanted = goingOn.get(id)?.isAbandoned !== true;
          goingOn.delete(id);
          if (isWanted) kept.add({ session, joined: run.joined, startedAt, report, blocks });
        });
      goingOn.set(id, { run, end, isAbandoned: false });
      return true;
    },
    async result(asker, args, signal) {
      const id = readId(args);
      const found = find(asker, id);
      if ("run" in found)
        await waits.during(asker.id, id, () => asker.hold(() => untilEnd(found, patienceOf(asker), signal)));
      const now = find(asker, id);
      if ("run" in now) return toUnfinished(now.run, answerBy);
      showBlocks(asker, id);
      return now.json;
    },
    summaries: () => kept.all().map(({ summary }) => summary),
    forget({ id }) {
      kept.forget(id);
      for (const going of goingOn.values()) {
        const { session, joined } = going.run;
        joined.delete(id);
        if (session.id === id && joined.size === 0) going.isAbandoned = true;
      }
    },
  };
}

function isFor({ session, joined }: Pick<KeptRun, "session" | "joined">, { id }: Session): boolean {
  return session.id === id || joined.has(id);
}

async function toReport(
  { runId, status, result, error, for: waitsFor, logs, calls }: FinishedRun,
  run: Run | undefined,
  answerBy: AnswerBy,
): Promise<RunReport> {
  return {
    runId,
    status,
    ...(result === undefined ? {} : { result }),
    ...(waitsFor === undefined ? {} : { for: waitsFor, hint: toHint(waitsFor, answerBy) }),
    ...(error === undefined ? {} : { error, made: await toMade(run) }),
    logs: toLines(logs),
    calls: calls.length,
  };
}

async function toMade(run: Run | undefined): Promise<string[]> {
  return toCallsText(run?.callLog.calls ?? [], MADE_TOKENS, await loadTokenCounter()).split("\n");
}

/** Keyhole itself failed: the reason is for the log, not for a program. */
function toBrokenReport(runId: string, error: unknown): RunReport {
  const { code, message } = toKeyholeError(error);
  const told = code === "internal" ? "Keyhole failed to run this" : message;
  return { runId, status: "failed", error: { kind: toFailureKind(code), message: told }, logs: [], calls: 0 };
}

function toUnfinished(active: ActiveRun, answerBy: AnswerBy): RunReport {
  const { id, run } = active;
  const facts = { runId: id, logs: toLines(run?.logs ?? []), calls: run?.calls.length ?? 0 };
  const asked = toOpenQuestions(active);
  if (run === undefined || asked.length === 0) return { ...facts, status: "running" };
  return { ...facts, status: "waiting", for: toWaitedFor(run), hint: toHeldNote(asked, id, answerBy) };
}

function toHint(waitsFor: readonly WaitedFor[], answerBy: AnswerBy): string {
  const ways = waitsFor.flatMap((one) => (one.kind === "approval" ? answerBy(one.approvalId) : []));
  return [...ways, "Then send exactly the same program again: it goes on from here"].join(". ");
}

function toLines(logs: readonly Pick<LogEntry, "level" | "text">[]): string[] {
  const lines: string[] = [];
  let chars = 0;
  for (let at = logs.length - 1; at >= 0; at--) {
    const { level = "info", text = "" } = logs[at] ?? {};
    chars += text.length + LINE_COST;
    if (chars > MAX_LOG_CHARS) break;
    lines.push(level === "info" ? text : `${level}: ${text}`);
  }
  return lines.reverse();
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
