import type { WallClock } from "../../sandbox/wall-clock.ts";

/** In all of a run: after it the clock goes on, and a run that only waits ends by its limit. */
const MAX_STOPPED_MS = 60 * 60_000;

/** Has a run's clock stand, for so long at most. */
export function createClockStop(clock: WallClock): { set(isStopped: boolean): void } {
  let leftMs = MAX_STOPPED_MS;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function goOn(): void {
    if (since === undefined) return;
    clearTimeout(timer);
    leftMs -= performance.now() - since;
    since = undefined;
    clock.resume();
  }

  return {
    set(isStopped) {
      if (!isStopped) return goOn();
      if (since !== undefined || leftMs <= 0) return;
      since = performance.now();
      clock.pause();
      timer = setTimeout(goOn, leftMs).unref();
    },
  };
}
