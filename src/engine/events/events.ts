import type { EngineEvent, EventBody, EventSource } from "./event.ts";

/** What whoever watches an engine can ask for. */
export type Events = {
  /**
   * Events come in their order, each after what the listener returned for the one before has settled; what it throws is
   * nobody's concern. While it is behind, so many wait for it, and it is told how many more there were (`dropped`).
   */
  subscribe(filter: EventFilter, listener: EventListener): Subscription;
};

/** Absent keys say nothing: `{}` is everything. */
export type EventFilter = Partial<EventSource>;

export type EventListener = (event: EngineEvent) => unknown;

export type Subscription = {
  /** Tells what waits, unless the listener is at another event still; nothing comes after it. */
  end(): void;
};

export type EventHub = Events & {
  tell(source: EventSource, body: EventBody): void;
  isWatched(): boolean;
};

const MAX_WAITING = 1_000;
const MAX_WAITING_CHARS = 1_000_000;

type Subscriber = { tell(event: EngineEvent): void };

/** Telling costs next to nothing where nobody listens, and never waits for whoever does. */
export function createEvents(): EventHub {
  const subscribers = new Set<Subscriber>();
  let sequence = 0;
  return {
    tell({ runId, session, principal }, body) {
      sequence++;
      if (subscribers.size === 0) return;
      const event = { ...body, sequence, runId, session, principal };
      for (const subscriber of subscribers) subscriber.tell(event);
    },
    isWatched: () => subscribers.size > 0,
    subscribe(filter, listener) {
      const { tell, end } = createSubscriber(filter, listener);
      const subscriber = { tell };
      subscribers.add(subscriber);
      return {
        end() {
          if (subscribers.delete(subscriber)) end();
        },
      };
    },
  };
}

function createSubscriber(filter: EventFilter, listener: EventListener): Subscriber & { end(): void } {
  let waiting: EngineEvent[] = [];
  let waitingChars = 0;
  let dropped = 0;
  let last: EngineEvent | undefined;
  /** The listener returned a promise that has not settled. */
  let isBusy = false;
  let isScheduled = false;

  function deliver(): void {
    isScheduled = false;
    while (!isBusy) {
      const event = waiting.shift() ?? toDropped();
      if (event === undefined) return;
      waitingChars -= charsOf(event);
      hand(event);
    }
  }

  function hand(event: EngineEvent): void {
    try {
      const handled = listener(event);
      if (!isThenable(handled)) return;
      isBusy = true;
      handled.then(goOn, goOn);
    } catch {
      // Whoever listens may fail; the run goes on.
    }
  }

  function goOn(): void {
    isBusy = false;
    deliver();
  }

  function toDropped(): EngineEvent | undefined {
    if (dropped === 0 || last === undefined) return undefined;
    const { sequence, runId, session, principal } = last;
    const count = dropped;
    dropped = 0;
    return { kind: "dropped", count, sequence, runId, session, principal };
  }

  return {
    tell(event) {
      if (!isOf(event, filter)) return;
      const chars = charsOf(event);
      // In order: after the first that was dropped none is kept, until the listener has heard of it.
      const isFull = waiting.length >= MAX_WAITING || waitingChars + chars > MAX_WAITING_CHARS;
      if (isBusy && (dropped > 0 || isFull)) {
        dropped++;
        last = event;
        return;
      }
      waiting.push(event);
      waitingChars += chars;
      // Not on the stack of whoever tells: its time is counted.
      if (isBusy || isScheduled) return;
      isScheduled = true;
      queueMicrotask(deliver);
    },
    end() {
      deliver();
      waiting = [];
      dropped = 0;
    },
  };
}

function isOf(event: EngineEvent, { runId, session, principal }: EventFilter): boolean {
  return (
    (runId === undefined || runId === event.runId) &&
    (session === undefined || session === event.session) &&
    (principal === undefined || principal === event.principal)
  );
}

function charsOf(event: EngineEvent): number {
  return event.kind === "log" ? event.text.length : 0;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
