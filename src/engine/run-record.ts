import { randomUUID } from "node:crypto";
import type { KeyholeError } from "../errors.ts";
import type { ToolResult } from "../mcp/unwrap.ts";
import { type ReceiptBook, toDirectResult } from "../result/receipt.ts";
import type { RunCall, RunEvent, RunRequest } from "./engine.ts";

export type LogEntry = { readonly level: "debug" | "info" | "warn" | "error"; readonly text: string };

/** What is written down of a run while it goes on. */
export type Run = {
  readonly id: string;
  readonly request: RunRequest;
  readonly calls: readonly RunCall[];
  readonly logs: readonly LogEntry[];
  readonly emitted: readonly unknown[];
  readonly phasesMs: Readonly<Record<string, number>>;
  log(entry: LogEntry): void;
  emit(block: unknown): void;
  startCall(server: string, tool: string, args: Record<string, unknown>): CallRecord;
  /** Times a step, also when it fails. */
  phase<T>(name: string, step: () => Promise<T>): Promise<T>;
};

export type CallRecord = { end(result: ToolResult): void; fail(error: KeyholeError): void };

export function createRun(request: RunRequest, book: ReceiptBook): Run {
  const calls: RunCall[] = [];
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
  return {
    id: randomUUID(),
    request,
    calls,
    logs,
    emitted,
    phasesMs,
    log(entry) {
      logs.push(entry);
      tell({ kind: "log", ...entry });
    },
    emit: (block) => {
      emitted.push(block);
    },
    startCall(server, tool, args) {
      const start = performance.now();
      const place = calls.push({ server, tool, ms: 0, ok: false }) - 1;
      tell({ kind: "call", server, tool, number: place + 1 });
      const finish = (ok: boolean, result: { text: string; mediaBlocks: number }) => {
        const ms = round(performance.now() - start);
        calls[place] = { server, tool, ms, ok };
        book.addCall({ server, tool, argumentsText: JSON.stringify(args), result });
        tell({ kind: "called", server, tool, ok, ms });
      };
      return {
        end: ({ content, value }) => finish(true, toDirectResult(content, value)),
        fail: ({ message }) => finish(false, { text: message, mediaBlocks: 0 }),
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
  };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
