import { KeyholeError } from "../../errors.ts";
import { createShares, type Line, typicalMs, type Waiting } from "./shares.ts";

export type FairQueue = {
  /**
   * Runs a task when its turn has come. Principals take turns, and sessions within each: whoever used the least of late
   * comes first. The task is told whether others come before it while it runs. Throws at once when too many wait already.
   */
  run<T>(whose: Whose, task: (yieldsCpu: boolean) => Promise<T>, signal?: AbortSignal): Promise<T>;
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
  const all = { waitingPrograms: 0, waitingBytes: 0 };
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

  function wait({ principal, session, bytes }: Whose, signal: AbortSignal | undefined): Promise<Running> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      const line = shares.line(principal, session);
      assertRoom(line, bytes, all);
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
      line.waiting.add(entry);
      count(1);
      // Nobody else's turn comes by this.
      if (isPlaceFor()(line)) startNext();
      else lookLater();
    });
  }

  function end(ended: Running): void {
    running.delete(ended);
    shares.ended(ended.line, now() - ended.startedAt);
    startNext();
  }

  return {
    async run(whose, task, signal) {
      const started = await wait(whose, signal);
      try {
        return await task(started.yieldsCpu);
      } finally {
        end(started);
      }
    },
  };
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
