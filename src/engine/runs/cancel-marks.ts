import { lstat, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StateDir } from "../../store/state-dir.ts";

/**
 * How one process ends a run of another: a file in `.keyhole/cancel` with the run's id as its name. The process whose run
 * it is looks for it, ends the run, and removes the file, which is the answer.
 */

const FOLDER = "cancel";
const LOOK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 5_000;
const ASK_EVERY_MS = 100;

type State = Pick<StateDir, "inFolder">;

/** Names of files are made of it. */
export function isRunId(text: string): boolean {
  return /^r_[0-9a-f]{16}$/.test(text);
}

/** Returns whether some process had this run, and ended it. */
export async function markCancelled(state: State, runId: string): Promise<boolean> {
  const isMarked = await state.inFolder([FOLDER], { make: true }, async ({ path }) => {
    // Never through a link; one that is there already says the same.
    await writeFile(join(path, runId), "", { flag: "wx", mode: 0o600 }).catch(() => {});
    return true;
  });
  if (!isMarked) return false;
  for (let passedMs = 0; passedMs < ANSWER_WITHIN_MS; passedMs += ASK_EVERY_MS) {
    await sleep(ASK_EVERY_MS);
    if ((await findMarked(state, [runId])).length === 0) return true;
  }
  await removeMark(state, runId);
  return false;
}

export type CancelWatch = {
  /** Something runs, so that there is something to look for. */
  look(): void;
  close(): void;
};

/** @param underWay the ids of the runs that can be cancelled; only their files are looked for, whatever else lies there */
export function watchCancelMarks(
  state: State,
  underWay: () => readonly string[],
  cancel: (runId: string) => void,
): CancelWatch {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function lookNow(): Promise<void> {
    for (const runId of await findMarked(state, underWay())) {
      cancel(runId);
      await removeMark(state, runId);
    }
  }

  function look(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      lookNow()
        .catch(() => {})
        .finally(() => {
          timer = undefined;
          if (underWay().length > 0) look();
        });
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  return {
    look,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

async function findMarked(state: State, runIds: readonly string[]): Promise<string[]> {
  const found = await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
    const marked = runIds.map((runId) =>
      lstat(join(path, runId)).then(
        () => [runId],
        () => [],
      ),
    );
    return (await Promise.all(marked)).flat();
  });
  return found ?? [];
}

async function removeMark(state: State, runId: string): Promise<void> {
  await state.inFolder([FOLDER], { make: false }, ({ path }) => rm(join(path, runId), { force: true }));
}
