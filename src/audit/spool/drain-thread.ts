import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { errorMessage, KeyholeError } from "../../errors.ts";
import { noteEndedThread } from "../../store/ended-threads.ts";
import { createInlineDrain, type Drain, type DrainOptions } from "./drain.ts";
import { type DrainReply, type DrainRequest, fromPlainFailure } from "./drain-messages.ts";

/** The built file, also when this one runs as it was written. */
const WORKER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/audit/spool/drain-worker.js" : "./drain-worker.js",
    import.meta.url,
  ),
);
const MAX_HEAP_MB = 256;
/** A thread that nobody needs ends after a while. */
const IDLE_MS = 10_000;

type Waiter = { resolve(): void; reject(error: KeyholeError): void };

type Thread = {
  readonly worker: Worker;
  readonly id: number;
  readonly waiters: Map<number, Waiter>;
  readonly notices: Map<number, (text: string) => void>;
  holds: number;
  idle?: NodeJS.Timeout;
};

/** One for all logs of this process: starting it costs more than most of them have to write. */
let thread: Thread | undefined;
let drains = 0;
let tickets = 0;
let isRefused = false;

/** Started at the first `take`; in this thread where no other can be started. */
export function createThreadDrain(options: DrainOptions): Drain {
  const { place, onNotice } = options;
  const number = ++drains;
  let inline: Drain | undefined;
  let held = 0;
  let used: Thread | undefined;

  function ask(kind: DrainRequest["kind"]): Promise<void> {
    if (inline !== undefined) return inline[kind]();
    const asked = startThread();
    if (asked === undefined) {
      inline = createInlineDrain(options);
      return inline[kind]();
    }
    if (used !== asked) {
      used = asked;
      asked.notices.set(number, onNotice);
      changeHolds(asked, held);
    }
    const ticket = ++tickets;
    return new Promise((resolve, reject) => {
      asked.waiters.set(ticket, { resolve, reject });
      const request: DrainRequest = { kind, ticket, drain: number, place };
      asked.worker.postMessage(request);
    });
  }

  return {
    take: () => ask("take"),
    hold() {
      held++;
      if (used !== undefined) changeHolds(used, 1);
    },
    release() {
      held--;
      if (used !== undefined) changeHolds(used, -1);
    },
    async close() {
      if (inline !== undefined) return inline.close();
      if (used === undefined || used !== thread) return;
      const closing = used;
      changeHolds(closing, 1);
      try {
        await ask("close");
      } finally {
        closing.notices.delete(number);
        changeHolds(closing, -1);
        rest(closing);
      }
    },
  };
}

function startThread(): Thread | undefined {
  if (thread !== undefined) {
    clearTimeout(thread.idle);
    return thread;
  }
  if (isRefused || !existsSync(WORKER)) return undefined;
  try {
    const worker = new Worker(WORKER, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const started: Thread = { worker, id: worker.threadId, waiters: new Map(), notices: new Map(), holds: 0 };
    worker.on("message", (reply: DrainReply) => answer(started, reply));
    worker.on("error", (error) => end(started, errorMessage(error)));
    worker.on("exit", () => end(started, "it has ended"));
    worker.unref();
    thread = started;
    return started;
  } catch {
    isRefused = true;
    return undefined;
  }
}

function answer({ waiters, notices }: Thread, reply: DrainReply): void {
  if (reply.kind === "notice") {
    notices.get(reply.drain)?.(reply.text);
    return;
  }
  const waiter = waiters.get(reply.ticket);
  waiters.delete(reply.ticket);
  if (reply.failure === undefined) waiter?.resolve();
  else waiter?.reject(fromPlainFailure(reply.failure));
}

function end(ended: Thread, why: string): void {
  if (thread === ended) {
    thread = undefined;
    noteEndedThread(ended.id);
  }
  const failure = new KeyholeError("internal", `The thread that writes the audit log failed: ${why}`);
  for (const waiter of ended.waiters.values()) waiter.reject(failure);
  ended.waiters.clear();
}

function changeHolds(held: Thread, by: number): void {
  held.holds += by;
  if (held.holds > 0) held.worker.ref();
  else held.worker.unref();
}

function rest(resting: Thread): void {
  if (resting !== thread || resting.notices.size > 0) return;
  clearTimeout(resting.idle);
  resting.idle = setTimeout(() => {
    if (thread === resting) thread = undefined;
    void resting.worker.terminate();
  }, IDLE_MS).unref();
}
