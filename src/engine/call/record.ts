import { type KeyholeError, toKeyholeError } from "../../errors.ts";
import { toDirectResult } from "../../result/receipt.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import type { EndedCall, Recorder, StartedCall } from "../recorder.ts";
import type { Call, CallResult, CallStage } from "./call.ts";
import { toCallee } from "./callee.ts";

export type CallRecorder = Pick<Recorder, "callStarted" | "callEnded">;

/** Writes each call down before anything else is done with it, and how it ended before anybody hears of that. */
export function createRecord(recorder: CallRecorder | undefined): CallStage {
  return async (call, next) => {
    const { id, run, server, tool, args, trace } = call;
    const startedAt = performance.now();
    const named = { server: server.name, tool: tool.name, args, argumentsText: JSON.stringify(args) };
    if (recorder) tellStart(recorder, id, run.id, named);
    const record = run.startCall(named, toCallee(call));
    try {
      const result = await next(call);
      const direct = result.large ?? toDirectResult(result.content, result.value);
      const ms = performance.now() - startedAt;
      recorder?.callEnded({ id, ok: true, ...toRecordedResult(result, direct.text), ms });
      record.end(result, direct);
      return result;
    } catch (error) {
      const failure = toKeyholeError(error);
      const ms = performance.now() - startedAt;
      recorder?.callEnded({ id, ok: false, code: failure.code, resultBytes: 0, ms });
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
  if (!recorder) return;
  tellStart(recorder, id, run.id, { server, tool, argumentsText: JSON.stringify(args) ?? "" });
  recorder.callEnded({ id, ok: false, code, resultBytes: 0, ms: 0 });
}

function tellStart(
  recorder: CallRecorder,
  id: string,
  runId: string,
  { server, tool, argumentsText }: Pick<StartedCall, "server" | "tool" | "argumentsText">,
): void {
  recorder.callStarted({ id, runId, server, tool, argumentsText, startedAt: Date.now() });
}

function toRecordedResult(
  { value }: CallResult,
  text: string,
): Pick<EndedCall, "resultText" | "resultBytes"> {
  if (value instanceof UnparsedJson) return { resultBytes: value.bytes.length };
  return { resultText: text, resultBytes: Buffer.byteLength(text) };
}
