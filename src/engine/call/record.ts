import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import { toDirectResult } from "../../result/receipt.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import type { EndedCall, Recorder } from "../recorder.ts";
import type { Call, CallResult, CallStage } from "./call.ts";
import { toCallee } from "./callee.ts";

export type CallRecorder = Pick<Recorder, "callStarted" | "callEnded">;

/** Writes each call down before anything else is done with it, and how it ended before anybody hears of that. */
export function createRecord(recorder: CallRecorder | undefined): CallStage {
  return async (call, next) => {
    const { id, run, server, tool, args, trace } = call;
    const startedAt = performance.now();
    const argumentsText = JSON.stringify(args);
    const named = { server: server.name, tool: tool.name, argumentsText };
    recorder?.callStarted({ id, runId: run.id, ...named, startedAt: Date.now() });
    const record = run.startCall({ ...named, args }, toCallee(call));
    const end = (how: Omit<EndedCall, "id" | "ms">) =>
      recorder?.callEnded({ id, ...how, ms: performance.now() - startedAt });
    try {
      const result = await next(call);
      const direct = result.large ?? toDirectResult(result.content, result.value);
      end({ ok: true, ...toRecordedResult(result, direct.text) });
      record.end(result, direct);
      return result;
    } catch (error) {
      const failure = toKeyholeError(error);
      end({ ok: false, code: failure.code, resultBytes: 0 });
      record.fail(failure, trace.isSent);
      throw failure;
    }
  };
}

/** A call that cannot be made: there is no such tool, or its arguments are none. It leaves a record like any other. */
export function recordRefused(
  recorder: CallRecorder | undefined,
  { id, run, server, tool, args }: Pick<Call, "id" | "run"> & { server: string; tool: string; args: unknown },
  { code }: KeyholeError,
): void {
  const argumentsText = JSON.stringify(args) ?? "";
  recorder?.callStarted({ id, runId: run.id, server, tool, argumentsText, startedAt: Date.now() });
  recorder?.callEnded({ id, ok: false, code, resultBytes: 0, ms: 0 });
}

function toRecordedResult(
  { value }: CallResult,
  text: string,
): Pick<EndedCall, "resultText" | "resultBytes"> {
  if (value instanceof UnparsedJson) return { resultBytes: value.bytes.length };
  return { resultText: text, resultBytes: Buffer.byteLength(text) };
}
