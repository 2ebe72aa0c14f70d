import { KeyholeError } from "../../errors.ts";
import type { CallResult, CallStage } from "./call.ts";

/** So much longer the server is waited for, so that the caller hears of its own limit. */
const LONGER_MS = 1000;

/**
 * A program's own limit is for all of its call, the server's start and its progress included; a server's `timeoutMs` is
 * for the time without a sign of life.
 */
export const deadline: CallStage = (call, next) => {
  const { timeoutMs } = call;
  return timeoutMs === undefined ? next(call) : withLimit(timeoutMs, call, next);
};

async function withLimit(
  timeoutMs: number,
  call: Parameters<CallStage>[0],
  next: Parameters<CallStage>[1],
): Promise<CallResult> {
  const passed = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(tooLate(call.server.name, call.tool.name, timeoutMs));
      passed.abort();
    }, timeoutMs);
  });
  const signal = AbortSignal.any([call.signal, passed.signal]);
  try {
    return await Promise.race([failure, next({ ...call, signal, timeoutMs: timeoutMs + LONGER_MS })]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(server: string, tool: string, timeoutMs: number): KeyholeError {
  const message = `Call of "${tool}" on server "${server}" failed: no answer within its own limit of ${timeoutMs} ms`;
  return new KeyholeError("timeout", message, { server, tool });
}
