import type { Ruling } from "../../policy/approvals/rulings.ts";
import type { RunFailure } from "../../run-failure.ts";
import type { Folder } from "../../sandbox/sandbox.ts";
import type { Workspaces } from "../../workspace/workspace.ts";
import type { DurableRun } from "../replay/durable-run.ts";
import { createDurableRun } from "../replay/durable-run.ts";
import { keepAnew, mayTouchFiles, mentionsShared } from "../replay/run-folder.ts";
import { enterSandbox } from "../run/enter-sandbox.ts";
import type { Slot } from "../run/fair-queue.ts";
import type { Outcome, RunContext } from "../run/run.ts";
import type { Run } from "../run/run-record.ts";
import { CANCELLED } from "../run/to-failure.ts";
import type { PlacedProgram } from "../tiers/place-run.ts";
import { createPlanBook, type PlanBook } from "./plan-book.ts";

/**
 * Where a plan is wanted, runs the program once without its writes, and has a person asked for all of them at once. Approved, the
 * program runs for real: each of these writes is found to be approved, any other is asked for. Nothing where it may go on.
 */
export async function planFirst(
  run: Run,
  read: PlacedProgram,
  slot: Slot | undefined,
  context: RunContext,
): Promise<Outcome | undefined> {
  const { gate } = run;
  if (gate?.durable === undefined || gate.isPlanned !== true) return undefined;
  // One that goes on may be in the midst of its writes, or have been asked for before.
  if (gate.durable.writes.length > 0) return undefined;
  const before = run.kept && (await gate.desk.planned());
  if (before !== undefined) return toEnd(before, run);
  const book = createPlanBook();
  const shadow = run.shadow({ ...gate, durable: untilFirstWrite(gate.durable, book), plan: book });
  const outcome = await run.phase("plan", () => tryOut(shadow, read, slot, context));
  const kept = await context.replays.read(run.id);
  if (kept !== undefined) run.openGate({ ...gate, durable: createDurableRun(kept, context.replays) });
  if (book.writes.length === 0 || run.signal.aborted) return undefined;
  const guessFrom = book.guessFrom(read.facts, !outcome.ok);
  const plan = guessFrom === undefined ? {} : { guessFrom };
  return toEnd(await gate.desk.askAll(book.writes, plan), run);
}

/** Nothing where the program may go on. */
function toEnd(ruling: Ruling, { signal }: Run): Outcome | undefined {
  if (ruling.decision === "approved") return undefined;
  if (ruling.decision === "waiting") return { ok: false, approval: ruling.approval };
  if (signal.aborted) return { ok: false, error: CANCELLED };
  return { ok: false, error: toDenied(ruling) };
}

/** What it does in the workspace it does in a copy: others, and people, work in there meanwhile. */
async function tryOut(
  shadow: Run,
  read: PlacedProgram,
  slot: Slot | undefined,
  context: RunContext,
): Promise<Outcome> {
  const { id, request } = shadow;
  if (!mayTouchFiles(request.code, read.facts)) return enterSandbox(shadow, read, slot, context);
  const { workspace, principal } = request.session;
  const folder = await context.workspaces.folder(workspace);
  const isShared = mentionsShared(request.code, read.program);
  const shared = isShared ? await context.workspaces.sharedWith(principal) : [];
  const outcome = await inCopies(id, [folder, ...shared], context, ([own = folder, ...others]) => {
    const workspaces: Workspaces = {
      folder: async () => own,
      sharedWith: async () => others,
      measured: async () => {},
      use: (_folders, work) => work(),
    };
    return enterSandbox(shadow, read, slot, { ...context, workspaces });
  });
  await keepAnew({ id, workspace }, shadow.gate?.durable, context);
  return outcome;
}

/** Each by itself: a copy is made when all before it are. */
async function inCopies<T>(
  id: string,
  [folder, ...others]: readonly Folder[],
  context: Pick<RunContext, "kept">,
  work: (copies: readonly Folder[]) => Promise<T>,
): Promise<T> {
  if (folder === undefined) return work([]);
  const { known: _known, ...rest } = folder;
  return context.kept.inCopy(`${id}${others.length === 0 ? "" : `-${others.length}`}`, folder.dir, (dir) =>
    inCopies(id, others, context, (copies) => work([{ ...rest, dir, isForOnce: true }, ...copies])),
  );
}

/** After a stand-in was handed out, what comes back may be another thing when the writes are made: it is asked for again. */
function untilFirstWrite(durable: DurableRun, book: PlanBook): DurableRun {
  const isOver = () => book.isGuess;
  return {
    id: durable.id,
    steady: durable.steady,
    isResumed: durable.isResumed,
    writes: [],
    get obstacleReason() {
      return durable.obstacleReason;
    },
    obstacle: durable.obstacle,
    committed: durable.committed,
    onHappened: (news) => (isOver() ? undefined : durable.onHappened(news)),
    recall: (call) => (isOver() ? undefined : durable.recall(call)),
    timesMade: durable.timesMade,
    sent: async () => {},
    ended: async (call, end) => (isOver() ? undefined : durable.ended(call, end)),
    settled: durable.settled,
  };
}

function toDenied(ruling: Extract<Ruling, { readonly decision: "denied" | "unasked" }>): RunFailure {
  const why =
    ruling.decision === "denied"
      ? ruling.reason
      : ["there is no way by which a person could be asked", ...ruling.closed].join("; ");
  return {
    kind: "denied",
    message: `What the program would write is denied: ${why}`,
    findings: [],
    hint: "Nothing was written. Do without it, or tell the user what it is needed for",
  };
}
