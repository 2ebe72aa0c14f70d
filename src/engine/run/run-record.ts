import { isUnanswered, type KeyholeError } from "../../errors.ts";
import type { ToolResult } from "../../mcp/unwrap.ts";
import type { NetworkUse, WebConnection } from "../../network/connection.ts";
import type { Approval } from "../../policy/approvals/approval.ts";
import type { Impact } from "../../policy/risk/impact.ts";
import type { Risk } from "../../policy/risk/score.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import {
  type Callee,
  type CallFate,
  type CallLog,
  type CallOutcome,
  createCallLog,
} from "../../result/call-log.ts";
import type { DirectResult, ReceiptBook, RunTier } from "../../result/receipt.ts";
import type { RunFailure } from "../../run-failure.ts";
import { createWallClock, type WallClock } from "../../sandbox/wall-clock.ts";
import type { RunTrail } from "../audit/run-trail.ts";
import type { RunCall, RunRequest } from "../engine.ts";
import type { EventBody } from "../events/event.ts";
import type { ReplayRun } from "../replay/replay-run.ts";
import type { RunGate } from "../replay/run-gate.ts";
import type { Slot } from "./fair-queue.ts";
import { createClockStop } from "./stop-clock.ts";

export type LogEntry = {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly text: string;
  /** Said by Keyhole, not by the program. */
  readonly isNotice?: true;
};

/** What is written down of a run while it goes on. */
export type Run = {
  readonly id: string;
  readonly request: RunRequest;
  /** What it did before, where it goes on from its record. */
  readonly kept: ReplayRun | undefined;
  /** Why nobody knows whether it did anything before. */
  readonly unread: KeyholeError | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly book: ReceiptBook;
  /** What its data passes on the way in and out. */
  readonly privacy: WorkspacePrivacy | undefined;
  /** Where it is told what it did; nothing where that is not wanted. */
  readonly trail: RunTrail | undefined;
  /** Tokens stand for values in what its program was given. */
  readonly hasTokens: boolean;
  noteTokens(): void;
  /** The short of a value, as the model may be told of it. */
  toTold<Value>(value: Value): Value;
  readonly calls: readonly RunCall[];
  /** The calls as the model is told of them when the program fails. Not for the journal: it has arguments. */
  readonly callLog: CallLog;
  readonly logs: readonly LogEntry[];
  readonly emitted: readonly unknown[];
  readonly phasesMs: Readonly<Record<string, number>>;
  /** Of the whole run; it stands while others have its slot. */
  readonly clock: WallClock;
  readonly status: "queued" | "running" | "waiting";
  log(entry: LogEntry): void;
  /** Once a run for each topic. */
  logOnce(topic: string, entry: LogEntry): void;
  emit(block: unknown): void;
  startCall(call: NamedCall, callee: Callee, trace?: CallFate): CallRecord;
  /** What it has used of the network, where it has one. */
  readonly network: NetworkUse | undefined;
  noteConnection(connection: WebConnection): void;
  /** Somebody is asked for calls of it. */
  noteAsked(approval: Pick<Approval, "id" | "calls">): void;
  noteNetwork(use: NetworkUse): void;
  /** What the model was answered before the end, if it was. */
  readonly answered: string | undefined;
  tellAnswered(text: string): void;
  /** How much the program risks, once it was read. */
  readonly risk: Risk | undefined;
  /** And what it would touch. */
  readonly impact: Impact | undefined;
  tellRisk(risk: Risk, impact: Impact): void;
  /** Where it runs, once that is decided. */
  readonly tier: RunTier | undefined;
  placeIn(tier: RunTier): void;
  /** What its calls pass, once its program is about to run. */
  readonly gate: RunGate | undefined;
  openGate(gate: RunGate): void;
  /** The same run for a pass that nobody hears of: what it logs, emits and calls is in no answer and in no receipt. */
  shadow(gate: RunGate): Run;
  /** Why it was ended before its program came to an end. */
  readonly stopped: StoppedRun | undefined;
  /** Ends its program; the first reason holds. */
  stop(reason: StoppedRun): void;
  /** Tells the program's sandbox that it is over. */
  readonly stopSignal: AbortSignal;
  /** Its turn has come. */
  begin(slot: Slot | undefined): void;
  /**
   * Waits for something that may take long: others have the slot meanwhile, and the clock stands, for an hour in all. The work is
   * told where that is not so, since too many wait already.
   */
  hold<T>(work: (isGiven: boolean) => Promise<T>): Promise<T>;
  /** Times a step, also when it fails. */
  phase<T>(name: string, step: () => Promise<T>): Promise<T>;
  /** Says that part of a step's time was another's. */
  attribute(from: string, to: string, ms: number): void;
};

/** It waits for these approvals, or it failed by something that is not its program's to catch. */
export type StoppedRun =
  | { readonly kind: "waiting"; readonly approval: string }
  | { readonly kind: "failed"; readonly error: RunFailure };

export type NamedCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The same as JSON. */
  readonly argumentsText: string;
};

/** Each tells what the direct way would have cost, in tokens. */
export type CallRecord = {
  /** @param direct what a client without programs would hand its model */
  end(result: ToolResult, direct: DirectResult, isCached?: boolean): number;
  /** What was not sent is in no receipt. Unknown: it was sent before, and nobody knows what came of that. */
  fail(error: KeyholeError, isSent: boolean, isUnknown?: boolean): number;
};

/** Longer ones are not kept for as long as the call takes. */
const KEPT_ARGUMENTS = 10_000;

export type RunParts = {
  readonly id: string;
  readonly request: RunRequest;
  readonly kept?: ReplayRun | undefined;
  readonly unread?: KeyholeError | undefined;
  readonly signal: AbortSignal;
  readonly book: ReceiptBook;
  readonly privacy?: WorkspacePrivacy;
  readonly trail?: RunTrail | undefined;
  tell(event: EventBody): void;
};

export function createRun(parts: RunParts): Run {
  const { id, request, kept, unread, signal, book, privacy, trail, tell } = parts;
  const calls: RunCall[] = [];
  const { id: sessionId } = request.session;
  const toTold = <Value>(value: Value): Value =>
    privacy === undefined ? value : privacy.showShort(value, sessionId);
  const callLog = createCallLog(toTold);
  const told = new Set<string>();
  const logs: LogEntry[] = [];
  const emitted: unknown[] = [];
  const phasesMs: Record<string, number> = {};
  const clock = createWallClock();
  let slot: Slot | undefined;
  let hasBegun = false;
  let holds = 0;
  let answered: string | undefined;
  let risk: Risk | undefined;
  let impact: Impact | undefined;
  let tier: RunTier | undefined;
  let gate: RunGate | undefined;
  let stopped: StoppedRun | undefined;
  const stopping = new AbortController();
  const stopSignal = AbortSignal.any([signal, stopping.signal]);
  let network: NetworkUse | undefined;
  let hasTokens = false;
  const log = (entry: LogEntry) => {
    logs.push(entry);
    tell({ kind: "log", level: entry.level, text: entry.text });
  };
  return {
    id,
    request,
    kept,
    unread,
    signal,
    book,
    privacy,
    trail,
    get hasTokens() {
      return hasTokens;
    },
    noteTokens() {
      hasTokens = true;
    },
    toTold,
    calls,
    callLog,
    logs,
    emitted,
    phasesMs,
    clock,
    get status() {
      if (!hasBegun) return "queued";
      return holds > 0 ? "waiting" : "running";
    },
    log,
    logOnce(topic, entry) {
      if (told.has(topic)) return;
      told.add(topic);
      log(entry);
    },
    emit: (block) => {
      emitted.push(block);
    },
    startCall({ server, tool, args, argumentsText }, callee, trace) {
      const start = performance.now();
      const place = calls.push({ server, tool, ms: 0, ok: false, isUnderWay: true }) - 1;
      const entry = callLog.start(callee, args, trace);
      tell({ kind: "call", server, tool, number: place + 1 });
      const argumentsChars = argumentsText.length;
      const kept = argumentsChars > KEPT_ARGUMENTS ? undefined : argumentsText;
      const finish = (ok: boolean, isSent: boolean, result: DirectResult, isCached = false) => {
        const ms = round(performance.now() - start);
        const cached = isCached ? ({ cached: true } as const) : {};
        calls[place] = { server, tool, ms, ok, ...cached };
        const call = { server, tool, argumentsText: kept ?? "", result };
        const tokens = isSent
          ? book.addCall(kept === undefined ? { ...call, argumentsText: JSON.stringify(args) } : call)
          : 0;
        tell({ kind: "called", server, tool, ok, ms, ...cached });
        // Media are not in the text, and are large.
        const resultChars = result.mediaBlocks > 0 ? Number.POSITIVE_INFINITY : result.text.length;
        return { size: { args: argumentsChars, result: resultChars }, tokens };
      };
      return {
        end: ({ value, large }, direct, isCached) => {
          const { size, tokens } = finish(true, true, direct, isCached);
          entry.answered(large === undefined ? value : large.outline, size);
          return tokens;
        },
        fail: (error, isSent, isUnknown = false) => {
          const { size, tokens } = finish(false, isSent, { text: error.message, mediaBlocks: 0 });
          if (isUnknown) entry.failed("unknown", size);
          else entry.failed(isSent ? toOutcome(error) : "unsent", size);
          return tokens;
        },
      };
    },
    get network() {
      return network;
    },
    noteConnection({ runId: _runId, id: _id, ...connection }) {
      tell({ kind: "connection", ...connection });
    },
    noteAsked: ({ id: approvalId, calls: asked }) => tell({ kind: "asked", approvalId, calls: asked.length }),
    noteNetwork(use) {
      network = use;
    },
    get answered() {
      return answered;
    },
    tellAnswered(text) {
      answered = text;
    },
    get risk() {
      return risk;
    },
    get impact() {
      return impact;
    },
    tellRisk(found, touched) {
      risk = found;
      impact = touched;
    },
    get tier() {
      return tier;
    },
    placeIn(chosen) {
      tier = chosen;
    },
    get gate() {
      return gate;
    },
    openGate(opened) {
      gate = opened;
    },
    shadow(its) {
      const unheard = createRun({
        id,
        request,
        kept,
        signal,
        book: book.blank(),
        ...(privacy && { privacy }),
        trail,
        tell: () => {},
      });
      unheard.begin(slot);
      if (tier) unheard.placeIn(tier);
      unheard.openGate(its);
      return unheard;
    },
    get stopped() {
      return stopped;
    },
    stop(reason) {
      stopped ??= reason;
      stopping.abort();
    },
    stopSignal,
    begin(given) {
      slot = given;
      hasBegun = true;
      const stop = createClockStop(clock);
      slot?.onGiven((isGiven) => stop.set(isGiven));
      tell({ kind: "started" });
    },
    async hold(work) {
      holds++;
      try {
        return await (slot === undefined ? work(true) : slot.hold(work));
      } finally {
        holds--;
      }
    },
    async phase(name, step) {
      const start = performance.now();
      try {
        return await step();
      } finally {
        phasesMs[name] = round((phasesMs[name] ?? 0) + performance.now() - start);
      }
    },
    attribute(from, to, ms) {
      const moved = Math.min(Math.max(ms, 0), phasesMs[from] ?? 0);
      phasesMs[from] = round((phasesMs[from] ?? 0) - moved);
      phasesMs[to] = round((phasesMs[to] ?? 0) + moved);
    },
  };
}

/** A failure that names no tool came before the call: connecting failed. */
function toOutcome({ code, tool }: KeyholeError): CallOutcome {
  return tool !== undefined && isUnanswered(code) ? "unknown" : "failed";
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
