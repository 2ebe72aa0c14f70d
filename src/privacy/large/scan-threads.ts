import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ScanReply, ScanRequest } from "./scan-messages.ts";

/** A thread that looks at one value at a time. */
export type ScanThread = {
  /** Sends a message that has no answer. */
  tell(request: ScanRequest): void;
  ask(request: ScanRequest, options: AskOptions): Promise<ScanReply | ThreadFailure>;
  /** For the next: it has forgotten what it looked at. */
  release(): void;
  /** It may be in the midst of something. */
  end(): void;
};

export type ThreadFailure = "out of memory" | "out of time" | "cancelled" | "failed";

type AskOptions = {
  readonly transfer?: readonly ArrayBuffer[];
  readonly maxMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type ScanThreads = {
  /** In turn; nothing when the signal came first. */
  take(heapMb: number, signal?: AbortSignal): Promise<ScanThread | undefined>;
  /** Whether one waits for work. */
  isReady(): boolean;
};

type Kept = { readonly worker: Worker; readonly heapMb: number; timer?: NodeJS.Timeout };

const MAX_THREADS = 2;
const IDLE_MS = 30_000;
/** The last one stays longer: what it looks at nobody waits for. */
const LAST_IDLE_MS = 30 * 60_000;

/** The built file, also when this one runs as it was written. */
const WORKER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/privacy/large/scan-worker.js" : "./scan-worker.js",
    import.meta.url,
  ),
);

/** Started at the first need, and ended after a while without. One that waits for work keeps no process alive. */
export function createScanThreads({ standardHeapMb }: { readonly standardHeapMb: number }): ScanThreads {
  const idle = new Set<Kept>();
  const waiting: (() => void)[] = [];
  let taken = 0;

  function toThread(kept: Kept): ScanThread {
    let isGiven = false;
    const give = (isUsable: boolean) => {
      if (isGiven) return;
      isGiven = true;
      // A place is free when its memory is.
      if (!isUsable || kept.heapMb > standardHeapMb) void kept.worker.terminate().finally(passOn);
      else {
        rest(kept);
        passOn();
      }
    };
    return {
      tell: (request) => kept.worker.postMessage(request),
      ask: (request, options) => ask(kept.worker, request, options),
      release: () => give(true),
      end: () => give(false),
    };
  }

  function passOn(): void {
    const next = waiting.shift();
    if (next === undefined) taken--;
    else next();
  }

  function rest(kept: Kept): void {
    idle.add(kept);
    kept.timer = setTimeout(
      () => {
        idle.delete(kept);
        void kept.worker.terminate();
      },
      idle.size > 1 ? IDLE_MS : LAST_IDLE_MS,
    ).unref();
  }

  function start(heapMb: number): Kept {
    const [kept] = idle;
    if (kept !== undefined) {
      idle.delete(kept);
      clearTimeout(kept.timer);
      if (kept.heapMb >= heapMb) return kept;
      void kept.worker.terminate();
    }
    const started: Kept = { worker: startWorker(heapMb), heapMb };
    started.worker.once("exit", () => idle.delete(started));
    return started;
  }

  return {
    isReady: () => idle.size > 0,
    async take(heapMb, signal) {
      if (taken < MAX_THREADS) taken++;
      else if (!(await isCalled(waiting, signal))) return undefined;
      if (!signal?.aborted) return toThread(start(heapMb));
      passOn();
      return undefined;
    },
  };
}

/** Whoever gives up leaves the row. */
function isCalled(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const leave = () => {
      const at = waiting.indexOf(called);
      if (at !== -1) waiting.splice(at, 1);
      resolve(false);
    };
    const called = () => {
      signal?.removeEventListener("abort", leave);
      resolve(true);
    };
    if (signal?.aborted) return resolve(false);
    signal?.addEventListener("abort", leave, { once: true });
    waiting.push(called);
    return undefined;
  });
}

function startWorker(heapMb: number): Worker {
  const worker = new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 16 },
    // Nothing of our environment, options or streams is its business.
    env: {},
    execArgv: [],
  });
  worker.on("error", () => {});
  worker.unref();
  return worker;
}

/** While somebody waits for its answer it keeps the process alive. */
function ask(
  worker: Worker,
  request: ScanRequest,
  { transfer = [], maxMs, signal }: AskOptions,
): Promise<ScanReply | ThreadFailure> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve("cancelled");
    const settle = (outcome: ScanReply | ThreadFailure) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancelled);
      worker.off("message", settle).off("error", died).off("exit", ended);
      worker.unref();
      resolve(outcome);
    };
    const died = (error: unknown) => settle(isOutOfMemory(error) ? "out of memory" : "failed");
    const ended = () => settle("failed");
    const cancelled = () => settle("cancelled");
    const timer = setTimeout(() => settle("out of time"), maxMs);
    worker.on("message", settle).on("error", died).on("exit", ended);
    signal?.addEventListener("abort", cancelled, { once: true });
    worker.ref();
    try {
      worker.postMessage(request, transfer);
    } catch {
      settle("failed");
    }
    return undefined;
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
