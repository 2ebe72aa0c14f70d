/** What can wait a moment, done several at a time: alone, in the midst of something else, each takes three times as long. */
export type Postponed = {
  /** @param onFailure hears of it once, be it this work that failed or `settle` after it */
  add(work: () => void, onFailure: (error: unknown) => void): void;
  /** All of it, now and in order. Work that is being done does not begin the rest. */
  run(): void;
};

type Work = {
  readonly work: () => void;
  readonly onFailure: (error: unknown) => void;
  hasFailed: boolean;
};

const WAIT_MS = 20;
const MANY = 64;

/** @param settle once for all that was done together */
export function createPostponed(settle: () => void | Promise<void>): Postponed {
  let waiting: Work[] = [];
  let unsettled: Work[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  function run(): void {
    if (isRunning || waiting.length === 0) return;
    isRunning = true;
    const works = waiting;
    waiting = [];
    for (const each of works) {
      try {
        each.work();
      } catch (error) {
        fail(each, error);
      }
    }
    isRunning = false;
  }

  function end(): void {
    clearTimeout(timer);
    timer = undefined;
    const works = unsettled;
    unsettled = [];
    if (works.length === 0) return;
    const failed = (error: unknown) => {
      for (const each of works) fail(each, error);
    };
    run();
    try {
      settle()?.catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  return {
    add(work, onFailure) {
      const one = { work, onFailure, hasFailed: false };
      waiting.push(one);
      const count = unsettled.push(one);
      timer ??= setTimeout(end, WAIT_MS);
      if (count === MANY) setImmediate(end);
    },
    run,
  };
}

function fail(work: Work, error: unknown): void {
  if (work.hasFailed) return;
  work.hasFailed = true;
  work.onFailure(error);
}
