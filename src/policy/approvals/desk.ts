import { setTimeout as delay } from "node:timers/promises";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { followAbort, unfollowAbort } from "../../mcp/on-abort.ts";
import { withTimeLimit } from "../../process/time-limit.ts";
import { isSharedSession } from "../../session.ts";
import type { About, Approval, ApprovalAnswer, PendingCall } from "./approval.ts";
import type { Approvals } from "./approvals.ts";
import { type Callers, createCallers } from "./callers.ts";
import { createGatherer } from "./gather.ts";
import {
  asSent,
  findAlways,
  findCovering,
  findSame,
  isTiring,
  MAX_DENIED,
  type Ruling,
  toRuling,
} from "./rulings.ts";

/** Where calls wait for a person: each is looked for among what was answered before, and asked for otherwise. */
export type Desk = {
  open(run: AskingRun): RunDesk;
  /** Has the runs that are held end as waiting: this process ends, and their questions stay open. */
  letGo(): void;
};

/** The desk of one run. */
export type RunDesk = {
  /**
   * @param signal the call is not wanted any more
   * @param made how many calls like it were made already
   */
  ask(call: PendingCall, signal: AbortSignal, made?: number): Promise<Ruling>;
  /** What was said of this call for always, where a rule allows it by now. */
  always?(call: PendingCall): Promise<Approval | undefined>;
  /** What is said to the run's plan, where that was asked for before. */
  planned(): Promise<Ruling | undefined>;
  /** All that a program would write, in one question. */
  askAll(calls: readonly PendingCall[], plan: NonNullable<About["plan"]>): Promise<Ruling>;
  /** The ids of the questions that it is held for. */
  open(): string[];
  /** Whether somebody was asked for it since it began, or went on. */
  hasAsked(): boolean;
  /** From now on this person is asked as well. */
  join(person: AskPerson): void;
  /** The run has ended: what is still asked for it, since an earlier time too, is taken back. */
  withdraw(): Promise<void>;
};

export type AskingRun = {
  readonly id: string;
  readonly session: string;
  readonly principal: string;
  /** Ends it: nobody needs an answer any more. */
  readonly signal?: AbortSignal;
  about(calls: readonly PendingCall[], plan?: About["plan"]): Omit<About, "approvedBefore">;
  /** Asks the person at the other end, where there is a way to. Nothing: that person gave no answer. */
  readonly askPerson?: AskPerson;
  /** Somebody is asked from now on. */
  onAsked?(approval: Approval): void;
  /** Ends it as one that waits for this question. */
  endWaiting?(approval: string): void;
  /** Whether it has ended so: then its questions stay. */
  isWaiting?(): boolean;
  /** Why it could not go on another time. */
  obstacle?(): string | undefined;
  /** Has the run's slot free meanwhile, and its clock stand; the work is told where that is not so, since too many wait already. */
  hold<T>(work: (isFree: boolean) => Promise<T>): Promise<T>;
};

export type AskPerson = {
  /** How: `terminal`, `elicitation`. */
  readonly channel: string;
  /** Is asked also where the run has to keep its slot from others meanwhile. */
  readonly isWorthSlot?: true;
  ask(approval: Approval, signal: AbortSignal): Promise<PersonsAnswer | undefined>;
};

export type PersonsAnswer = {
  readonly answer: ApprovalAnswer;
  readonly by: string;
  /** This answer is the one that holds: what else the person meant may be done. */
  onHeld?(): Promise<void>;
  /** It is none that the question takes, and why: what the person says instead. */
  onRefused?(problem: string): Promise<PersonsAnswer | undefined>;
};

export type DeskOptions = {
  readonly approvals: Approvals;
  /** How long a run waits before it ends as waiting. */
  readonly holdMs: number;
  readonly channels: readonly string[];
  /** Whether somebody can answer without being asked by the run: by a command, over HTTP, by a webhook. */
  readonly hasOtherWay: boolean;
  /** What the other ways lack, a line each. */
  readonly closed?: readonly string[];
  newId(): string;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Tells those who answer by themselves: a webhook, a page. */
  notify?(approval: Approval): void;
};

/** By the question's id. */
type Waits = Map<string, { readonly answer: Promise<Approval>; readonly callers: Callers }>;

type AskedCall = { readonly call: PendingCall; readonly signal: AbortSignal };

/** A run at the desk, with all who can be asked for it and what they are asked. */
type Seat = {
  readonly run: AskingRun;
  readonly people: AskPerson[];
  readonly open: Map<string, { readonly approval: Approval; readonly until: AbortSignal }>;
  hasAsked: boolean;
  /** All that was asked for the run, as it was then. */
  known?: { readonly version: string; readonly ofRun: readonly Approval[] };
};

/** Who are asked for one run at the same time. */
const MAX_PEOPLE = 16;

/** What is waited before an answer that could not be written down is written again. */
const RETRY_MS = 500;

export function createDesk(options: DeskOptions): Desk {
  const { approvals, holdMs, channels, hasOtherWay, closed = [], newId, notify, onNotice } = options;
  const held = new Set<() => void>();
  /** Keyhole is closing: what is asked stays asked. */
  let isLeaving = false;

  async function askAnew(
    run: AskingRun,
    calls: readonly PendingCall[],
    plan?: About["plan"],
  ): Promise<Approval> {
    const { id: runId, session, principal } = run;
    const before = await approvals.list({ runId, status: "approved" });
    const about = { ...run.about(calls, plan), approvedBefore: before.map(toLine) };
    const approval = await approvals.open({ id: newId(), runId, session, principal, calls, about });
    notify?.(approval);
    return approval;
  }

  /** The calls of one question wait for it together: the person is asked once. */
  function waitTogether(
    seat: Seat,
    waits: Waits,
    approval: Approval,
    signal: AbortSignal,
  ): Promise<Approval> {
    const known = waits.get(approval.id);
    known?.callers.add(signal);
    if (known !== undefined) return known.answer;
    const callers = createCallers([signal]);
    const waiting = seat.run.hold((isFree) => wait(seat, approval, callers, isFree));
    const answer = waiting.finally(() => waits.delete(approval.id));
    waits.set(approval.id, { answer, callers });
    return answer;
  }

  /** Until somebody has answered, or it has taken too long; by whichever way comes first. */
  async function wait(seat: Seat, approval: Approval, callers: Callers, isFree: boolean): Promise<Approval> {
    const { run } = seat;
    const ending = new AbortController();
    let isNeeded = true;
    const giveUp = () => {
      isNeeded = isLeaving || run.isWaiting?.() === true;
      ending.abort();
    };
    callers.onNone(giveUp);
    if (run.signal) followAbort(run.signal, giveUp);
    try {
      const mayHold = isFree || !canWait(seat);
      const settled = mayHold
        ? await withTimeLimit(holdMs, [ending.signal], (until) => waitUntil(seat, approval, until))
        : leaveOpen(seat, approval);
      // An answer that comes later would be of no use.
      const isOfUse = isNeeded && (isLeaving || run.obstacle?.() === undefined);
      if (settled.status !== "pending" || isOfUse) return settled;
      await approvals.withdraw(approval.id);
      return (await approvals.get(approval.id)) ?? settled;
    } finally {
      ending.abort();
      if (run.signal) unfollowAbort(run.signal, giveUp);
    }
  }

  /** Whether it can be answered another time, with the run going on then: else it is held, though others want its slot. */
  function canWait({ run, people }: Seat): boolean {
    return hasOtherWay && run.obstacle?.() === undefined && !people.some(({ isWorthSlot }) => isWorthSlot);
  }

  function leaveOpen(seat: Seat, approval: Approval): Approval {
    seat.hasAsked = true;
    seat.run.onAsked?.(approval);
    return approval;
  }

  /** @param onGiven told when somebody answered, of what becomes of that */
  function askOne(
    person: AskPerson,
    approval: Approval,
    until: AbortSignal,
    onGiven: (giving: Promise<void>) => void = () => {},
  ): void {
    if (!channels.includes(person.channel)) return;
    void person.ask(approval, until).then(
      (given) => {
        if (given) onGiven(give(approval, given, until));
      },
      () => {},
    );
  }

  async function waitUntil(seat: Seat, approval: Approval, until: AbortSignal): Promise<Approval> {
    const { run, people, open } = seat;
    open.set(approval.id, { approval, until });
    seat.hasAsked = true;
    run.onAsked?.(approval);
    let giving: Promise<void> | undefined;
    for (const person of people)
      askOne(person, approval, until, (given) => {
        giving = given;
      });
    const endWaiting = () => run.endWaiting?.(approval.id);
    held.add(endWaiting);
    try {
      const settled = await approvals.settled(approval.id, until);
      await giving;
      return settled;
    } finally {
      open.delete(approval.id);
      held.delete(endWaiting);
    }
  }

  /** Somebody else may have been faster: then that answer holds. One that can't be written down is not lost by that. */
  async function give(approval: Approval, given: PersonsAnswer, until: AbortSignal): Promise<void> {
    const { id } = approval;
    for (
      let isTold = false;
      !until.aborted;
      await delay(RETRY_MS, undefined, { signal: until }).catch(() => {})
    ) {
      try {
        await approvals.answer(id, given.answer, given.by);
        return await given.onHeld?.();
      } catch (error) {
        const now = await approvals.get(id).catch(() => undefined);
        if (now !== undefined && now.status !== "pending") return;
        const isRefused = error instanceof KeyholeError && error.code === "usage";
        const instead = isRefused ? await given.onRefused?.(error.message) : undefined;
        if (instead !== undefined) return give(approval, instead, until);
        if (!isTold) onNotice?.(`The answer to approval ${id} could not be kept: ${errorMessage(error)}`);
        isTold = true;
        if (isRefused) return;
      }
    }
  }

  async function listOfSession(session: string): Promise<Approval[]> {
    if (isSharedSession(session)) return [];
    const scopes = ["session", "always"] as const;
    const found = scopes.map((scope) => approvals.list({ session, status: "approved", scope }));
    return (await Promise.all(found)).flat();
  }

  /** A program may have a thousand calls of which each is on one question: that is not read a thousand times. */
  async function listOfRun(seat: Seat): Promise<readonly Approval[]> {
    const version = await approvals.version();
    if (seat.known?.version !== version)
      seat.known = { version, ofRun: await approvals.list({ runId: seat.run.id }) };
    return seat.known.ofRun;
  }

  const canBeAnswered = ({ people }: Seat) =>
    people.some(({ channel }) => channels.includes(channel)) || hasOtherWay;

  async function ruleOn(seat: Seat, asked: readonly AskedCall[], plan?: About["plan"]): Promise<Ruling[]> {
    const calls = asked.map(({ call }) => call);
    if (!canBeAnswered(seat)) return calls.map(() => ({ decision: "unasked", closed }));
    const callers = createCallers(asked.map(({ signal }) => signal));
    const approval = await askAnew(seat.run, calls, plan);
    const settled = await seat.run.hold((isFree) => wait(seat, approval, callers, isFree));
    return calls.map((call) => toRuling(settled, call, seat.run));
  }

  return {
    letGo() {
      isLeaving = true;
      for (const endWaiting of held) endWaiting();
    },
    open(run) {
      const waits: Waits = new Map();
      const always = run.signal ?? new AbortController().signal;
      const people = run.askPerson === undefined ? [] : [run.askPerson];
      const seat: Seat = { run, people, open: new Map(), hasAsked: false };
      const gather = createGatherer<AskedCall, Ruling>((calls) => ruleOn(seat, calls));
      return {
        open: () => [...seat.open.keys()],
        hasAsked: () => seat.hasAsked,
        join(person) {
          if (people.length >= MAX_PEOPLE) return;
          people.push(person);
          for (const { approval, until } of seat.open.values()) askOne(person, approval, until);
        },
        async withdraw() {
          for (const { id } of await approvals.list({ runId: run.id, status: "pending" }))
            await approvals.withdraw(id);
        },
        always: async (call) => findAlways(await listOfRun(seat), call),
        async planned() {
          const asked = await approvals.list({ runId: run.id });
          const plan = asked.findLast(({ about, status }) => about.plan && status !== "withdrawn");
          const [call] = plan?.calls ?? [];
          if (plan === undefined || call === undefined) return undefined;
          const settled = plan.status === "pending" ? await waitTogether(seat, waits, plan, always) : plan;
          return toRuling(settled, call, run);
        },
        async askAll(calls, plan) {
          const asked = calls.map((call) => ({ call, signal: always }));
          const [ruling] = await ruleOn(seat, asked, plan);
          return ruling ?? { decision: "unasked", closed };
        },
        async ask(asked, signal, made = 0) {
          signal.throwIfAborted();
          const ofRun = await listOfRun(seat);
          const call = { ...asSent(ofRun, asked), ...(made > 0 && { made }) };
          const known =
            findSame(ofRun, call, made) ??
            (await findCovering(ofRun, call, () => listOfSession(run.session)));
          if (known === undefined && isTiring(ofRun))
            return { decision: "denied", reason: `the last ${MAX_DENIED} questions of this run were denied` };
          if (known === undefined) return gather({ call, signal });
          if (known.status !== "pending") return toRuling(known, call, run);
          return toRuling(await waitTogether(seat, waits, known, signal), call, run);
        },
      };
    },
  };
}

/** What was approved, in a few words. */
function toLine({ id, calls, answer }: Approval): string {
  const names = [...new Set(calls.map(({ server, tool }) => `${server}.${tool}`))];
  const shown = names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
  const scope = answer?.decision === "approve" ? answer.scope : "once";
  return `${id}: ${shown}, ${calls.length === 1 ? "1 call" : `${calls.length} calls`}, ${scope}`;
}
