import type { EventDetails, EventOutcome, TokenUse } from "../../audit/event.ts";
import { KeyholeError, toKeyholeError } from "../../errors.ts";
import type { Receipt, RunTier } from "../../result/receipt.ts";
import { type FailureKind, type RunFailure, toFailureKind } from "../../run-failure.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { FinishedRun } from "../engine.ts";
import { ledgerOf } from "../replay/ledger.ts";
import type { Run } from "../run/run-record.ts";
import { cancelledBy } from "../runs/cancelled-by.ts";
import { tellMoreRefused } from "./network-events.ts";
import { tellRevealed } from "./privacy-events.ts";
import { type RunTrail, toMasked, toMs } from "./run-trail.ts";
import { toToldFailure } from "./told-failure.ts";
import { toToldName } from "./told-names.ts";
import { commitSoon, toTotals } from "./trail.ts";

type Told = void | Promise<void>;

/** On the disk before anything of it is run. */
export function tellStarted(run: Run, { name, by }: Pick<RunTier, "name" | "by">): Told {
  const { trail, privacy, request, kept } = run;
  if (trail === undefined) return undefined;
  const { code, language = "typescript" } = request;
  const masked = privacy?.mask(code, language === "python" ? "python" : "typescript");
  trail.literals = masked?.found ?? [];
  const text = trail.contents === "none" || masked === undefined ? {} : { text: masked.text };
  const tier = { tier: name, tierBy: by };
  trail.progress = { tier, startMs: performance.now(), isEnded: false };
  trail.add(
    "run.started",
    {
      code: { ...trail.code, ...text },
      // Of one that there is not, it is what a client has sent.
      language: toMasked(toExcerpt(language, 40), privacy) ?? "",
      ...tier,
      ...modelOf(run),
      ...(kept !== undefined && { resumes: kept.id }),
    },
    { outcome: "ok" },
  );
  if (trail.literals.length > 0) {
    const values = new Map(trail.literals.map(({ class: kind, value }) => [value, kind]));
    trail.add("pii.found", { classes: toTotals(values.values()), where: "program" }, { outcome: "ok" });
  }
  return trail.commit();
}

/** Where its risk made a difference, on the disk before anything of it is run. */
export function tellPlaced({ trail, risk }: Run, { name, by, suggested }: RunTier): Told {
  if (trail?.progress === undefined) return undefined;
  const before = trail.progress.tier;
  const tier = { tier: name, tierBy: by, ...(suggested !== undefined && { suggestedTier: suggested }) };
  trail.progress.tier = tier;
  if (before.tier === name && suggested === undefined) return undefined;
  trail.add("run.placed", tier, { outcome: "ok", ...(risk && { risk: risk.level }) });
  return trail.commit();
}

export type RunEnd = {
  readonly status: "done" | "failed" | "waiting";
  readonly receipt: Receipt;
  readonly text: string;
  /** As it was shown: without values. */
  readonly error?: RunFailure | undefined;
  readonly kind?: FailureKind;
  /** For which it waits. */
  readonly approvals?: readonly string[];
};

/** On the disk before its answer leaves. */
export function tellEnded(run: Run, end: RunEnd): Told {
  const { trail, risk, calls } = run;
  if (trail?.progress === undefined || trail.progress.isEnded) return undefined;
  const { status, receipt, text, error } = end;
  const { tier, startMs } = trail.progress;
  trail.progress.isEnded = true;
  const kind = error?.kind ?? end.kind;
  tellRevealed(run, trail);
  tellMoreRefused(trail);
  if (kind !== undefined && LIMITS.has(kind))
    trail.add(
      "limit.hit",
      { limit: kind, message: messageOf(run, error) ?? kind },
      { outcome: "denied", ...(risk && { risk: risk.level }) },
    );
  const approvals = new Set([...trail.approvals, ...(end.approvals ?? [])]);
  const message = messageOf(run, error);
  const cancelled = cancelledBy(run.signal);
  const details: EventDetails["run.ended"] = {
    status,
    ...(kind !== undefined && { kind }),
    ...(message !== undefined && { message }),
    code: trail.code,
    output: withText(run, trail, text),
    ...(kind === "tier" ? NO_TIER : tier),
    ...modelOf(run),
    usage: toUsage(receipt),
    calls: calls.length,
    failedCalls: calls.reduce((sum, { ok, isUnderWay }) => (ok || isUnderWay ? sum : sum + 1), 0),
    ...(risk && { score: risk.score }),
    ...violationsOf(error),
    ...(approvals.size > 0 && { approvals: [...approvals] }),
    ...(kind === "cancelled" && cancelled && { cancelled }),
  };
  const outcome = outcomeOf(status, kind);
  return orUnwritten(run, () => {
    trail.add("run.ended", details, {
      outcome,
      durationMs: toMs(performance.now() - startMs),
      ...(risk && { risk: risk.level }),
      ...(message !== undefined && outcome !== "ok" && { error: message }),
    });
    return trail.commit();
  });
}

/** What it came to is not told where it can't be written down; what it changed is. */
function orUnwritten(run: Run, tell: () => Told): Told {
  const unwritten = (error: unknown): never => {
    const { message, hint } = toKeyholeError(error);
    const made = ledgerOf(run).filter(({ effect }) => effect !== "failed");
    const names = [...new Set(made.map(({ server, tool }) => `"${tool}" of "${server}"`))]
      .slice(0, 5)
      .join(", ");
    const did = made.length === 0 ? "It changed nothing" : `Its writes were made: ${names}`;
    throw new KeyholeError(
      "store_unusable",
      `The run has ended, but that can't be written down: ${message}. ${did}`,
      {
        ...(hint !== undefined && { hint }),
      },
    );
  };
  try {
    return tell()?.catch(unwritten);
  } catch (error) {
    return unwritten(error);
  }
}

export function toEndOf({
  status,
  receipt,
  text,
  error,
  for: waitsFor = [],
}: FinishedRun): Pick<RunEnd, "status" | "receipt" | "text" | "error" | "approvals"> {
  const approvals = waitsFor.flatMap((one) => (one.kind === "approval" ? [one.approvalId] : []));
  return { status, receipt, text, error, approvals };
}

/** There is an error in the place of an answer. That it can't be told stands behind the error that there is. */
export async function tellBroken(
  run: Run,
  receipt: Receipt,
  thrown: unknown,
  status: "failed" | "waiting",
): Promise<void> {
  const kind = toFailureKind(toKeyholeError(thrown).code);
  try {
    await tellEnded(run, { status, receipt, text: "", ...(status === "failed" && { kind }) });
  } catch {
    // Whoever waits for the run hears of the failure before it.
  }
}

/** Too many wait already. */
export function tellNotTaken({ trail }: Run, { code, message }: KeyholeError): void {
  if (trail === undefined || code !== "too_large") return;
  try {
    trail.add("limit.hit", { limit: "queue", message }, { outcome: "denied" });
    commitSoon(trail);
  } catch {
    // It is refused in any case.
  }
}

const NO_TIER = { tier: "none" };

const LIMITS: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "timeout",
  "cpu",
  "memory",
  "output",
  "calls",
  "frame",
  "disk",
  "too_large",
]);

function outcomeOf(status: RunEnd["status"], kind: FailureKind | undefined): EventOutcome {
  if (status === "done") return "ok";
  if (status === "waiting") return "waiting";
  if (kind === "denied") return "denied";
  return kind === "cancelled" ? "cancelled" : "failed";
}

function messageOf({ privacy, trail }: Run, error: RunFailure | undefined): string | undefined {
  return error && toToldFailure(error, trail?.contents ?? "none", privacy);
}

function violationsOf(error: RunFailure | undefined): { violations?: readonly string[] } {
  if (error?.kind !== "denied" || error.findings.length === 0) return {};
  return { violations: [...new Set(error.findings.map(({ rule }) => rule))] };
}

function modelOf({ request: { model }, privacy, trail }: Run): { readonly model?: string } {
  if (model === undefined || trail === undefined) return {};
  trail.model ??= toToldName(model, privacy);
  return { model: trail.model };
}

function withText({ privacy }: Run, trail: RunTrail, text: string) {
  const hashed = trail.hashed(text);
  return trail.contents === "all" && privacy !== undefined
    ? { ...hashed, text: privacy.mask(text).text }
    : hashed;
}

function toUsage({ seenTokens, codeTokens, keptTokens, directTokens, catalogTokens }: Receipt): TokenUse {
  const written = codeTokens === undefined ? {} : { codeTokens };
  return { seenTokens, ...written, keptTokens, directTokens, catalogTokens };
}
