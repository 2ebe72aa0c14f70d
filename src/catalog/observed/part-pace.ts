import { setImmediate as nextTurn } from "node:timers/promises";

/** Parts of shapes that are gone through before others have their turn: a few milliseconds of work. */
const PARTS_A_TURN = 2_000;

/** For long work: told how much was done, it waits now and then until everybody else had a turn. */
export function createPartPace(): (parts: number) => Promise<void> {
  let done = 0;
  return async (parts) => {
    done += parts;
    if (done < PARTS_A_TURN) return;
    done = 0;
    await nextTurn();
  };
}
