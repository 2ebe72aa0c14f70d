import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import { type DirectResult, toDirectResult } from "../../result/receipt.ts";
import { randomId } from "../../text/random-id.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import { tellDone, tellFailed, tellRefused } from "../audit/call-events.ts";
import type { EndedCall, Recorder } from "../recorder.ts";
import type { Call, CallResult, CallStage } from "./call.ts";
import { toCallee } from "./callee.ts";

export type CallRecorder = Pick<Recorder, "callStarted" | "callEnded">;

/** Writes each call down before anything else is done with it, and how it ended before anybody hears of that. */
export function createRecord(recorder: CallRecorder | undefined): CallStage {
  return async (call, next) => {
    const { id, run, args, trace } = call;
    const { name: server } = call.server;
    const { name: tool } = call.tool;
    const startMs = performance.now();
    const argumentsText = JSON.stringify(args);
    recorder?.callStarted({ id, runId: run.id, server, tool, argumentsText, startedAt: Date.now() });
    const record = run.startCall(
      { server, tool, args, argumentsText },
      toCallee(call, run.request?.language),
      trace,
    );
    const { trail } = run;
    trace.argumentsText = argumentsText;
    let done: { result: CallResult; direct: DirectResult; tokens: number; ms: number };
    try {
      const result = await next(call);
      const direct = result.large ?? toDirectResult(result.content, result.value);
      const ms = performance.now() - startMs;
      const isCached = result.isCached === true;
      const ended = toEnded(id, result.value, direct.text, ms);
      recorder?.callEnded(trace.isLookedFor === undefined ? ended : { ...ended, isCached });
      done = { result, direct, tokens: record.end(result, direct, isCached), ms };
    } catch (error) {
      const failure = toKeyholeError(error);
      const ms = performance.now() - startMs;
      recorder?.callEnded({ id, ok: false, code: failure.code, resultBytes: 0, ms });
      const tokens = record.fail(failure, trace.isSent, !trace.isSent && call.repeat !== undefined);
      const told = trail && tellFailed(call, trail, failure, ms, tokens);
      if (told !== undefined) await told;
      throw failure;
    }
    if (trail !== undefined) tellDone(call, trail, done);
    return done.result;
  };
}

/** A call that cannot be made: there is no such tool, or its arguments are none. It leaves a record like any other. */
export function recordRefused(
  recorder: CallRecorder | undefined,
  { id, run, server, tool, args }: Pick<Call, "id" | "run"> & { server: string; tool: string; args: unknown },
  failure: KeyholeError,
): void {
  const { code } = failure;
  if (!recorder && !run.trail) return;
  const argumentsText = JSON.stringify(args) ?? "";
  tellRefused({ id, run, server, tool, args }, failure, argumentsText);
  recorder?.callStarted({ id, runId: run.id, server, tool, argumentsText, startedAt: Date.now() });
  recorder?.callEnded({ id, ok: false, code, resultBytes: 0, ms: 0 });
}

/** As the server of Keyhole's own tools, in records as in errors. */
export const OWN_SERVER = "keyhole";

/** One use of a tool of Keyhole's own. It is in the journal only: not in the run's list of calls, nor in its receipt. */
export async function recordOwn(
  recorder: CallRecorder,
  { runId, tool, args }: { readonly runId: string; readonly tool: string; readonly args: unknown },
  call: () => unknown,
): Promise<unknown> {
  const id = randomId("c");
  const startMs = performance.now();
  const argumentsText = JSON.stringify(args) ?? "";
  recorder.callStarted({ id, runId, server: OWN_SERVER, tool, argumentsText, startedAt: Date.now() });
  try {
    const value = await call();
    const text = value instanceof UnparsedJson ? "" : (JSON.stringify(value) ?? "");
    recorder.callEnded(toEnded(id, value, text, performance.now() - startMs));
    return value;
  } catch (error) {
    const { code } = toKeyholeError(error);
    recorder.callEnded({ id, ok: false, code, resultBytes: 0, ms: performance.now() - startMs });
    throw error;
  }
}

function toEnded(id: string, value: unknown, resultText: string, ms: number): EndedCall {
  if (value instanceof UnparsedJson) return { id, ok: true, resultBytes: value.bytes.length, ms };
  return { id, ok: true, resultText, resultBytes: Buffer.byteLength(resultText), ms };
}
