import { randomBytes } from "node:crypto";
import type { ErrorCode, KeyholeError } from "../../errors.ts";
import type { ToolResult } from "../../mcp/unwrap.ts";
import { type Callee, type CallLog, createCallLog, type Outcome } from "../../result/call-log.ts";
import { type DirectResult, type ReceiptBook, toDirectResult } from "../../result/receipt.ts";
import type { RunCall, RunEvent, RunRequest } from "../engine.ts";
import type { Recorder } from "../recorder.ts";

export type LogEntry = {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly text: string;
  /** Said by Keyhole, not by the program. */
  readonly isNotice?: true;
};

/** What is written down of a run while it goes on. */
export type Run = {
  readonly id: string;
  readonly request: RunRequest;
  readonly calls: readonly RunCall[];
  /** The calls as the model is told of them when the program fails. Not for the journal: it has arguments. */
  readonly callLog: CallLog;
  readonly logs: readonly LogEntry[];
  readonly emitted: readonly unknown[];
  readonly phasesMs: Readonly<Record<string, number>>;
  log(entry: LogEntry): void;
  /** Once a run for each topic. */
  logOnce(topic: string, entry: LogEntry): void;
  emit(block: unknown): void;
  startCall(server: string, tool: string, args: Record<string, unknown>, callee: Callee): CallRecord;
  /** Times a step, also when it fails. */
  phase<T>(name: string, step: () => Promise<T>): Promise<T>;
  /** Says that part of a step's time was another's. */
  attribute(from: string, to: string, ms: number): void;
};

type CallEnding = DirectResult & { readonly code?: ErrorCode; readonly isUnread?: boolean };

export type CallRecord = { end(result: ToolResult): void; fail(error: KeyholeError): void };

export function createRun(request: RunRequest, book: ReceiptBook, recorder: Recorder): Run {
  const runId = `r_${randomBytes(8).toString("hex")}`;
  const calls: RunCall[] = [];
  const callLog = createCallLog();
  const told = new Set<string>();
  const logs: LogEntry[] = [];
  const emitted: unknown[] = [];
  const phasesMs: Record<string, number> = {};
  const tell = (event: RunEvent) => {
    try {
      request.onEvent?.(event);
    } catch {
      // Whoever listens may fail; the run goes on.
    }
  };
  const log = (entry: LogEntry) => {
    logs.push(entry);
    tell({ kind: "log", level: entry.level, text: entry.text });
  };
  return {
    id: runId,
    request,
    calls,
    callLog,
    logs,
    emitted,
    phasesMs,
    log,
    logOnce(topic, entry) {
      if (told.has(topic)) return;
      told.add(topic);
      log(entry);
    },
    emit: (block) => {
      emitted.push(block);
    },
    startCall(server, tool, args, callee) {
      const start = performance.now();
      const place = calls.push({ server, tool, ms: 0, ok: false }) - 1;
      const entry = callLog.start(callee, args);
      const id = `c_${randomBytes(8).toString("hex")}`;
      const argumentsText = JSON.stringify(args);
      recorder.callStarted({ id, runId, server, tool, argumentsText, startedAt: Date.now() });
      tell({ kind: "call", server, tool, number: place + 1 });
      const finish = (ok: boolean, result: CallEnding) => {
        const ms = round(performance.now() - start);
        calls[place] = { server, tool, ms, ok };
        const { text, code, isUnread = false } = result;
        const resultText = isUnread ? undefined : text;
        recorder.callEnded({ id, ok, code, resultText, resultBytes: Buffer.byteLength(text), ms });
        book.addCall({ server, tool, argumentsText, result });
        tell({ kind: "called", server, tool, ok, ms });
        // Media are not in the text, and are large.
        const resultChars = result.mediaBlocks > 0 ? Number.POSITIVE_INFINITY : result.text.length;
        return { args: argumentsText.length, result: resultChars };
      };
      return {
        end: ({ content, value, large }) => {
          if (large === undefined) entry.answered(value, finish(true, toDirectResult(content, value)));
          else entry.answered(large.outline, finish(true, { ...large, isUnread: true }));
        },
        fail: (error) =>
          entry.failed(
            toOutcome(error),
            finish(false, { text: error.message, mediaBlocks: 0, code: error.code }),
          ),
      };
    },
    async phase(name, step) {
      const start = performance.now();
      try {
        return await step();
      } finally {
        phasesMs[name] = round((phasesMs[name] ?? 0) + performance.now() - start);
      }
    },
    attribute(from, to, ms) {
      const moved = Math.min(Math.max(ms, 0), phasesMs[from] ?? 0);
      phasesMs[from] = round((phasesMs[from] ?? 0) - moved);
      phasesMs[to] = round((phasesMs[to] ?? 0) + moved);
    },
  };
}

/** After these nobody knows what the server did, if the call had reached it. */
const UNANSWERED: ReadonlySet<ErrorCode> = new Set([
  "timeout",
  "cancelled",
  "server_closed",
  "server_unreachable",
  "server_misbehaved",
  "too_large",
]);

/** A failure that names no tool came before the call: connecting failed. */
function toOutcome({ code, tool }: KeyholeError): Outcome {
  return tool !== undefined && UNANSWERED.has(code) ? "unknown" : "failed";
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
