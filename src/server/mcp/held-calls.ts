import { randomBytes } from "node:crypto";
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { Engine, RunRequest, RunResult } from "../../engine/engine.ts";
import type { Approval, ApprovalAnswer } from "../../policy/approvals/approval.ts";
import type { Session } from "../../session.ts";
import { hasGone } from "./ask-client.ts";
import { toForm, toFormAnswer } from "./question.ts";

/**
 * Calls of clients of the newer era, which can't be asked while a call is under way: the call is answered by the question, its run
 * is held meanwhile, and the call that brings the answer gets the run's.
 */
export type HeldCalls = {
  begin(request: HeldRequest): HeldCall;
  /** The call that this state was given for; once, and to nobody else. The state is the client's word. */
  take(
    state: string,
    request: HeldRequest,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<HeldCall | undefined>;
};

export type HeldRequest = Pick<RunRequest, "code" | "language" | "trace"> & { readonly session: Session };

export type HeldCall = {
  /** What the run came to, or what must be answered before; while it waits for that, the client's going ends the run. */
  next(signal: AbortSignal, onStart: (runId: string) => void): Promise<HeldAnswer>;
};

export type HeldAnswer =
  | { readonly kind: "ran"; readonly run: RunResult }
  | { readonly kind: "asks"; readonly result: InputRequiredResult };

type Open = {
  readonly request: HeldRequest;
  readonly run: Promise<RunResult>;
  readonly stop: AbortController;
  readonly away: Away;
  runId: string | undefined;
  onStart: (runId: string) => void;
  readonly questions: Map<string, Question>;
  /** Called when there is one more. */
  onQuestion: () => void;
};

type Question = {
  readonly approval: Approval;
  answer(given: ApprovalAnswer | undefined): void;
};

type Given = { readonly open: Open; readonly asked: ReadonlyMap<string, Approval> };

/** Of clients that never came back, the oldest is forgotten first: its run waits for a person as any other. */
const MAX_STATES = 1_024;

export function createHeldCalls(engine: Engine): HeldCalls {
  const states = new Map<string, Given>();

  function start(request: HeldRequest): Open {
    const stop = new AbortController();
    const away = createAway();
    const questions = new Map<string, Question>();
    const askPerson = {
      channel: "elicitation",
      ask: (approval: Approval, signal: AbortSignal) =>
        new Promise<{ answer: ApprovalAnswer; by: string } | undefined>((resolve) => {
          const answer = (given: ApprovalAnswer | undefined) => {
            questions.delete(approval.id);
            resolve(given && { answer: given, by: toAnswerer(request) });
          };
          if (signal.aborted) return answer(undefined);
          signal.addEventListener("abort", () => answer(undefined), { once: true });
          questions.set(approval.id, { approval, answer });
          open.onQuestion();
        }),
    };
    const run = engine.answer({
      ...request,
      signal: stop.signal,
      askPerson,
      awayMs: away.ms,
      onStart: (runId) => {
        open.runId = runId;
        open.onStart(runId);
      },
    });
    // Its client may have gone by then.
    run.catch(() => {});
    const open: Open = {
      request,
      run,
      stop,
      away,
      runId: undefined,
      onStart: () => {},
      questions,
      onQuestion: () => {},
    };
    return open;
  }

  async function next(
    open: Open,
    signal: AbortSignal,
    onStart: (runId: string) => void,
  ): Promise<HeldAnswer> {
    const { questions, stop, away } = open;
    const cancel = () => {
      const { runId } = open;
      const isLeft = runId !== undefined && hasGone(signal.reason) && engine.runs.isAsking(runId);
      if (!isLeft) stop.abort();
    };
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    open.onStart = onStart;
    if (open.runId !== undefined) onStart(open.runId);
    away.end();
    try {
      const asked = new Promise<undefined>((resolve) => {
        open.onQuestion = () => resolve(undefined);
        if (questions.size > 0) resolve(undefined);
      });
      const run = await Promise.race([open.run, asked]);
      return run === undefined ? { kind: "asks", result: ask(open) } : { kind: "ran", run };
    } finally {
      away.begin();
      signal.removeEventListener("abort", cancel);
    }
  }

  function ask(open: Open): InputRequiredResult {
    const state = newState();
    const named = [...open.questions.values()].map(
      ({ approval }, index) => [`question${index + 1}`, approval] as const,
    );
    states.set(state, { open, asked: new Map(named) });
    for (const oldest of states.keys()) {
      if (states.size <= MAX_STATES) break;
      states.delete(oldest);
    }
    const session = open.request.session.id;
    const inputRequests = Object.fromEntries(
      named.map(([name, approval]) => [
        name,
        inputRequired.elicit(toForm(approval, engine.command, session)),
      ]),
    );
    return inputRequired({ inputRequests, requestState: state });
  }

  /** An answer that came when the run was held no longer has it go on from its record. */
  const toCall = (open: Open, isLate = false): HeldCall => ({
    async next(signal, onStart) {
      const answer = await next(open, signal, onStart);
      const goesOn = isLate && answer.kind === "ran" && waitsForPerson(answer.run);
      return goesOn ? next(start(open.request), signal, onStart) : answer;
    },
  });

  return {
    begin: (request) => toCall(start(request)),
    async take(state, request, responses) {
      const given = states.get(state);
      if (given === undefined || !isSame(given.open.request, request)) return undefined;
      states.delete(state);
      const { open, asked } = given;
      let isLate = false;
      for (const [name, approval] of asked) {
        if (!Object.hasOwn(responses, name)) continue;
        const { id } = approval;
        const question = open.questions.get(id);
        const answer = toFormAnswer(responses[name], approval, request.session.id);
        if (question !== undefined) question.answer(answer);
        else if (answer !== undefined) {
          isLate = true;
          // Somebody else may have been faster: then that answer holds.
          await engine.approvals.answer(id, answer, toAnswerer(request)).catch(() => {});
        }
      }
      return toCall(open, isLate);
    },
  };
}

const waitsForPerson = (run: RunResult) => run.for?.some(({ kind }) => kind === "approval") === true;

const toAnswerer = ({ session }: HeldRequest) => `elicitation ${session.client.name}`;

/** Letters alone: what filters outgoing texts looks for numbers. */
export function newState(): string {
  return randomBytes(24)
    .toString("hex")
    .replace(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
}

function isSame(a: HeldRequest, b: HeldRequest): boolean {
  return (
    a.session.id === b.session.id &&
    a.session.principal === b.session.principal &&
    a.code === b.code &&
    a.language === b.language
  );
}

type Away = { begin(): void; end(): void; ms(): number };

/** How long no client has waited. */
function createAway(): Away {
  let before = 0;
  let since: number | undefined = performance.now();
  return {
    begin() {
      since ??= performance.now();
    },
    end() {
      if (since !== undefined) before += performance.now() - since;
      since = undefined;
    },
    ms: () => before + (since === undefined ? 0 : performance.now() - since),
  };
}
