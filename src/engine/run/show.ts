import { type RunOutput, toModelText } from "../../result/model-text.ts";
import type { Outbox } from "../../result/outbox/outbox.ts";
import type { Receipt } from "../../result/receipt.ts";
import type { SavedResults } from "../../workspace/saved-results.ts";
import type { EngineTiers } from "../tiers/engine-tiers.ts";
import type { ShownRun } from "./conceal.ts";
import type { Run } from "./run-record.ts";
import { toScope } from "./session-keys.ts";
import { isNothing, withTokenNote } from "./token-note.ts";

type ShowContext = {
  readonly results: SavedResults;
  readonly outputTokens: number;
  outboxOf(principal: string): Outbox;
  /** How the user can answer, for the model to tell. */
  answerBy(approvalId: string): string;
  readonly tiers: Pick<EngineTiers, "withNote">;
};

/** What the model sees of a run that has ended. */
export function showEnding(run: Run, shown: ShownRun, context: ShowContext): Promise<string> {
  const { outcome } = shown;
  if (!outcome.ok && outcome.approval !== undefined)
    return showWaiting(run, shown, outcome.approval, context);
  return show(
    run,
    shown,
    outcome.ok
      ? { result: outcome.value, calls: [], ...(outcome.hint === undefined ? {} : { hint: outcome.hint }) }
      : { error: outcome.error, calls: run.callLog.calls, returned: run.callLog.returned },
    context,
  );
}

/** Tokens for the words that say how to go on. */
const NOTE_TOKENS = 90;

/** What the model sees of a run that can't go on before a person has answered. */
async function showWaiting(
  run: Run,
  ended: ShownRun,
  approval: string,
  context: ShowContext,
): Promise<string> {
  const obstacle = run.gate?.durable?.obstacleReason;
  const way =
    obstacle === undefined
      ? "Once it is answered, send exactly the same program again: it goes on from here, and nothing is done twice."
      : `It can't go on from here: ${obstacle}. Look at what it did, and send the rest as another program.`;
  const note = [
    `(the program waits for a person: approval ${approval}. Nothing that needs it was done.`,
    way,
    `${context.answerBy(approval)})`,
  ].join(" ");
  return showBefore(run, ended, note, context);
}

/** What it printed, and what is to be said of it. */
async function showBefore(run: Run, ended: ShownRun, note: string, context: ShowContext): Promise<string> {
  const outbox = context.outboxOf(run.request.session.principal);
  if (run.logs.length === 0) return outbox.text(note);
  const outputTokens = (run.request.limits?.outputTokens ?? context.outputTokens) - NOTE_TOKENS;
  const shown = await show(run, ended, { calls: [] }, { ...context, outputTokens }, outputTokens);
  return outbox.text(`${shown}\n${note}`);
}

/** Of a run that is held: it goes on by itself. */
export function toHeldNote(
  asked: readonly string[],
  runId: string,
  answerBy: (approvalId: string) => string,
): string {
  return [
    `the program waits for a person: approval ${asked.join(" and approval ")}. Nothing that needs it was done.`,
    `${asked.map(answerBy).join(". ")}.`,
    `Then it goes on by itself, as run ${runId}: what it comes to, in a next program: return await runs.result("${runId}")`,
  ].join(" ");
}

/** What the model sees of a run that goes on: what it printed so far, and how to get the rest. */
export async function showSoFar(run: Run, soFar: ShownRun, context: ShowContext): Promise<string> {
  const isQueued = run.status === "queued";
  const asked = run.gate?.desk.open() ?? [];
  const goesOn = [
    isQueued
      ? `(the program waits for its turn as run ${run.id}.`
      : `(the program goes on as run ${run.id}; it has made ${run.calls.length === 1 ? "1 call" : `${run.calls.length} calls`}.`,
    `What it comes to, in a next program: return await runs.result("${run.id}"))`,
  ].join(" ");
  const note = asked.length === 0 ? goesOn : `(${toHeldNote(asked, run.id, context.answerBy)})`;
  return showBefore(run, soFar, note, context);
}

/**
 * What the run has cost so far, or in all. What is emitted is meant for the user, but most clients show it to the model
 * too. Of a run that was answered before its end, the rest is shown by the program that asks for it.
 */
export function toReceipt(run: Run, text: string, emitted: readonly unknown[]): Receipt {
  const seen = [run.answered ?? text, ...emitted.flatMap(textOf)].join("\n");
  const receipt = run.book.finish({ code: run.request.code, text: seen, phasesMs: run.phasesMs });
  return { ...receipt, ...(run.network && { network: run.network }), ...(run.tier && { tier: run.tier }) };
}

async function show(
  run: Run,
  { logs, whole }: ShownRun,
  output: Omit<RunOutput, "runId" | "logs" | "code">,
  { results, outputTokens, outboxOf, tiers }: ShowContext,
  budgetTokens = run.request.limits?.outputTokens ?? outputTokens,
): Promise<string> {
  const { session, code } = run.request;
  const language = run.request.language === "python" ? "python" : "typescript";
  const { text } = await toModelText(
    { runId: run.id, logs, code, language, ...output, ...(whole && { whole }) },
    { budgetTokens, save: (name, content) => results.save(toScope(session), name, content) },
  );
  const noted = withTokenNote(
    outboxOf(session.principal).text(text),
    run,
    "result" in output && isNothing(output.result),
  );
  return tiers.withNote(noted, run);
}

function textOf(block: unknown): string[] {
  const isText =
    typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
  return isText ? [String(block.text)] : [];
}
