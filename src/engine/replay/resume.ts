import { KeyholeError } from "../../errors.ts";
import type { Approvals } from "../../policy/approvals/approvals.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { RunRequest } from "../engine.ts";
import type { Journal } from "../journal/journal.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import { toProgramHash } from "./durable-run.ts";
import type { ReplayLog } from "./replay-log.ts";
import type { ReplayRun } from "./replay-run.ts";
import { assertFolder, type RunFolderContext } from "./run-folder.ts";

export type ResumeContext = RunFolderContext & {
  readonly replays: ReplayLog;
  readonly journal: Pick<
    Journal,
    "claimRun" | "isUsed" | "isClaimable" | "isTakenUp" | "getRun" | "listRuns"
  >;
  readonly approvals: Pick<Approvals, "list">;
  answerBy(approvalId: string): string;
  /** Whether a run is one of this process. */
  readonly active: Pick<ActiveRuns, "get">;
};

/** What a program that is sent goes on with. */
export type Resumable =
  | { readonly kept: ReplayRun; readonly held?: undefined }
  /** One that a person is asked for, or was, and that goes on in this process. */
  | { readonly held: string; readonly kept?: undefined };

/**
 * The run that a program goes on with: the one that was asked for, or one of the same program that waits for a person or was
 * interrupted. It is this process's from here on. Nothing where the program begins anew.
 */
export async function findResumable(
  request: RunRequest & { readonly language: string },
  context: ResumeContext,
): Promise<Resumable | undefined> {
  const { replays, journal } = context;
  const { code, language, session, resume } = request;
  const programHash = toProgramHash(code, language);
  if (resume === undefined) {
    if (!journal.isUsed()) return undefined;
    for (const id of await replays.find(session.principal, programHash)) {
      const kept = await replays.read(id);
      if (kept === undefined) continue;
      // Asked for twice, it would be done twice.
      if (context.active.get(id)?.run?.gate?.desk.hasAsked()) return { held: id };
      await assertNotAsked(id, context);
      if (kept.obstacle !== undefined) continue;
      if (await journal.isClaimable(id)) {
        await assertFolder({ id, workspace: session.workspace }, context);
        // Until it was ours, another process could go on with it.
        if (await journal.claimRun(id)) return readKept(id, replays);
      }
      // Sent twice at once, it would do twice what was asked for once.
      if (await journal.isTakenUp(id)) throw goesOnAlready(id);
    }
    return undefined;
  }
  const kept = await replays.read(resume);
  const name = JSON.stringify(toExcerpt(resume, 40));
  if (kept === undefined || kept.principal !== session.principal)
    throw (
      (await endedAlready(resume, request, context)) ??
      refusal(`There is no run ${name} that could go on`, "The list of runs shows those that wait")
    );
  if (kept.programHash !== programHash)
    throw refusal(`The run ${name} is one of another program`, "Give the program as it was, or none");
  if (kept.obstacle !== undefined)
    throw refusal(
      `The run ${name} can't go on from its record: ${kept.obstacle}`,
      "Look at what it did, and run the rest anew",
    );
  if (await journal.isClaimable(resume))
    await assertFolder({ id: resume, workspace: session.workspace }, context);
  if (!(await journal.claimRun(resume)))
    throw refusal(`The run ${name} has ended, or goes on already`, "The list of runs shows how it is");
  return readKept(resume, replays);
}

async function readKept(id: string, replays: ReplayLog): Promise<Resumable | undefined> {
  const kept = await replays.read(id);
  return kept && { kept };
}

/** Of others' runs nothing is said. */
async function endedAlready(
  id: string,
  { session }: RunRequest,
  { journal }: ResumeContext,
): Promise<KeyholeError | undefined> {
  const run = await journal.getRun(id);
  if (run?.principal !== session.principal || (run.status !== "done" && run.status !== "failed"))
    return undefined;
  const how = run.kind === undefined ? run.status : `${run.status}: ${toExcerpt(run.kind, 40)}`;
  return refusal(
    `The run "${id}" has ended (${how}): it can't go on`,
    "Look at what it did, and run the rest, or all of it, anew",
  );
}

/** Another process asks a person for it, or has asked: it goes on there. */
async function assertNotAsked(
  id: string,
  { journal, approvals, active, answerBy }: ResumeContext,
): Promise<void> {
  const run = await journal.getRun(id);
  if (run === undefined || run.endedAt !== undefined || run.status === "lost" || active.get(id)) return;
  const asked = await approvals.list({ runId: id });
  const open = asked.find(({ status }) => status === "pending");
  if (open !== undefined) throw isHeldElsewhere(id, open.id, answerBy(open.id));
  if (asked.length > 0) throw goesOnAlready(id);
}

function isHeldElsewhere(id: string, approval: string, way: string): KeyholeError {
  return refusal(
    `Nothing was begun: the same program waits for a person already, as run "${id}" of another process: approval ${approval}`,
    `${way}. After that its answer is there, not here: is it to be done once more, send it again then`,
  );
}

function goesOnAlready(id: string): KeyholeError {
  return refusal(
    `Nothing was begun: the same program goes on already, as run "${id}"`,
    "Wait for its answer. Is it to be done once more, send it again after that",
  );
}

function refusal(message: string, hint: string): KeyholeError {
  return new KeyholeError("usage", message, { hint });
}
