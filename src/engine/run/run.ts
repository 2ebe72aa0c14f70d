import { KeyholeError, toKeyholeError } from "../../errors.ts";
import type { ReadProgram } from "../../language/language.ts";
import type { Egress } from "../../network/egress.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import type { Outbox } from "../../result/outbox/outbox.ts";
import { type RunFailure, toFailureKind } from "../../run-failure.ts";
import type { SavedResults } from "../../workspace/saved-results.ts";
import type { StateStore } from "../../workspace/state/state-store.ts";
import type { AnomalyHeed } from "../audit/heed-anomaly.ts";
import { tellBroken, tellEnded, tellNotTaken, tellStarted, toEndOf } from "../audit/run-events.ts";
import type { Calls } from "../call/create-calls.ts";
import type { FinishedRun } from "../engine.ts";
import type { Journal } from "../journal/journal.ts";
import type { OpenLanguage, OpenLanguages } from "../open-languages.ts";
import type { RunCommandContext } from "../own-tools/commands/run-command.ts";
import type { ProjectSearch } from "../own-tools/search-of.ts";
import { planFirst } from "../plan/plan-first.ts";
import type { PlanMode } from "../plan/plan-wish.ts";
import type { Judge } from "../policy/judge-program.ts";
import { ledgerOf } from "../replay/ledger.ts";
import type { LedgerEntry } from "../replay/ledger-entry.ts";
import { type GateContext, openGate } from "../replay/open-gate.ts";
import type { RunReports } from "../runs/run-reports.ts";
import type { EngineSkills } from "../skills/open-engine-skills.ts";
import type { EngineTiers } from "../tiers/engine-tiers.ts";
import { placeRun } from "../tiers/place-run.ts";
import { concealRun, type ShownRun } from "./conceal.ts";
import { enterSandbox } from "./enter-sandbox.ts";
import type { FairQueue, Slot } from "./fair-queue.ts";
import type { Run } from "./run-record.ts";
import { toTurn } from "./session-keys.ts";
import { showEnding, toReceipt } from "./show.ts";
import { CANCELLED, noLanguage, noSandbox, withServerNames } from "./to-failure.ts";

export type RunContext = GateContext & {
  readonly queue: FairQueue;
  readonly languages: OpenLanguages;
  readonly tiers: EngineTiers;
  readonly calls: Calls;
  readonly results: SavedResults;
  /** What programs remember. */
  readonly state: StateStore;
  readonly skills: EngineSkills;
  readonly reports: RunReports;
  readonly journal: Journal;
  readonly egress: Egress;
  readonly checkTypes: boolean;
  readonly judge: Judge;
  /** Whether what programs write is planned and approved at once; nothing: by how much they risk. */
  readonly planMode: PlanMode;
  /** How the user answers an approval, in words. */
  answerBy(approvalId: string): string;
  readonly outputTokens: number;
  outboxOf(principal: string): Outbox;
  readonly search: ProjectSearch["answer"];
  /** Which commands programs may run. */
  readonly commands: Pick<RunCommandContext, "rules" | "permission">;
  /** What the watch for anomalies has to say. */
  readonly heed?: AnomalyHeed | undefined;
};

/** What the program came to. */
export type Outcome =
  | { ok: true; value: unknown; hint?: string }
  | { ok: false; error: RunFailure; approval?: undefined }
  /** A person must answer before it can go on. */
  | { ok: false; approval: string; error?: undefined };

/** A program from code to answer. The stages stand in the order in which a run passes them. */
export function runProgram(run: Run, context: RunContext): Promise<FinishedRun> {
  return inTurn(run, context, async (slot) => {
    const read = await announced(run, context, prepare(run, context));
    const placed = read.ok ? await placeRun(run, read, context) : read;
    if (placed.ok) await openGate(run, placed, context);
    const ended = placed.ok ? await planFirst(run, placed, slot, context) : placed;
    const came = ended ?? (placed.ok ? await enterSandbox(run, placed, slot, context) : placed);
    const outcome = withStopReason(run, came, context);
    const shown = await run.phase("conceal", () => concealRun(run, outcome));
    const text = await run.phase("result", () => showEnding(run, shown, context));
    const result = toFinishedRun(run, shown, text);
    await writeDown(run, result, context);
    if (placed.ok) await countSkills(placed.program, result, context);
    return result;
  });
}

/** Audit: that it runs is on the disk before anything of it is run. It is read in another process meanwhile. */
async function announced<Read>(run: Run, { tiers }: RunContext, reading: Promise<Read>): Promise<Read> {
  // Whoever waits for both hears of the failure that comes first.
  reading.catch(() => {});
  await sentOff();
  await tellStarted(run, tiers.demandedOf(run));
  return reading;
}

/** What was written in this turn is on its way. */
const sentOff = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the watch has ended says why. */
function withStopReason({ signal, request }: Run, outcome: Outcome, { heed }: RunContext): Outcome {
  if (outcome.ok || outcome.error?.kind !== "cancelled" || !signal.aborted) return outcome;
  const stop = heed?.stopOf(request.session);
  if (stop === undefined) return outcome;
  const { message, hint } = stop;
  return { ok: false, error: { ...outcome.error, message: `${CANCELLED.message}: ${message}`, hint } };
}

/** Queue: waits for its turn. Cancelled while it waits, it ends as any other run does. */
async function inTurn(
  run: Run,
  { queue, journal }: RunContext,
  stages: (slot: Slot | undefined) => Promise<FinishedRun>,
): Promise<FinishedRun> {
  const { session, code, language = "" } = run.request;
  const onTaken = () => journal.runTaken({ id: run.id, session, code, language, takenAt: Date.now() });
  const task = async (slot?: Slot) => {
    onTaken();
    journal.runStatus(run.id, "running");
    run.begin(slot);
    try {
      await journal.ready();
      return await stages(slot);
    } catch (error) {
      const kind = toFailureKind(toKeyholeError(error).code);
      const end = { id: run.id, receipt: toReceipt(run, "", []), endedAt: Date.now() };
      await tellBroken(run, end.receipt, error, isUntouched(run) ? "waiting" : "failed");
      if (isUntouched(run)) await journal.runEnded({ ...end, ...toJournalLedger(run), status: "waiting" });
      else await journal.runEnded({ ...end, status: "failed", kind });
      throw error;
    }
  };
  const whose = { principal: session.principal, session: session.id, bytes: code.length };
  return queue.run(whose, task, run.signal, onTaken).catch((error) => {
    if (run.status === "queued" && run.signal.aborted) return task();
    if (run.status === "queued") tellNotTaken(run, toKeyholeError(error));
    throw error;
  });
}

export type PreparedProgram = {
  readonly ok: true;
  readonly facts: ProgramFacts | undefined;
  readonly language: OpenLanguage;
  readonly program: ReadProgram & { readonly renamed?: string };
};

/** Prepare and check: the program as its guest runs it, its types against the tools it calls; in another process. */
async function prepare(
  run: Run,
  { languages, checkTypes, judge, skills: known }: RunContext,
): Promise<PreparedProgram | { readonly ok: false; readonly error: RunFailure }> {
  const { language: name, session } = run.request;
  if (run.signal.aborted) return { ok: false, error: CANCELLED };
  const language = findOpened(name, languages);
  if (language instanceof KeyholeError) return { ok: false, error: noSandbox(language) };
  if (language === undefined) return { ok: false, error: noLanguage(name, languages) };
  const code = enterCode(run, name ?? "");
  const read = await run
    .phase("prepare", async () => {
      const skills = await known.prepare(code, session.principal, run.signal);
      return language.readers.read(code, { types: checkTypes, turn: toTurn(session), skills });
    })
    .catch((error: unknown) => {
      if (!run.signal.aborted) throw error;
    });
  if (read === undefined) return { ok: false, error: CANCELLED };
  if (checkTypes) run.attribute("prepare", "check", read.checkMs);
  if (read.facts !== undefined) {
    const { risk, impact, refusal } = judge(read.facts, name);
    run.tellRisk(risk, impact);
    if (refusal !== undefined) return { ok: false, error: refusal };
  }
  if (!read.ok) return { ok: false, error: withServerNames(read.error, read.renamed) };
  const { skipped, hints = [] } = read;
  if (skipped !== undefined)
    run.log({ level: "warn", text: `(not type-checked: ${skipped})`, isNotice: true });
  for (const hint of hints) run.log({ level: "warn", text: `(types: ${hint})`, isNotice: true });
  return { ok: true, facts: read.facts, language, program: read };
}

/** The language, opened; why it can't be, where nothing on this machine runs it. */
function findOpened(
  name: string | undefined,
  languages: OpenLanguages,
): OpenLanguage | KeyholeError | undefined {
  try {
    return languages.find(name);
  } catch (error) {
    return toKeyholeError(error);
  }
}

/** Privacy: tokens in it become values, or values tokens, as the world is that it enters. */
function enterCode(run: Run, language: string): string {
  const { code, session } = run.request;
  if (run.privacy === undefined) return code;
  const entered = run.privacy.enterProgram(code, toLiteralsOf(language), session.id);
  if (entered.unknown.length > 0)
    run.log({ level: "warn", text: toUnknownTokens(entered.unknown), isNotice: true });
  return entered.code;
}

/** By whose rules texts are written in it. */
function toLiteralsOf(language: string): "typescript" | "python" {
  return language === "python" ? "python" : "typescript";
}

function toUnknownTokens(tokens: readonly string[]): string {
  const some = [...new Set(tokens)].slice(0, 3).join(", ");
  return `(${some}: no value is known for this; the program got it as text)`;
}

/** Result and receipt. */
function toFinishedRun(run: Run, shown: ShownRun, text: string): FinishedRun {
  const { id: runId, calls } = run;
  const { outcome, emitted } = shown;
  const logs = shown.logs.map(({ level, text: line }) => ({ level, text: line }));
  const facts = {
    runId,
    logs,
    calls,
    receipt: toReceipt(run, text, emitted),
    text,
    emitted,
    ...(run.risk && { risk: run.risk }),
    ...(run.impact && { impact: run.impact }),
  };
  if (outcome.ok) return { ...facts, ok: true, status: "done", result: outcome.value };
  const writes = shown.ledger;
  const ledger = writes.length === 0 ? {} : { ledger: writes };
  if (outcome.error !== undefined)
    return { ...facts, ...ledger, ok: false, status: "failed", error: outcome.error };
  const waitsFor = [{ kind: "approval", approvalId: outcome.approval }] as const;
  return { ...facts, ...ledger, ok: false, status: "waiting", for: waitsFor };
}

/** The journal has no arguments. */
function withoutArguments(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  return ledger.map(({ arguments: _arguments, ...entry }) => entry);
}

function toJournalLedger(run: Run): { ledger?: LedgerEntry[] } {
  const ledger = ledgerOf(run);
  return ledger.length === 0 ? {} : { ledger: withoutArguments(ledger) };
}

/** It was to go on, and its program did not begin: a server was away, or files were not as they were. It can still go on. */
function isUntouched({ kept, gate }: Run): boolean {
  return kept !== undefined && gate === undefined;
}

/** How often they were used, and how that ended. It is no reason to fail. */
async function countSkills(
  { skills }: ReadProgram,
  { status }: FinishedRun,
  { skills: known }: RunContext,
): Promise<void> {
  if (skills.length === 0 || status === "waiting") return;
  const names = skills.map(({ name }) => name);
  await known.used(names, status === "done").catch(() => {});
}

/** Audit log and journal: on the disk before the answer leaves. */
async function writeDown(
  run: Run,
  result: FinishedRun,
  { journal, replays, kept, state }: RunContext,
): Promise<void> {
  const { status, error, receipt, risk, ledger } = result;
  const told = tellEnded(run, {
    ...toEndOf(result),
    ...(isUntouched(run) && { status: "waiting" as const }),
  });
  if (told !== undefined) await told;
  await journal.runEnded({
    id: run.id,
    ...(isUntouched(run) ? { status: "waiting" } : { status, ...(error && { kind: error.kind }) }),
    receipt,
    ...(risk && { risk }),
    ...(ledger && { ledger: withoutArguments(ledger) }),
    endedAt: Date.now(),
  });
  if (status === "waiting") return;
  // Most ask nobody, and nothing is looked up for them.
  if (run.gate && (run.kept !== undefined || run.gate.desk.hasAsked()))
    await run.gate.desk.withdraw().catch(() => {});
  // What it returned and what it asked for is no longer needed, and is others' data.
  if (run.gate?.durable === undefined) return;
  await replays.forget(run.id).catch(() => {});
  await state.forgetRun(run.id).catch(() => {});
  await kept.drop(run.id).catch(() => {});
}
