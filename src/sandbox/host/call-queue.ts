import type { QueuePlace, ServerQueue } from "../server-queue.ts";

/** A promise that does not reject. `blocked`: not now, but when another one has ended; `skipped`: there was nothing to start. */
export type CallStart = Promise<void> | "blocked" | "skipped";

export type CallQueue<Call> = {
  add(server: ServerQueue, call: Call): void;
  /** Whether a call that is added now comes after others of this program that wait. */
  isBusy(server: ServerQueue): boolean;
  /** Starts one of the calls that wait, if any can be started now, and says whether it did. */
  startNext(): boolean;
  end(): void;
};

/** Of servers that have nothing to do: most programs call one again and again. */
const KEPT_LANES = 16;

/** The room that a call has at its server. */
export type CallRoom = {
  /** Others have it while something else is waited for, a person for example; after that the call waits for its turn again. */
  hold<T>(work: () => Promise<T>): Promise<T>;
};

/** A call that was held, and wants its room again. */
type Back = { readonly back: () => void };

type Lane<Call> = {
  readonly server: ServerQueue;
  readonly place: QueuePlace;
  readonly room: CallRoom;
  running: number;
  waiting: ({ readonly call: Call } | Back | undefined)[];
  started: number;
  /** So many of those that wait next were held before. */
  back: number;
};

/**
 * The calls of one program that wait, for each server in the order they came. Nothing starts by itself: whoever owns the
 * queue is told when something could, and starts one call at a time.
 */
export function createCallQueue<Call>(
  start: (call: Call, room: CallRoom) => CallStart,
  onReady: () => void,
): CallQueue<Call> {
  const lanes = new Map<ServerQueue, Lane<Call>>();
  /** Those that have a call to start and may ask for room, in turns. */
  const ready = new Set<Lane<Call>>();
  /** Of calls that are held. */
  const held = new Set<() => void>();
  let hasEnded = false;

  function open(server: ServerQueue): Lane<Call> {
    const place = server.join(() => {
      ready.add(lane);
      onReady();
    });
    const room: CallRoom = {
      async hold(work) {
        giveBack(lane);
        try {
          return await work();
        } finally {
          await comeBack(lane);
        }
      },
    };
    const lane: Lane<Call> = { server, place, room, running: 0, waiting: [], started: 0, back: 0 };
    lanes.set(server, lane);
    return lane;
  }

  function closeIfIdle(lane: Lane<Call>): void {
    if (lanes.size <= KEPT_LANES || lane.running > 0 || lane.started < lane.waiting.length) return;
    lanes.delete(lane.server);
    ready.delete(lane);
    lane.place.close();
  }

  /** Before the calls that have not begun, after those that came back before. */
  function comeBack(lane: Lane<Call>): Promise<void> {
    // Nobody starts anything any more: what was held must end, not wait.
    if (hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const back = () => {
        held.delete(back);
        resolve();
      };
      held.add(back);
      lane.waiting.splice(lane.started + lane.back++, 0, { back });
      ready.add(lane);
      onReady();
    });
  }

  function onEnded(lane: Lane<Call>): void {
    giveBack(lane);
    closeIfIdle(lane);
  }

  function giveBack(lane: Lane<Call>): void {
    lane.running--;
    lane.place.leave();
    // A call of another lane may have been blocked.
    if (ready.size > 0) onReady();
  }

  function begin(lane: Lane<Call>, next: { readonly call: Call } | Back): CallStart | "back" {
    if ("call" in next) return start(next.call, lane.room);
    lane.back--;
    next.back();
    return "back";
  }

  return {
    add(server, call) {
      const lane = lanes.get(server) ?? open(server);
      // Whoever waits already is told when there is room.
      if (lane.waiting.push({ call }) === 1) ready.add(lane);
    },
    isBusy(server) {
      const lane = lanes.get(server);
      return lane !== undefined && lane.started < lane.waiting.length;
    },
    startNext() {
      for (const lane of ready) {
        if (!lane.place.enter()) {
          ready.delete(lane);
          continue;
        }
        const next = lane.waiting[lane.started];
        const ended = next === undefined ? "skipped" : begin(lane, next);
        if (ended === "blocked" || ended === "skipped") lane.place.leave();
        if (ended === "blocked") return false;
        if (typeof ended !== "string") {
          lane.running++;
          void ended.then(() => onEnded(lane));
        }
        if (ended === "back") lane.running++;
        lane.waiting[lane.started] = undefined;
        lane.started++;
        // To the end, so that the program's other servers have their turn.
        ready.delete(lane);
        if (lane.started < lane.waiting.length) {
          ready.add(lane);
        } else {
          lane.waiting = [];
          lane.started = 0;
          closeIfIdle(lane);
        }
        return true;
      }
      return false;
    },
    end() {
      hasEnded = true;
      for (const { place } of lanes.values()) place.close();
      ready.clear();
      for (const back of held) back();
    },
  };
}
