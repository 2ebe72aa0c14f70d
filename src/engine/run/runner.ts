import { KeyholeError, toKeyholeError } from "../../errors.ts";
import { createReceiptBook } from "../../result/receipt.ts";
import { toFailureKind } from "../../run-failure.ts";
import { countCatalogTokens } from "../../tokens/catalog-tokens.ts";
import { loadTokenCounter } from "../../tokens/tokens.ts";
import type { Engine, FinishedRun, RunRequest } from "../engine.ts";
import type { EventBody } from "../events/event.ts";
import type { Privacy } from "../privacy/privacy.ts";
import type { ReplayRun } from "../replay/replay-run.ts";
import { findResumable, type ResumeContext } from "../replay/resume.ts";
import type { ActiveRun, ActiveRuns, Started } from "../runs/active-runs.ts";
import { type AnswerContext, answerInTime } from "./answer.ts";
import { type RunContext, runProgram } from "./run.ts";
import { assertMemory } from "./run-limits.ts";
import { createRun } from "./run-record.ts";

export type RunnerContext = RunContext &
  AnswerContext &
  Pick<ResumeContext, "approvals"> & {
    readonly active: ActiveRuns;
    readonly privacy: Privacy;
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
    const named = { ...request, language: context.languages.nameOf(request.language) };
    const { held, ...before } = await lookBefore(named);
    const joined = held === undefined ? undefined : join(held, request);
    if (joined !== undefined) return joined;
    return context.active.run(named, (active) => follow(active, named, before), before.kept?.id);
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
        request,
        ...before,
        signal: active.signal,
        book,
        privacy,
        tell: tellShown,
      });
      await unlessAborted(context.ready(), active.signal);
      await context.journal.ready();
      const records = context.catalog.entries().flatMap(({ record }) => record ?? []);
      catalogTokens = await countCatalogTokens(records, COUNTED_CHARACTERS);
      const result = await runProgram(active.run, context);
      tell(
        result.status === "failed"
          ? { kind: "ended", status: "failed", failure: result.error.kind }
          : { kind: "ended", status: result.status },
      );
      return result;
    } catch (error) {
      tell({ kind: "ended", status: "failed", failure: toFailureKind(toKeyholeError(error).code) });
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
