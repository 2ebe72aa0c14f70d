/** Time that can be stopped: while a person is being asked, or a call is open, a program's time does not run. */
export type WallClock = {
  /** Starts the time, once. */
  start(): void;
  /** What has passed since then, pauses left out. */
  passedMs(): number;
  /** Each pause wants its own resume; the clock runs when none is left. */
  pause(): void;
  resume(): void;
};

export function createWallClock(): WallClock {
  let passedBeforeMs = 0;
  let runningSince: number | undefined;
  let pauses = 0;
  let hasStarted = false;

  function passedMs(): number {
    return passedBeforeMs + (runningSince === undefined ? 0 : performance.now() - runningSince);
  }

  function go(): void {
    if (hasStarted && pauses === 0) runningSince ??= performance.now();
  }

  return {
    passedMs,
    start() {
      hasStarted = true;
      go();
    },
    pause() {
      pauses++;
      passedBeforeMs = passedMs();
      runningSince = undefined;
    },
    resume() {
      pauses = Math.max(0, pauses - 1);
      go();
    },
  };
}
