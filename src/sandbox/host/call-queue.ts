/** A promise that does not reject. `blocked`: not now, but when another one has ended; `skipped`: there was nothing to start. */
export type Started = Promise<void> | "blocked" | "skipped";

export type CallQueue<Call> = {
  add(lane: string, call: Call): void;
  /** Whether a call that is added now would have to wait for others. */
  isBusy(lane: string): boolean;
  /** Starts one of the calls that wait, if any can be started now, and says whether it did. */
  startNext(): boolean;
};

type Lane<Call> = { readonly name: string; running: number; waiting: (Call | undefined)[]; started: number };

/**
 * Lets so many calls of a lane run at once; the others wait in the order they came. Nothing starts by itself: whoever owns
 * the queue is told when something could, and starts one call at a time.
 */
export function createCallQueue<Call>(
  perLane: number,
  start: (call: Call) => Started,
  onReady: () => void,
): CallQueue<Call> {
  const lanes = new Map<string, Lane<Call>>();
  /** Those that have a call to start and may, in turns. */
  const ready = new Set<Lane<Call>>();

  function onEnded(lane: Lane<Call>): void {
    lane.running--;
    if (lane.started < lane.waiting.length) ready.add(lane);
    else if (lane.running === 0) lanes.delete(lane.name);
    // A call of another lane may have been blocked.
    if (ready.size > 0) onReady();
  }

  return {
    add(name, call) {
      const lane = lanes.get(name) ?? { name, running: 0, waiting: [], started: 0 };
      lanes.set(name, lane);
      lane.waiting.push(call);
      if (lane.running < perLane) ready.add(lane);
    },
    isBusy(name) {
      const lane = lanes.get(name);
      return lane !== undefined && (lane.running >= perLane || lane.started < lane.waiting.length);
    },
    startNext() {
      const [lane] = ready;
      if (lane === undefined) return false;
      const call = lane.waiting[lane.started];
      const ended = call === undefined ? "skipped" : start(call);
      if (ended === "blocked") return false;
      lane.waiting[lane.started] = undefined;
      lane.started++;
      ready.delete(lane);
      if (ended !== "skipped") {
        lane.running++;
        void ended.then(() => onEnded(lane));
      }
      if (lane.started === lane.waiting.length) {
        lane.waiting = [];
        lane.started = 0;
        if (lane.running === 0) lanes.delete(lane.name);
      } else if (lane.running < perLane) {
        ready.add(lane);
      }
      return true;
    },
  };
}
