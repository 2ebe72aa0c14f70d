import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Answer, AnswerJob } from "./answer.ts";

/** Reads large answers off the main thread: it must stay free for everybody else. */
export type AnswerPool = {
  /** Why it could not be read, when it could not. */
  read(job: AnswerJob): Promise<Answer | "out of memory" | "out of time">;
};

type ReadOutcome = Answer | "out of memory" | "out of time";
type Task = { readonly job: AnswerJob; readonly resolve: (outcome: ReadOutcome) => void };
type Reader = { readonly worker: Worker; readonly heapMb: number; idle?: NodeJS.Timeout };

/** Two servers may be as slow as they like before a third waits. */
const MAX_READERS = 3;
const IDLE_MS = 30_000;
const MAX_READING_MS = 20_000;
const STANDARD_HEAP_MB = 768;

/** The built file, also when this one runs as it was written. */
const WORKER = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../../dist/mcp/large/answer-worker.js" : "./answer-worker.js",
    import.meta.url,
  ),
);

/** Each server has one answer read at a time, so that one that sends many does not hold up the others. */
export function createAnswerPool(): AnswerPool {
  const waiting: Task[] = [];
  const idle = new Set<Reader>();
  const busyServers = new Set<string>();

  function next(): void {
    if (busyServers.size >= MAX_READERS) return;
    const at = waiting.findIndex(({ job }) => !busyServers.has(job.server));
    const [task] = at === -1 ? [] : waiting.splice(at, 1);
    if (task === undefined) return;
    const { server } = task.job;
    busyServers.add(server);
    read(task.job)
      .then(task.resolve)
      .finally(() => {
        busyServers.delete(server);
        next();
      });
    next();
  }

  function read(job: AnswerJob): Promise<ReadOutcome> {
    const heapMb = heapFor(job);
    const reader = [...idle].find((one) => one.heapMb >= heapMb) ?? start(heapMb);
    idle.delete(reader);
    clearTimeout(reader.idle);
    const { worker } = reader;
    worker.ref();
    return new Promise((resolve) => {
      const settle = (outcome: ReadOutcome, isAlive: boolean) => {
        clearTimeout(timer);
        worker.off("message", answered).off("error", died).off("exit", died);
        if (isAlive) rest(reader);
        else void worker.terminate();
        resolve(outcome);
      };
      const answered = (answer: Answer) => settle(answer, true);
      const died = () => settle("out of memory", false);
      const timer = setTimeout(() => settle("out of time", false), MAX_READING_MS);
      worker.on("message", answered).on("error", died).on("exit", died);
      const bytes = toOwnBytes(job.bytes);
      worker.postMessage({ ...job, bytes }, [bytes.buffer]);
    });
  }

  function start(heapMb: number): Reader {
    const reader = startReader(heapMb);
    reader.worker.once("exit", () => idle.delete(reader));
    return reader;
  }

  /** One of the ordinary size stays warm for a while; large ones give their memory back. */
  function rest(reader: Reader): void {
    const { worker, heapMb } = reader;
    worker.unref();
    if (heapMb > STANDARD_HEAP_MB) {
      void worker.terminate();
      return;
    }
    idle.add(reader);
    reader.idle = setTimeout(() => {
      idle.delete(reader);
      void worker.terminate();
    }, IDLE_MS).unref();
  }

  return {
    read: (job) =>
      new Promise((resolve) => {
        waiting.push({ job, resolve });
        next();
      }),
  };
}

function startReader(heapMb: number): Reader {
  const worker = new Worker(WORKER, {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
    // Nothing of our environment, options or streams is its business.
    env: {},
    execArgv: [],
  });
  // Whatever it still has to say after its answer concerns nobody.
  worker.on("error", () => {});
  return { worker, heapMb };
}

/** By what is allowed, not by what is there: some JSON takes far more than its bytes. */
function heapFor({ limits }: AnswerJob): number {
  const mb = 1024 * 1024;
  const needed = 128 + (8 * limits.maxBytes) / mb + (256 * limits.maxValues) / mb;
  return Math.max(STANDARD_HEAP_MB, Math.ceil(needed));
}

/** Bytes that no other buffer shares, so that they can be handed over. */
function toOwnBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength;
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/** One for the process, started by the first large answer. */
export const ANSWER_POOL = createAnswerPool();
