import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KeyholeError } from "../../errors.ts";
import type { StateDir } from "../../store/state-dir.ts";
import { localPerson } from "../audit/trail-of-project.ts";

/**
 * How one process ends a run of another: a file in `.keyhole/cancel` with the run's id as its name. The process whose run
 * it is looks for it, has the run end, and gives the file another name; when the run has ended it removes the file.
 */

const FOLDER = "cancel";
const LOOK_EVERY_MS = 500;
const TAKEN_WITHIN_MS = 5_000;
const ENDED_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

type State = Pick<StateDir, "inFolder">;

/** `untaken`: no process says that the run is its own. `ending`: one does, but the run has not ended yet. */
export type CancelAnswer = "ended" | "ending" | "untaken";

/**
 * Leaves a mark and waits for what comes of it. Several may do so at once, and one that gives up takes the mark away: that
 * it is gone says nothing unless the run was seen ending.
 * @param isEnded whether the run is known to have ended
 */
export async function markCancelled(
  state: State,
  runId: string,
  isEnded: () => Promise<boolean>,
): Promise<CancelAnswer> {
  const startedAt = performance.now();
  let wasTaken = false;
  for (;;) {
    const mark = await findMark(state, runId);
    if (mark === "ending") wasTaken = true;
    // A mark that was left while another was being taken is nobody's any more.
    else if (wasTaken) break;
    else if (mark === undefined) {
      if (await isEnded()) return "ended";
      await leaveMark(state, runId);
    }
    const passedMs = performance.now() - startedAt;
    if (wasTaken && passedMs > ENDED_WITHIN_MS) return "ending";
    if (!wasTaken && passedMs > TAKEN_WITHIN_MS) break;
    await sleep(ASK_EVERY_MS);
  }
  await removeFiles(state, [runId]);
  return wasTaken || (await isEnded()) ? "ended" : "untaken";
}

export type CancelWatch = {
  /** Something runs, so that there is something to look for. */
  look(): void;
  /** When all runs have ended. */
  close(): Promise<void>;
};

/** @param underWay the ids of the runs that can be cancelled; only their files are looked for, whatever else lies there */
export function watchCancelMarks(
  state: State,
  underWay: () => readonly string[],
  cancel: (runId: string, person: string | undefined) => void,
): CancelWatch {
  /** Runs that were told to end, and whose files are still there. */
  const taken = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function lookNow(): Promise<void> {
    const runIds = underWay();
    const ended = [...taken].filter((runId) => !runIds.includes(runId));
    await tellEnded(ended);
    for (const runId of await findFiles(state, runIds)) {
      const person = await personOf(state, runId);
      await takeMark(state, runId);
      taken.add(runId);
      cancel(runId, person);
    }
  }

  async function tellEnded(runIds: readonly string[]): Promise<void> {
    await removeFiles(state, runIds.map(toTakenName));
    for (const runId of runIds) taken.delete(runId);
  }

  function look(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      lookNow()
        .catch(() => {})
        .finally(() => {
          timer = undefined;
          if (underWay().length + taken.size > 0) look();
        });
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  return {
    look,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // What stays there is nobody's trouble: no run has this id again.
      await tellEnded([...taken]).catch(() => {});
    },
  };
}

function toTakenName(runId: string): string {
  return `${runId}.ending`;
}

async function leaveMark(state: State, runId: string): Promise<void> {
  const isLeft = await state.inFolder([FOLDER], { make: true }, async ({ path }) => {
    try {
      // Never through a link.
      await writeFile(join(path, runId), "", { flag: "wx", mode: 0o600 });
    } catch (error) {
      // Somebody else has just left the same.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw cannotMark(error);
    }
    return true;
  });
  if (!isLeft) throw cannotMark();
}

function cannotMark(cause?: unknown): KeyholeError {
  return new KeyholeError(
    "file_conflict",
    "Cannot tell the process of the run: nothing can be written to .keyhole/cancel",
    {
      hint: "Make it a folder that can be written to, or end the process",
      cause,
    },
  );
}

async function findMark(state: State, runId: string): Promise<"asked" | "ending" | undefined> {
  const [ending] = await findFiles(state, [toTakenName(runId)]);
  if (ending !== undefined) return "ending";
  const [asked] = await findFiles(state, [runId]);
  return asked === undefined ? undefined : "asked";
}

async function findFiles(state: State, names: readonly string[]): Promise<string[]> {
  const found = await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
    const marked = names.map((name) =>
      lstat(join(path, name)).then(
        () => [name],
        () => [],
      ),
    );
    return (await Promise.all(marked)).flat();
  });
  return found ?? [];
}

/** Whose file it is. */
async function personOf(state: State, runId: string): Promise<string | undefined> {
  const uid = await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
    const mark = await lstat(join(path, runId)).catch(() => undefined);
    return mark?.uid;
  });
  return uid === undefined || uid === process.getuid?.() ? localPerson() : `user ${uid}`;
}

async function takeMark(state: State, runId: string): Promise<void> {
  await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
    // Somebody gave up waiting in this moment: the run ends all the same.
    await rename(join(path, runId), join(path, toTakenName(runId))).catch(() => {});
  });
}

async function removeFiles(state: State, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await state.inFolder([FOLDER], { make: false }, async ({ path }) => {
    await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
  });
}
