import { KeyholeError } from "../../errors.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import type { RunRequest } from "../engine.ts";
import type { Journal } from "../journal/journal.ts";
import { toProgramHash } from "./durable-run.ts";
import type { ReplayLog } from "./replay-log.ts";
import type { ReplayRun } from "./replay-run.ts";
import { assertFolder, type RunFolderContext } from "./run-folder.ts";

export type ResumeContext = RunFolderContext & {
  readonly replays: ReplayLog;
  readonly journal: Pick<Journal, "claimRun" | "isUsed" | "isClaimable" | "isTakenUp" | "listRuns">;
};

/**
 * The run that a program goes on with: the one that was asked for, or one of the same program that waits for a person or was
 * interrupted. It is this process's from here on. Nothing where the program begins anew.
 */
export async function findResumable(
  request: RunRequest & { readonly language: string },
  context: ResumeContext,
): Promise<ReplayRun | undefined> {
  const { replays, journal } = context;
  const { code, language, session, resume } = request;
  const programHash = toProgramHash(code, language);
  if (resume === undefined) {
    if (!journal.isUsed()) return undefined;
    for (const id of await replays.find(session.principal, programHash)) {
      const kept = await replays.read(id);
      if (kept === undefined || kept.obstacle !== undefined) continue;
      if (await journal.isClaimable(id)) {
        await assertFolder({ id, workspace: session.workspace }, context);
        // Until it was ours, another process could go on with it.
        if (await journal.claimRun(id)) return replays.read(id);
      }
      // Sent twice at once, it would do twice what was asked for once.
      if (await journal.isTakenUp(id)) throw goesOnAlready(id);
    }
    return undefined;
  }
  const kept = await replays.read(resume);
  const name = JSON.stringify(toExcerpt(resume, 40));
  if (kept === undefined || kept.principal !== session.principal)
    throw refusal(`There is no run ${name} that could go on`, "The list of runs shows those that wait");
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
  return replays.read(resume);
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
