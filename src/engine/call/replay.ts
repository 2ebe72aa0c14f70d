import { isUnanswered, KeyholeError, toKeyholeError } from "../../errors.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import { toDirectResult } from "../../result/receipt.ts";
import { toHash } from "../../text/hash.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import type { CallIdentity, ReplayedOutcome } from "../replay/replay-run.ts";
import type { Call, CallResult, CallStage } from "./call.ts";
import { toCallee } from "./callee.ts";

/**
 * In a run that may have to start over, a call that was made is answered from the record: it is not written down again, nobody
 * is asked again, nothing is done again. Of others, what comes back is on the disk before the program has it.
 */
export const replay: CallStage = async (call, next) => {
  const durable = call.run.gate?.durable;
  if (durable === undefined || call.number === undefined) return next(call);
  const identity = toIdentity(call, call.number);
  const known = recall(call, identity);
  if (known === "unknown") return keep(call, identity, next({ ...call, repeats: true }));
  return known === undefined ? keep(call, identity, next(call)) : answer(call, known);
};

/** The last word before a write leaves: from here on it may have been made, whatever happens to us. */
export const markSent: CallStage = async (call, next) => {
  const durable = call.run.gate?.durable;
  if (durable !== undefined && call.number !== undefined && isWrite(call))
    await durable.sent(toIdentity(call, call.number));
  return next(call);
};

function recall(call: Call, identity: CallIdentity): ReplayedOutcome | "unknown" | undefined {
  try {
    return call.run.gate?.durable?.recall(identity);
  } catch (error) {
    // Not the program's to catch: it would go on on a way that nobody knows.
    call.run.gate?.diverge(toKeyholeError(error));
    throw error;
  }
}

async function keep(call: Call, identity: CallIdentity, made: Promise<CallResult>): Promise<CallResult> {
  const durable = call.run.gate?.durable;
  try {
    const result = await made;
    const outcome = { ok: true, ...toKept(result.value) } as const;
    await durable?.ended(identity, { isWrite: isWrite(call), effect: "landed", outcome });
    return result;
  } catch (error) {
    const failure = toKeyholeError(error);
    // Of a run that was ended, nobody is told anything: what it did not hear it asks for again.
    if (call.signal.aborted || failure.code === "waiting") throw failure;
    const effect = call.trace.isSent && isUnanswered(failure.code) ? "unknown" : "failed";
    const outcome = { ok: false, code: failure.code, message: failure.message } as const;
    await durable?.ended(identity, { isWrite: isWrite(call), effect, outcome });
    throw failure;
  }
}

/** In the run's list and its receipt it is as it was. */
function answer(call: Call, known: ReplayedOutcome): CallResult {
  const { id, run, server, tool, args } = call;
  const named = { server: server.name, tool: tool.name };
  const record = run.startCall({ ...named, args, argumentsText: JSON.stringify(args) }, toCallee(call));
  if (!known.ok) {
    const failure = new KeyholeError(known.code, known.message, named);
    record.fail(failure, true);
    throw failure;
  }
  const value =
    known.form === "bytes" ? known.bytes : JSON.parse(Buffer.from(known.bytes).toString("utf8") || "null");
  const result = { value, content: [], from: { ...named, callId: id } };
  record.end(result, toDirectResult([], value));
  return result;
}

function toKept(value: unknown): { readonly form: "json" | "bytes"; readonly bytes: Uint8Array } {
  if (value instanceof Uint8Array) return { form: "bytes", bytes: value };
  if (value instanceof UnparsedJson) return { form: "json", bytes: value.bytes };
  return { form: "json", bytes: Buffer.from(JSON.stringify(value) ?? "") };
}

function toIdentity({ server, tool, args }: Call, number: number): CallIdentity {
  return { number, server: server.name, tool: tool.name, argumentsHash: toHash(JSON.stringify(args)) };
}

function isWrite({ tool }: Call): boolean {
  return toEffect(tool) !== "reads";
}
