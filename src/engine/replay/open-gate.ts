import type { Catalog } from "../../catalog/catalog.ts";
import { KeyholeError } from "../../errors.ts";
import type { ReadProgram } from "../../language/language.ts";
import { followAbort } from "../../mcp/on-abort.ts";
import type { PendingCall } from "../../policy/approvals/approval.ts";
import type { Desk } from "../../policy/approvals/desk.ts";
import type { Explanation, Policy } from "../../policy/permissions/policy.ts";
import type { ProgramFacts } from "../../policy/program-facts.ts";
import type { KeyholeCommand } from "../../text/keyhole-command.ts";
import type { SharedWorkspaces } from "../../workspace/shared-workspaces.ts";
import { toProgramExcerpt } from "../approvals/program-excerpt.ts";
import { toGravest } from "../audit/call-risk.ts";
import { toTotals } from "../audit/trail.ts";
import type { Journal } from "../journal/journal.ts";
import { mayAskForCommand } from "../own-tools/commands/command-permission.ts";
import { isPlanAsked, isPlanWanted, type PlanMode } from "../plan/plan-wish.ts";
import { createToolOf } from "../policy/judge-program.ts";
import type { Run } from "../run/run-record.ts";
import { createDurableRun, type DurableRun, newReplay, toProgramHash } from "./durable-run.ts";
import { ledgerOf } from "./ledger.ts";
import type { ReplayLog } from "./replay-log.ts";
import type { ReplayedSkill } from "./replay-run.ts";
import {
  keepFolder,
  mayRunCommands,
  mayTouchFiles,
  mentionsShared,
  type RunFolderContext,
  restoreFolder,
} from "./run-folder.ts";
import type { RunGate } from "./run-gate.ts";
import { assertSameSkills } from "./same-skills.ts";

export type GateContext = RunFolderContext & {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly desk: Desk;
  readonly command: KeyholeCommand;
  readonly replays: ReplayLog;
  readonly planMode: PlanMode;
  readonly shared: SharedWorkspaces;
  readonly journal: Pick<Journal, "committed" | "listRuns">;
};

/** What is about to run, as far as it matters here. */
export type GatedProgram = {
  readonly facts: ProgramFacts | undefined;
  readonly program: Pick<ReadProgram, "skills">;
};

/**
 * Opens what the calls of a run pass. A program that may call something which a person must be asked for is one that may have to
 * start over: its way is kept from the beginning. What its text shows of that is no wall: whatever it calls is asked for all the same.
 */
export async function openGate(
  run: Run,
  { facts, program }: GatedProgram,
  context: GateContext,
): Promise<void> {
  const skills = program.skills.map(({ name, hash }) => ({ name, hash }));
  if (run.kept !== undefined) assertSameSkills(run.kept, skills, context.command);
  const durable = await openDurable(run, facts, skills, context);
  const { session, askPerson } = run.request;
  const endWaiting = (approval: string) => run.stop({ kind: "waiting", approval });
  const toolOf = createToolOf(context.catalog);
  const desk = context.desk.open({
    id: run.id,
    session: session.id,
    principal: session.principal,
    signal: run.signal,
    about: (calls, plan) => ({
      ...(plan && { plan }),
      excerpt: toProgramExcerpt(run.request.code, calls, facts),
      written: ledgerOf(run),
      ...toRisk(run),
      ...(run.impact && { impact: run.impact }),
      ...(run.trail && {
        client: run.trail.client,
        classes: toClassesIn(run, calls),
        gravest: toGravest(calls.map(({ server, tool }) => toolOf(server, tool))),
      }),
    }),
    hold: run.hold,
    onAsked: once(run.noteAsked),
    endWaiting,
    isWaiting: () => run.stopped?.kind === "waiting",
    obstacle: () => (run.gate?.durable === undefined ? UNSEEN : run.gate.durable.obstacleReason),
    ...(askPerson === undefined ? {} : { askPerson }),
  });
  run.openGate({
    desk,
    command: context.command,
    isPlanned: isPlanned(run, durable, context),
    ...(durable === undefined ? {} : { durable }),
    over: run.stopSignal,
    ...createLeave(run),
    diverge: ({ message, server, tool }) =>
      run.stop({
        kind: "failed",
        error: { kind: "diverged", message, hint: DIVERGED, ...named(server, tool) },
      }),
    breakOff: ({ message }) =>
      run.stop({ kind: "failed", error: { kind: "store_unusable", message, hint: BROKEN_OFF } }),
  });
}

/** A write that is cut off is one of which nobody knows whether it was done: none is begun when the run is about to end. */
function createLeave(run: Run): Pick<RunGate, "wait" | "mayLeave"> {
  const { stopSignal } = run;
  let leaving: Promise<void> | undefined;
  const leave = async (approval: string) => {
    await Promise.race([run.gate?.durable?.settled(), aborted(stopSignal)]);
    run.stop({ kind: "waiting", approval });
  };
  return {
    wait(approval) {
      leaving ??= leave(approval);
      return leaving;
    },
    mayLeave: (signal) => (leaving === undefined ? undefined : untilAborted(signal)),
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise<void>((resolve) => followAbort(signal, resolve));
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw new KeyholeError("waiting", "The run waits for a person");
}

/** Calls that wait for the same answer are told of together. */
function once(tell: Run["noteAsked"]): Run["noteAsked"] {
  const told = new Set<string>();
  return (approval) => {
    if (!told.has(approval.id)) tell(approval);
    told.add(approval.id);
  };
}

/** What it was when it began, it stays: nobody gets around a plan by going on with the run. */
function isPlanned(run: Run, durable: DurableRun | undefined, { planMode }: GateContext): boolean {
  if (isPlanAsked(run, planMode)) return true;
  return run.kept === undefined ? durable !== undefined && isPlanWanted(run, planMode) : run.kept.isPlanned;
}

async function openDurable(
  run: Run,
  facts: ProgramFacts | undefined,
  skills: readonly ReplayedSkill[],
  context: GateContext,
): Promise<DurableRun | undefined> {
  const owner = { id: run.id, workspace: run.request.session.workspace };
  if (run.kept !== undefined) {
    if (mayTouchFiles(run.request.code, facts)) await restoreFolder(owner, context);
    return createDurableRun(run.kept, context.replays);
  }
  if (facts === undefined) return undefined;
  if (!isPlanAsked(run, context.planMode) && !(await mayAsk(run, facts, context))) return undefined;
  if (run.unread !== undefined) throw run.unread;
  const { code, language = "", session } = run.request;
  const fresh = newReplay({
    id: run.id,
    principal: session.principal,
    programHash: toProgramHash(code, language),
    isPlanned: isPlanWanted(run, context.planMode),
    ...(run.tier && { tier: run.tier.name, tierReason: run.tier.first ?? run.tier.by }),
    skills,
  });
  // Without its run nobody could go on with it.
  await context.journal.committed();
  const { leftBytes, expired } = await context.replays.makeRoom();
  for (const gone of expired) await context.kept.drop(gone).catch(() => {});
  if (leftBytes <= 0) throw noRoom(context.command);
  const { bytes, obstacle } = mayTouchFiles(code, facts)
    ? await keepFolder(owner, context, leftBytes)
    : { bytes: 0 };
  await context.replays.begin(fresh, bytes);
  const durable = createDurableRun(fresh, context.replays);
  if (obstacle !== undefined) await durable.obstacle(obstacle);
  else if (mayWriteShared(run, facts, context)) await durable.obstacle(SHARED);
  return durable;
}

/** Others write there meanwhile, so it can't be put back as it was. */
function mayWriteShared({ request }: Run, facts: ProgramFacts, { shared }: GateContext): boolean {
  const isMeant = mentionsShared(request.code) || mentionsShared(JSON.stringify(facts.files));
  return isMeant && shared.of(request.session.principal).some(({ access }) => access === "write");
}

const SHARED = "it may have written to a shared workspace, which others use meanwhile";

/** Others' questions are not taken back to ask another one. */
function noRoom(command: KeyholeCommand): KeyholeError {
  return new KeyholeError(
    "too_large",
    "Nothing ran: it may have to wait for a person, and what is kept for runs that wait is as much as may be kept",
    {
      hint: `Tell the user: what waits is shown by ${command("approvals list")}, and answered or denied it makes room, as does a larger "journal.maxKeptSize"`,
    },
  );
}

/**
 * By a rule for some arguments or hours, too: those of its calls are not known yet. What a rule allowed asks once it has changed, so its
 * server is asked before, as the call would have to. Nothing is remembered as allowed by it.
 */
async function mayAsk(run: Run, facts: ProgramFacts, { catalog, policy }: GateContext): Promise<boolean> {
  if (facts.dynamic.length > 0) return true;
  await policy.ready();
  const toolOf = createToolOf(catalog);
  const { principal, id, client } = run.request.session;
  const whose = { principal, session: id, client: client.name, now: new Date() };
  if (mayRunCommands(run.request.code, facts) && mayAskForCommand(policy, whose)) return true;
  const listTools = () => new Set(facts.tools.flatMap(({ server, tool }) => toolOf(server, tool) ?? []));
  const asks = () => [...listTools()].some((tool) => mayAskFor(policy.explain({ tool, args: {}, ...whose })));
  if (asks()) return true;
  const outdated = [...listTools()].filter(
    (tool) => !catalog.isCurrent(tool.server) && policy.remembers({ tool, args: {}, ...whose }),
  );
  if (outdated.length === 0) return false;
  const readings = [...new Set(outdated.map(({ server }) => server))].map(catalog.bringUpToDate);
  // One that can't be read fails its calls, which is not for here.
  await Promise.race([Promise.allSettled(readings), aborted(run.stopSignal)]);
  return asks();
}

function mayAskFor({ decision, verdicts, rules }: Explanation): boolean {
  if (decision === "ask" || rules.some((rule) => rule.decision === "ask")) return true;
  return verdicts.some(
    ({ by }) =>
      by.kind === "rule" &&
      (by.rule.args !== undefined || by.rule.onlyArgs === true || by.rule.time !== undefined),
  );
}

const MAX_LOOKED_AT = 50;

/** Of what a person will be shown. */
function toClassesIn({ privacy }: Run, calls: readonly Pick<PendingCall, "args">[]) {
  const found = calls
    .slice(0, MAX_LOOKED_AT)
    .flatMap(({ args }) => privacy?.mask(JSON.stringify(args)).found ?? []);
  return toTotals(new Map(found.map(({ class: kind, value }) => [value, kind])).values());
}

function toRisk({ risk }: Run) {
  return risk === undefined ? {} : { risk: { score: risk.score, level: risk.level } };
}

const UNSEEN = "that it would ask for anything could not be seen from its text, so its way was not kept";

const DIVERGED =
  "What it did before stands, and nothing was done twice: look at its writes, and run the rest as another program";

const BROKEN_OFF =
  "It was ended: what became of a call could not be written down. Look at its writes, and run the rest as another program";

function named(server: string | undefined, tool: string | undefined) {
  return server === undefined || tool === undefined ? {} : { server, tool };
}
