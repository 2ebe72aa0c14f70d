import { homedir } from "node:os";
import { KeyholeError } from "../../errors.ts";
import { openStateDir } from "../../store/state-dir.ts";
import { toExcerpt } from "../../text/plain-text.ts";
import { isRunId } from "../../text/random-id.ts";
import { withTrail } from "../audit/trail-of-project.ts";
import { readJournal } from "../journal/read-journal.ts";
import { userDir } from "../project.ts";
import { cancelLeft } from "./cancel-left.ts";
import { markCancelled } from "./cancel-marks.ts";
import { noRun } from "./runs-of-project.ts";

/**
 * Ends a run of whatever process, or one that waits and is no process's, and returns when it has ended as cancelled. Works without the journal, too: then a run
 * has ended when the process that has it says so.
 */
export async function cancelRun(
  projectDir: string,
  runId: string,
  homeDir = homedir(),
  onNotice: (text: string) => void = () => {},
): Promise<void> {
  const name = JSON.stringify(toExcerpt(runId, 40));
  if (!isRunId(runId)) throw noRun(`${name} is no id of a run`);
  // Looked at anew each time: another process may make the journal, or mend it, meanwhile.
  const read = () =>
    readJournal(projectDir, (journal) => journal.getRun(runId), homeDir).catch(() => undefined);
  const readEnd = async () => {
    const run = await read();
    return run?.status === "done" || run?.status === "failed" ? run : undefined;
  };
  const now = await read();
  if (now?.status === "done" || now?.status === "failed") throw noRun(`The run ${name} has ended already`);
  const state = await openStateDir(projectDir, userDir({ homeDir, env: process.env }));
  const isLeft = now?.status === "lost" || (now?.status === "waiting" && now.endedAt !== undefined);
  const place = { projectDir, homeDir, onNotice };
  if (isLeft && (await withTrail(place, (trail) => cancelLeft(state, now, trail)))) return;
  const answer = await markCancelled(state, runId, async () => (await readEnd()) !== undefined);
  if (answer === "untaken") throw noRun(`No process runs ${name} here`);
  if (answer === "ending") throw stillEnding(name);
  const end = await readEnd();
  if (end !== undefined && end.kind !== "cancelled")
    throw noRun(`The run ${name} ended by itself before it was cancelled`);
}

function stillEnding(name: string): KeyholeError {
  return new KeyholeError("timeout", `The run ${name} was told to end, and has not ended yet`, {
    hint: "Look at it again in the list of runs",
  });
}
