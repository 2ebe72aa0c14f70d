import { KeyholeError } from "../../errors.ts";
import { createShares, type Line, typicalMs, type Waiting } from "./shares.ts";

export type FairQueue = {
  /**
   * Runs a task when its turn has come. Principals take turns, and sessions within each: whoever used the least of late
   * comes first. Throws at once when too many wait already; else says at once that it is taken.
   */
  run<T>(
    whose: Whose,
    task: (slot: Slot) => Promise<T>,
    signal?: AbortSignal,
    onTaken?: () => void,
  ): Promise<T>;
};

/** A task's place among those that run. */
export type Slot = {
  /** Whether others come before it while it runs, for CPU time too. */
  readonly yieldsCpu: boolean;
  /**
   * Gives the slot to others while the task waits for something; before it goes on, its turn must have come again. The work is
   * told whether others have it: while too many hold theirs it stays.
   */
  hold<T>(work: (isGiven: boolean) => Promise<T>): Promise<T>;
  /** The listener is told when the slot is given to others, and when it is back. */
  onGiven(listener: (isGiven: boolean) => void): void;
};

export type Whose = {
  readonly principal: string;
  readonly session: string;
  /** What it takes to keep the program while it waits. */
  readonly bytes: number;
};

export type FairQueueOptions = {
  /** Programs of anybody that run at the same time. */
  readonly slots: number;
  /** What one program may take; beyond the slots there must be room for it. */
  readonly memoryBytes: number;
  readonly availableBytes?: () => number;
};

type Running = { readonly line: Line; readonly startedAt: number; readonly yieldsCpu: boolean };

/**
 * Programs that gave their slots back. They may use their processors all the same, so there are only so many of them;
 * one more keeps its slot while it waits.
 */
const MAX_HELD = { principal: 8, all: 32 };

const MIB = 1024 * 1024;

/**
 * Places beyond the slots, for whoever has nothing running: sessions; then those of them whose programs are known to be
 * short; then principals. Each kind leaves the places after it alone: sessions are free to make, principals are not.
 */
const SESSION_PLACES = 32;
const SHORT_PLACES = 4;
const PRINCIPAL_PLACES = 4;
/** Places for sessions are given to so few new programs at a time: starting a program is what costs others most. */
const NEW_AT_A_TIME = 2;
const NEW_MS = 2_000;
const SHORT_MS = 1_000;
const MUCH_USED_MS = 10_000;
const LOOK_AGAIN_MS = 100;

const MAX_WAITING = { session: 256, principal: 1_024, all: 4_096 };
const MAX_WAITING_BYTES = { principal: 64 * MIB, all: 256 * MIB };

export function createFairQueue({
  slots,
  memoryBytes,
  availableBytes = () => process.availableMemory(),
}: FairQueueOptions): FairQueue {
  const now = () => performance.now();
  const shares = createShares(now);
  const running = new Set<Running>();
  const all = { waitingPrograms: 0, waitingBytes: 0, held: 0 };
  let looksAgain = false;

  function startNext(): void {
    while (all.waitingPrograms > 0) {
      const line = shares.next(isPlaceFor());
      const [first] = line?.waiting ?? [];
      if (first === undefined) break;
      first.start();
    }
    lookLater();
  }

  /** Memory gets free, and programs are no longer new, without a word. */
  function lookLater(): void {
    if (all.waitingPrograms === 0 || looksAgain) return;
    looksAgain = true;
    setTimeout(() => {
      looksAgain = false;
      startNext();
    }, LOOK_AGAIN_MS).unref();
  }

  function isPlaceFor(): (line: Line) => boolean {
    const used = running.size;
    if (used < slots) return () => true;
    if (used >= slots + SESSION_PLACES + SHORT_PLACES + PRINCIPAL_PLACES) return () => false;
    const newOnes = countNew();
    // What old programs take is taken already; new ones may each still grow.
    if (availableBytes() < (newOnes + 1) * memoryBytes) return () => false;
    const forSessions = used < slots + SESSION_PLACES && newOnes < slots + NEW_AT_A_TIME;
    const forShort =
      used < slots + SESSION_PLACES + SHORT_PLACES && newOnes < slots + NEW_AT_A_TIME + SHORT_PLACES;
    return (line) => {
      if (line.principal.running === 0) return true;
      if (line.running > 0) return false;
      return forSessions || (forShort && isShort(line));
    };
  }

  function isBehindOthers(line: Line): boolean {
    if (isShort(line) && line.running === 0) return false;
    return running.size >= slots || line.running > 0 || line.usedMs > MUCH_USED_MS;
  }

  function countNew(): number {
    const since = now() - NEW_MS;
    let count = 0;
    for (const { startedAt } of running) if (startedAt > since) count++;
    return count;
  }

  /** @param isBack it ran before: it comes before others of its session, however many of them wait */
  function wait(
    line: Line,
    bytes: number,
    signal: AbortSignal | undefined,
    { isBack = false, onTaken = () => {} } = {},
  ): Promise<Running> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      if (!isBack) assertRoom(line, bytes, all);
      onTaken();
      const entry: Waiting = {
        since: now(),
        start() {
          leave();
          const started = { line, startedAt: now(), yieldsCpu: isBehindOthers(line) };
          running.add(started);
          shares.started(line);
          resolve(started);
        },
      };
      const count = (by: number) => {
        for (const whole of [line.principal, all]) {
          whole.waitingPrograms += by;
          whole.waitingBytes += by * bytes;
        }
      };
      const leave = () => {
        signal?.removeEventListener("abort", cancel);
        line.waiting.delete(entry);
        count(-1);
      };
      const cancel = () => {
        leave();
        reject(cancelled());
      };
      signal?.addEventListener("abort", cancel, { once: true });
      if (isBack) addFirst(line.waiting, entry);
      else line.waiting.add(entry);
      count(1);
      // Nobody else's turn comes by this.
      if (isPlaceFor()(line)) startNext();
      else lookLater();
    });
  }

  function leave(left: Running, tookMs?: number): void {
    running.delete(left);
    shares.left(left.line, tookMs);
    startNext();
  }

  /** The slot of a task that has started. It can be held by several calls of one program at a time. */
  function toSlot(first: Running, signal: AbortSignal | undefined): Slot & { end(): void } {
    const { line, startedAt, yieldsCpu } = first;
    let current: Running | undefined = first;
    let holds = 0;
    let isOut = false;
    let back: Promise<void> | undefined;
    let ending: AbortController | undefined;
    let isOver = false;
    let tell = (_isGiven: boolean) => {};

    function giveBack(): void {
      const { principal } = line;
      if (current === undefined || principal.held >= MAX_HELD.principal || all.held >= MAX_HELD.all) return;
      setOut(true);
      const left = current;
      current = undefined;
      leave(left);
    }

    function setOut(out: boolean): void {
      if (out === isOut) return;
      isOut = out;
      for (const share of [line, line.principal, all]) share.held += out ? 1 : -1;
      tell(out);
    }

    async function comeBack(): Promise<void> {
      ending = new AbortController();
      const until = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
      const found = await wait(line, 0, until, { isBack: true }).catch(() => undefined);
      back = undefined;
      if (found === undefined) return;
      // It may have ended between the place that it was given and this: nobody else would give that back.
      if (isOver) {
        leave(found, 0);
        return;
      }
      current = found;
      setOut(false);
      if (holds > 0) giveBack();
    }

    return {
      yieldsCpu,
      async hold(work) {
        if (++holds === 1) giveBack();
        try {
          return await work(current === undefined);
        } finally {
          if (--holds === 0 && current === undefined && !isOver) {
            back ??= comeBack();
            await back;
          }
        }
      },
      onGiven(listener) {
        tell = listener;
      },
      end() {
        isOver = true;
        ending?.abort();
        setOut(false);
        const tookMs = now() - startedAt;
        if (current !== undefined) leave(current, tookMs);
        current = undefined;
      },
    };
  }

  return {
    async run({ principal, session, bytes }, task, signal, onTaken) {
      const started = await wait(shares.line(principal, session), bytes, signal, { onTaken });
      const slot = toSlot(started, signal);
      try {
        return await task(slot);
      } finally {
        slot.end();
      }
    },
  };
}

function addFirst<Value>(values: Set<Value>, first: Value): void {
  const others = [...values];
  values.clear();
  for (const value of [first, ...others]) values.add(value);
}

function isShort(line: Line): boolean {
  return (typicalMs(line) ?? SHORT_MS) < SHORT_MS;
}

type Waitings = { readonly waitingPrograms: number; readonly waitingBytes: number };

function assertRoom({ waiting, principal }: Line, bytes: number, all: Waitings): void {
  if (waiting.size >= MAX_WAITING.session) throw tooMany(`${waiting.size} programs of this session`);
  for (const [of, programs, maxBytes] of [
    [principal, MAX_WAITING.principal, MAX_WAITING_BYTES.principal],
    [all, MAX_WAITING.all, MAX_WAITING_BYTES.all],
  ] as const) {
    if (of.waitingPrograms >= programs) throw tooMany(`${of.waitingPrograms} programs`);
    if (of.waitingBytes + bytes > maxBytes)
      throw tooMany(`${of.waitingPrograms} programs of ${Math.round(of.waitingBytes / MIB)} MB`);
  }
}

function tooMany(what: string): KeyholeError {
  return new KeyholeError("too_large", `Nothing ran: ${what} wait for their turn already`, {
    hint: "Run this one again when some of them have ended, or do the work of several programs in one",
  });
}

function cancelled(): KeyholeError {
  return new KeyholeError("cancelled", "Cancelled while waiting for other programs");
}
