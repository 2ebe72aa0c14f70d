import { setImmediate as nextTurn } from "node:timers/promises";
import { KeyholeError } from "../../errors.ts";
import type { FoundValue, LargeScanOptions, ScanJob, ScanReply } from "./scan-messages.ts";
import { createScanThreads, type ScanThread, type ThreadFailure } from "./scan-threads.ts";

/** What is personal in a large value, that the main thread never reads. */
export type LargeScan = {
  /** Each once, in the order in which it was met; at most `maxValues`. */
  readonly found: readonly FoundValue[];
  /** Whether there was more. */
  readonly isCut: boolean;
  /**
   * The same JSON with a text for each that was found, by its index, and `[CLASS]` for what was too many. What looks like a
   * token in the rest gets its tilde. Once: the thread is free for others then.
   */
  rewrite(replacements: readonly string[]): Promise<Uint8Array>;
  /** Lets the thread go; it does so by itself after a while. */
  close(): void;
};

export type ScanLarge = (
  json: Uint8Array,
  options: LargeScanOptions & { readonly signal?: AbortSignal | undefined },
) => Promise<LargeScan>;

export type ScanLimits = {
  readonly standardHeapMb: number;
  /** For each MB of JSON. */
  readonly heapMbPerMb: number;
  /** The part of the heap over which a thread gives up. */
  readonly budget: number;
  readonly maxMs: number;
  /** How long a thread waits for a rewrite. */
  readonly holdMs: number;
};

/** No JSON needs as much: a thread that is at its limit ends the process if it is parsing, or a table grows. */
const LIMITS: ScanLimits = {
  standardHeapMb: 768,
  heapMbPerMb: 160,
  budget: 0.6,
  maxMs: 60_000,
  holdMs: 30_000,
};
const MB = 1024 * 1024;
/** In one turn of the event loop. */
const BYTES_AT_ONCE = 4 * MB;
const REPLACEMENTS_AT_ONCE = 2_000;

export function createLargeScanner(limits: ScanLimits = LIMITS): ScanLarge {
  const threads = createScanThreads(limits);
  return async (json, { signal, ...options }) => {
    const heapMb = Math.max(limits.standardHeapMb, Math.ceil((json.byteLength / MB) * limits.heapMbPerMb));
    const thread = await threads.take(heapMb, signal);
    if (thread === undefined) throw toFailure("cancelled", json.byteLength);
    try {
      const { found, isCut } = await readFound(
        thread,
        json,
        { ...options, budgetMb: heapMb * limits.budget },
        limits.maxMs,
        signal,
      );
      const held = { thread, limits, signal, size: json.byteLength, values: found.length };
      return { found, isCut, ...(options.wantsRewrite ? hold(held) : letGo(thread)) };
    } catch (error) {
      thread.end();
      throw error;
    }
  };
}

/** Looks for personal values in JSON in a thread of its own. What it can't look at, for its size or depth, it refuses. */
export const scanLarge: ScanLarge = createLargeScanner();

async function readFound(
  thread: ScanThread,
  json: Uint8Array,
  options: Omit<ScanJob, "json">,
  maxMs: number,
  signal: AbortSignal | undefined,
): Promise<{ found: readonly FoundValue[]; isCut: boolean }> {
  const copy = await copyBytes(json);
  const size = json.byteLength;
  let reply = await thread.ask(
    { kind: "scan", job: { ...options, json: copy } },
    { transfer: [copy.buffer], maxMs, signal },
  );
  const found: FoundValue[] = [];
  for (;;) {
    if (typeof reply === "string" || reply.kind !== "found") throw toFailure(reply, size);
    for (const one of reply.part) found.push(one);
    if (reply.isLast) return { found, isCut: reply.isCut };
    reply = await thread.ask({ kind: "next" }, { maxMs, signal });
  }
}

/** The caller goes on with its own. */
async function copyBytes(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += BYTES_AT_ONCE) {
    await nextTurn();
    copy.set(bytes.subarray(at, at + BYTES_AT_ONCE), at);
  }
  return copy;
}

function letGo(thread: ScanThread): Pick<LargeScan, "rewrite" | "close"> {
  thread.tell({ kind: "forget" });
  thread.release();
  return {
    rewrite: () => Promise.reject(new KeyholeError("internal", "Cannot rewrite: this was not asked for")),
    close() {},
  };
}

type Held = {
  readonly thread: ScanThread;
  readonly limits: ScanLimits;
  readonly signal: AbortSignal | undefined;
  readonly size: number;
  readonly values: number;
};

/** The thread keeps the value until it is rewritten, or nobody wants that any more. */
function hold({ thread, limits, signal, size, values }: Held): Pick<LargeScan, "rewrite" | "close"> {
  const closing = new AbortController();
  const { maxMs, holdMs } = limits;
  let state: "held" | "rewriting" | "closed" = "held";

  const close = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", close);
    closing.abort();
    if (state === "held") {
      thread.tell({ kind: "forget" });
      thread.release();
    } else if (state === "rewriting") thread.end();
    state = "closed";
  };
  const timer = setTimeout(close, holdMs).unref();
  signal?.addEventListener("abort", close, { once: true });

  return {
    close,
    async rewrite(replacements) {
      if (state === "closed") throw isOver();
      if (state === "rewriting") throw new KeyholeError("internal", "Cannot rewrite twice at once");
      if (replacements.length !== values)
        throw new KeyholeError("internal", "Cannot rewrite: each value found needs its replacement");
      state = "rewriting";
      clearTimeout(timer);
      for (let at = 0; at < replacements.length; at += REPLACEMENTS_AT_ONCE) {
        thread.tell({ kind: "replacements", part: replacements.slice(at, at + REPLACEMENTS_AT_ONCE) });
        await nextTurn();
        if (closing.signal.aborted) throw isOver();
      }
      const reply = await thread.ask({ kind: "rewrite" }, { maxMs, signal: closing.signal });
      if (typeof reply !== "string" && reply.kind === "rewritten") {
        state = "held";
        close();
        return reply.json;
      }
      close();
      throw toFailure(reply, size);
    },
  };
}

function isOver(): KeyholeError {
  return new KeyholeError("cancelled", "Cannot rewrite: this was closed, or waited for too long");
}

const REASONS = {
  "out of memory": "the thread that looked ran out of memory",
  "out of time": "the thread that looked ran out of time",
  nested: "they are nested too deep, or under keys that are too long",
} as const;

/** Nothing of a value that could not be looked at goes on. */
function toFailure(reply: ScanReply | ThreadFailure, size: number): KeyholeError {
  const subject = `Cannot look for personal data in ${size} bytes of JSON`;
  const reason = typeof reply === "string" ? reply : reply.kind === "refused" ? reply.reason : "failed";
  if (reason === "cancelled") return new KeyholeError("cancelled", `${subject}: it was cancelled`);
  if (reason === "unreadable") return new KeyholeError("internal", `${subject}: they are none`);
  if (reason === "failed") return new KeyholeError("internal", `${subject}: the thread that looked failed`);
  return new KeyholeError("too_large", `${subject}: ${REASONS[reason]}`, { hint: "Ask for less at once" });
}
