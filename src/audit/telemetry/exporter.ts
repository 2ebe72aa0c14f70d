import { isRecord } from "../../text/is-record.ts";
import type { OtlpTarget } from "./settings.ts";

/** Sends requests to a collector, one after the other; what can't be sent is dropped and counted. */
export type Exporter = {
  /** Never waits, never throws. `items`: how many are in it. */
  send(body: Readonly<Record<string, unknown>>, items: number): void;
  /** Resolves when nothing is under way, at the latest when the signal says so: then the rest is dropped. */
  flush(signal: AbortSignal): Promise<void>;
};

export type ExporterOptions = {
  onDropped(items: number, why: DropReason): void;
  /** Whenever something was given up. */
  onProblem(text: string): void;
  /** Between attempts; tests have shorter ones. */
  readonly firstPauseMs?: number;
};

export type DropReason = "queue_full" | "failed" | "rejected";

type Waiting = { readonly text: string; readonly items: number };
type Attempt =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly why: string;
      readonly again?: { readonly afterMs: number } | "unreachable";
    };

const MAX_WAITING = 16;
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Those that OTLP says to try again. */
const TRY_AGAIN = [429, 502, 503, 504];

export function createExporter(
  { url, headers, timeoutMs }: OtlpTarget,
  { onDropped, onProblem, firstPauseMs = FIRST_PAUSE_MS }: ExporterOptions,
): Exporter {
  const waiting: Waiting[] = [];
  let waitingBytes = 0;
  let working: Promise<void> | undefined;
  const giveUp = new AbortController();
  /** Nobody is kept waiting at the end for a collector that is not there. */
  const ending = new AbortController();

  async function post(text: string): Promise<Attempt> {
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), giveUp.signal]);
    try {
      const response = await fetch(url, {
        method: "POST",
        // It would take the headers to where the config does not lead.
        redirect: "manual",
        headers: { ...headers, "content-type": "application/json" },
        body: text,
        signal: limit,
      });
      const answer = await readStart(response);
      if (response.ok) {
        const rejected = toRejected(answer);
        if (rejected > 0) onDropped(rejected, "rejected");
        return { ok: true };
      }
      const why = `it answers ${response.status}`;
      if (!TRY_AGAIN.includes(response.status)) return { ok: false, why };
      return { ok: false, why, again: { afterMs: toRetryMs(response.headers.get("retry-after")) } };
    } catch (error) {
      return { ok: false, why: toReason(error), again: "unreachable" };
    }
  }

  async function deliver({ text, items }: Waiting): Promise<void> {
    let pauseMs = firstPauseMs;
    for (let attempt = 1; ; attempt++) {
      const result = await post(text);
      if (result.ok) return;
      const { again } = result;
      const isLost = again === undefined || (again === "unreachable" && ending.signal.aborted);
      if (isLost || attempt >= MAX_ATTEMPTS || giveUp.signal.aborted) {
        onDropped(items, "failed");
        tell(result.why);
        return;
      }
      // Half of it is chance, so that many do not come back at once.
      const ownMs = pauseMs / 2 + Math.random() * (pauseMs / 2);
      const isAway = again === "unreachable";
      const waitMs = Math.max(ownMs, isAway ? 0 : again.afterMs);
      await pause(Math.min(LONGEST_PAUSE_MS, waitMs), isAway ? ending.signal : giveUp.signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  function tell(why: string): void {
    if (giveUp.signal.aborted) return;
    onProblem(`Telemetry can't be sent to ${url.origin}: ${why}. Runs go on without it`);
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      waitingBytes -= next.text.length;
      await deliver(next);
    }
    working = undefined;
  }

  return {
    send(body, items) {
      const text = JSON.stringify(body);
      const isFull = waiting.length >= MAX_WAITING || waitingBytes + text.length > MAX_WAITING_BYTES;
      if (isFull || giveUp.signal.aborted) return onDropped(items, "queue_full");
      waiting.push({ text, items });
      waitingBytes += text.length;
      working ??= work();
    },
    async flush(signal) {
      ending.abort();
      const stop = () => giveUp.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      while (working !== undefined) await working;
      signal.removeEventListener("abort", stop);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener("abort", done, { once: true });
  });
}

/** As JSON, where it is short and is that; else nothing. */
async function readStart(response: Response): Promise<unknown> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  if (reader === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    pieces.push(value);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}

/** What a collector took part of. */
function toRejected(answer: unknown): number {
  const partial = isRecord(answer) ? answer["partialSuccess"] : undefined;
  if (!isRecord(partial)) return 0;
  const count = Number(partial["rejectedSpans"] ?? partial["rejectedDataPoints"] ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** In seconds; a date is passed over. */
function toRetryMs(header: string | null): number {
  const seconds = header === null ? 0 : Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}

/** By its code: a message may name more than it should. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return "it can't be reached";
  if (error.name === "TimeoutError") return "it does not answer in time";
  const cause: unknown = error.cause;
  const code = isRecord(cause) || cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  return typeof code === "string" ? `it can't be reached (${code})` : "it can't be reached";
}
