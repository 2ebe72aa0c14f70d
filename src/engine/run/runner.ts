import type { Telemetry } from "../../audit/telemetry/telemetry.ts";
import { KeyholeError, toKeyholeError } from "../../errors.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { toFailureKind } from "../../run-failure.ts";
import { countCatalogTokens } from "../../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import type { EngineTrail, TrailOf } from "../audit/engine-trail.ts";
import { openRunSpan } from "../audit/run-span.ts";
import type { Engine, FinishedRun, RunRequest } from "../engine.ts";
import type { EventBody } from "../events/event.ts";
import type { Privacy } from "../privacy/privacy.ts";
import type { ReplayRun } from "../replay/replay-run.ts";
import { findResumable, type ResumeContext } from "../replay/resume.ts";
import type { ActiveRun, ActiveRuns, Started } from "../runs/active-runs.ts";
import { type AnswerContext, answerInTime } from "./answer.ts";
import type { LastLanguages } from "./last-languages.ts";
import { type RunContext, runProgram } from "./run.ts";
import { assertMemory } from "./run-limits.ts";
import { createRun } from "./run-record.ts";

export type RunnerContext = RunContext &
  AnswerContext &
  Pick<ResumeContext, "approvals"> & {
    readonly active: ActiveRuns;
    readonly lastLanguages: LastLanguages;
    readonly privacy: Privacy;
    readonly telemetry: Telemetry;
    /** Where a run tells what it did; nothing where nobody wants to know. */
    readonly trailOf?: TrailOf | undefined;
    /** Told of a program that is not begun. */
    readonly refused?: EngineTrail["refused"] | undefined;
    /** Fails where it must be told, and can't be. */
    readonly audited?: (() => Promise<void>) | undefined;
    /** Until the catalogue has been read, and what a person trusted meanwhile is in it. */
    ready(): Promise<unknown>;
    /** Set aside for each program. */
    readonly memoryBytes: number;
  };

type Before = {
  readonly kept?: ReplayRun | undefined;
  readonly unread?: KeyholeError;
  /** The run of the same program for which a person is asked, or was. */
  readonly held?: string | undefined;
};

/** Of definitions that were not counted beforehand: the run waits for these, less than 0.1 s. */
const COUNTED_CHARACTERS = 500_000;

/** Takes requests for runs, and tells of each from beginning to end. */
export function createRunner(context: RunnerContext): Pick<Engine, "run" | "answer"> {
  async function start(request: RunRequest): Promise<Started> {
    if (typeof request.code !== "string" || request.code.trim() === "") {
      throw new KeyholeError("usage", "There is no program to run", { hint: "Give its text as code" });
    }
    assertMemory(request.limits, context.memoryBytes);
    assertGoing(request);
    const named = { ...request, language: context.languages.nameOf(request.language, request.code) };
    context.lastLanguages.note(request.session, named.language);
    const { held, ...before } = await lookBefore(named);
    const joined = held === undefined ? undefined : join(held, request);
    if (joined !== undefined) return joined;
    return context.active.run(named, (active) => follow(active, named, before), before.kept?.id);
  }

  function assertGoing({ session, code }: RunRequest): void {
    try {
      context.heed?.assertGoing(session);
    } catch (error) {
      context.refused?.({ session, code, failure: toKeyholeError(error) });
      throw error;
    }
  }

  /** It is done once, and answered to all who asked for it. */
  function join(id: string, { session, askPerson, onStart }: RunRequest): Started | undefined {
    const active = context.active.get(id);
    const ended = context.active.endOf(id);
    if (active === undefined || ended === undefined) return undefined;
    active.joined.add(session.id);
    if (askPerson !== undefined) active.run?.gate?.desk.join(askPerson);
    onStart?.(id);
    return { active, ended };
  }

  /** Where nothing can be read, a program that needs no record runs all the same; one that does must not begin anew. */
  async function lookBefore(request: RunRequest & { readonly language: string }): Promise<Before> {
    try {
      return { ...(await findResumable(request, context)) };
    } catch (error) {
      const failure = toKeyholeError(error);
      if (failure.code === "usage" || request.resume !== undefined) throw failure;
      return { unread: failure };
    }
  }

  async function follow(active: ActiveRun, request: RunRequest, before: Before): Promise<FinishedRun> {
    const { id: runId, session } = active;
    const source = { runId, session: session.id, principal: session.principal };
    const tell = (event: EventBody) => context.events.tell(source, event);
    const span = openRunSpan(context.telemetry, request, runId);
    tell({ kind: "queued" });
    try {
      const counter = await loadTokenCounter();
      let catalogTokens = 0;
      const book = createReceiptBook(counter, () => catalogTokens);
      const privacy = await context.privacy.open(session.principal);
      const toShown = (event: EventBody) =>
        event.kind === "log" ? { ...event, text: privacy.showStart(event.text, session.id) } : event;
      const tellShown = (event: EventBody) => tell(context.events.isWatched() ? toShown(event) : event);
      active.run = createRun({
        id: runId,
        request: { ...request, trace: span.context },
        trail: context.trailOf?.(runId, request, privacy),
        ...before,
        signal: active.signal,
        book,
        privacy,
        tell: tellShown,
      });
      await unlessAborted(context.ready(), active.signal);
      await context.journal.ready();
      if (context.audited !== undefined) await context.audited();
      const records = context.catalog.entries().flatMap(({ record }) => record ?? []);
      catalogTokens = await countCatalogTokens(records, COUNTED_CHARACTERS);
      const result = await runProgram(active.run, context);
      span.ended(result);
      tell(
        result.status === "failed"
          ? { kind: "ended", status: "failed", failure: result.error.kind }
          : { kind: "ended", status: result.status },
      );
      return result;
    } catch (error) {
      const reason = toKeyholeError(error);
      const failure = toFailureKind(reason.code);
      // What can't be written down at all is not told; what waits elsewhere, the store or an anchor, may keep it from running.
      if (reason.code === "store_unusable" && active.run?.trail?.progress === undefined)
        context.refused?.({ session, code: request.code, run: runId, failure: reason });
      span.failed(failure);
      tell({ kind: "ended", status: "failed", failure });
      throw error;
    }
  }

  return {
    run: async (request) => (await start(request)).ended,
    answer: async (request) => answerInTime(await start(request), context, request.awayMs),
  };
}

/** Waits no longer than until the signal says that it is no use any more. */
export async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
