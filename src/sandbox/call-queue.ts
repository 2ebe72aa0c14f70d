export type CallQueue = {
  /** Runs now, or when another call of the same server has ended. `run` must not reject. */
  add(server: string, run: () => Promise<void>): void;
  /** Looks again whether waiting calls can start. */
  wake(): void;
};

/** Lets so many calls of a server run at once; the others wait in the order they came. */
export function createCallQueue(perServer: number, canStart: () => boolean): CallQueue {
  const lanes = new Map<string, { running: number; waiting: (() => Promise<void>)[]; started: number }>();

  function advance(server: string): void {
    const lane = lanes.get(server);
    while (lane && lane.running < perServer && canStart()) {
      const run = lane.waiting[lane.started];
      if (!run) {
        lane.waiting = [];
        lane.started = 0;
        return;
      }
      lane.started++;
      lane.running++;
      void run().then(() => {
        lane.running--;
        advance(server);
      });
    }
  }

  return {
    add(server, run) {
      const lane = lanes.get(server) ?? { running: 0, waiting: [], started: 0 };
      lanes.set(server, lane);
      lane.waiting.push(run);
      advance(server);
    },
    wake() {
      for (const server of lanes.keys()) advance(server);
    },
  };
}
