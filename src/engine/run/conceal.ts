import type { FoundValues } from "../../privacy/conceal/shown-values.ts";
import type { WorkspacePrivacy } from "../../privacy/workspace-privacy.ts";
import { takeMedia } from "../../result/outbox/media.ts";
import type { RunFailure } from "../../run-failure.ts";
import { eachText } from "../../text/each-text.ts";
import { mapTexts } from "../../text/map-texts.ts";
import { ledgerOf } from "../replay/ledger.ts";
import type { LedgerEntry } from "../replay/ledger-entry.ts";
import type { Outcome } from "./run.ts";
import type { LogEntry, Run } from "./run-record.ts";

/** What of a run may leave. */
export type ShownRun = {
  readonly outcome: Outcome;
  readonly logs: readonly LogEntry[];
  readonly emitted: readonly unknown[];
  readonly ledger: readonly LedgerEntry[];
  /** As the program made it, where that is something else: files that programs read are of their world. */
  readonly whole?: { readonly result?: unknown; readonly logs: readonly LogEntry[] };
};

/** Privacy: all that a run came to leaves the world of programs here, once. What it stands for is on the disk then. */
export async function concealRun(run: Run, outcome: Outcome): Promise<ShownRun> {
  const { privacy } = run;
  if (privacy === undefined)
    return { outcome, logs: run.logs, emitted: run.emitted, ledger: toLedger(run, outcome) };
  const found: FoundValues | undefined = run.trail && new Map();
  const logs = await concealLogs(run, found);
  const { id } = run.request.session;
  const emitted = await Promise.all(run.emitted.map((block) => concealBlock(block, privacy, id, found)));
  const shown = await concealOutcome(run, outcome, found);
  if (found) run.trail?.found(found, "answer");
  const ledger = toLedger(run, outcome);
  await privacy.commit();
  const isSame = shown === outcome && logs.every((entry, index) => entry === run.logs[index]);
  const result = outcome.ok ? { result: outcome.value } : {};
  const whole = isSame ? {} : { whole: { ...result, logs: run.logs } };
  return { outcome: shown, logs, emitted, ledger, ...whole };
}

/** The same of a run that goes on. */
export async function concealSoFar(run: Run): Promise<ShownRun> {
  return concealRun(run, { ok: true, value: undefined });
}

/** The bytes of a picture are no text. */
async function concealBlock(
  block: unknown,
  privacy: WorkspacePrivacy,
  session: string,
  found?: FoundValues,
): Promise<unknown> {
  const media = takeMedia(block);
  const shown = await privacy.showValue(media === undefined ? block : media.rest, session, found);
  return media === undefined ? shown : media.putBack(shown);
}

function toLedger(run: Run, outcome: Outcome): readonly LedgerEntry[] {
  return outcome.ok ? [] : ledgerOf(run);
}

async function concealLogs(
  { logs, privacy, request }: Run,
  found?: FoundValues,
): Promise<readonly LogEntry[]> {
  if (privacy === undefined) return logs;
  const shown: LogEntry[] = [];
  if (logs.length > 1)
    privacy.expectTexts(
      logs.map(({ text }) => text),
      request.session.id,
    );
  for (const entry of [...logs]) {
    const text = entry.isNotice
      ? privacy.filter(entry.text)
      : await privacy.showText(entry.text, request.session.id, found);
    shown.push(text === entry.text ? entry : { ...entry, text });
  }
  return shown;
}

async function concealOutcome(
  { privacy, request }: Run,
  outcome: Outcome,
  found?: FoundValues,
): Promise<Outcome> {
  if (privacy === undefined) return outcome;
  const { id } = request.session;
  if (outcome.ok) {
    const value = await privacy.showValue(outcome.value, id, found);
    return value === outcome.value ? outcome : { ...outcome, value };
  }
  if (outcome.error === undefined) return outcome;
  const texts = new Map<string, string>();
  eachText(outcome.error, (text) => texts.set(text, text));
  for (const text of texts.keys()) texts.set(text, await privacy.showText(text, id, found));
  const error = mapTexts(outcome.error, (text) => texts.get(text) ?? "");
  return error === outcome.error ? outcome : { ok: false, error: error as RunFailure };
}
