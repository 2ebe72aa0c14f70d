import { isUnanswered, KeyholeError, toKeyholeError } from "../../errors.ts";
import { toEffect } from "../../policy/permissions/verbs.ts";
import { hasToken } from "../../privacy/token-text/has-token.ts";
import { toArgumentsLine } from "../../result/arguments-text.ts";
import { toDirectResult } from "../../result/receipt.ts";
import { toHash } from "../../text/hash.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import { tellReplayed } from "../audit/call-events.ts";
import type { Recalled, SentBefore } from "../replay/durable-run.ts";
import type { WriteEffect } from "../replay/ledger-entry.ts";
import type { CallEnd } from "../replay/replay-log.ts";
import type { CallIdentity } from "../replay/replay-run.ts";
import type { RunGate } from "../replay/run-gate.ts";
import type { Call, CallResult, CallStage, NextStage } from "./call.ts";
import { toCallee } from "./callee.ts";
import { toToldText } from "./program-error.ts";
import { OWN_SERVER } from "./record.ts";

/**
 * In a run that may have to start over, a call that was made is answered from the record: it is not written down again, nobody
 * is asked again, nothing is done again. Of others, what comes back is on the disk before the program has it.
 */
export const replay: CallStage = async (call, next) => {
  const durable = call.run.gate?.durable;
  if (durable === undefined || call.number === undefined) return next(call);
  const recorded = toIdentity(call, call.number);
  const known = recall(call.run.gate, recorded);
  if (known === undefined) return keep({ ...call, recorded }, next);
  if (known.ok === undefined) return keep({ ...call, recorded, repeat: known.sent }, next);
  return answer(call, known);
};

/** The last word before a write leaves: from here on it may have been made, whatever happens to us. */
export const markSent: CallStage = async (call, next) => {
  const { recorded, run, signal } = call;
  if (recorded !== undefined && isWrite(call)) {
    await run.gate?.mayLeave(signal);
    await run.gate?.durable?.sent(asMade(recorded, call));
  }
  return next(call);
};

/** One use of a tool of Keyhole's own, by a program. */
export type OwnCall = Partial<Pick<Call, "number" | "hold">> & {
  /** As it is in the run's record, where there is one. */
  readonly recorded?: CallIdentity;
  /** So often it was begun before, and nobody knows what became of it. */
  readonly repeat?: number;
  /** Of one that changes something: what became of that, so far. */
  effect?: WriteEffect;
  /** And what it was made with, in a line. */
  arguments?: string;
};

const NOT_KEPT = ["readFolder", "takeText", "noteFetch"];

/**
 * The same for what a program asks of Keyhole itself. Files of `./servers` are no part of it: they are read anew. Neither is
 * what came by the network: it is not kept.
 * @param ask is made where nothing is known
 */
export async function replayOwn(
  gate: RunGate | undefined,
  {
    number,
    hold,
    tool,
    args,
  }: Partial<Pick<Call, "number" | "hold">> & { readonly tool: string; readonly args: unknown },
  ask: (own: OwnCall) => Promise<unknown>,
): Promise<unknown> {
  if (gate?.durable === undefined || number === undefined || NOT_KEPT.includes(tool))
    return ask({ number, hold });
  const recorded = { number, server: OWN_SERVER, tool, argumentsHash: toHash(JSON.stringify(args) ?? "") };
  const known = recall(gate, recorded);
  if (known?.ok === true) return toValue(known);
  if (known?.ok === false) throw new KeyholeError(known.code, known.message);
  const own: OwnCall = { number, hold, recorded, ...(known && { repeat: known.sent }) };
  const toEnd = () => ({ isWrite: own.effect !== undefined, effect: own.effect ?? "landed" }) as const;
  const toMade = () => ({ ...recorded, ...(own.arguments !== undefined && { arguments: own.arguments }) });
  let value: unknown;
  try {
    value = await ask(own);
  } catch (error) {
    const { code, message } = toKeyholeError(error);
    if (!gate.over.aborted && code !== "waiting")
      await writeEnd(gate, toMade(), { ...toEnd(), outcome: { ok: false, code, message } });
    throw error;
  }
  await writeEnd(gate, toMade(), { ...toEnd(), outcome: { ok: true, ...toKept(value) } });
  return value;
}

function recall(gate: RunGate | undefined, identity: CallIdentity): Recalled | SentBefore | undefined {
  try {
    return gate?.durable?.recall(identity);
  } catch (error) {
    // Not the program's to catch: it would go on on a way that nobody knows.
    gate?.diverge(toKeyholeError(error));
    throw error;
  }
}

/** What can't be written down would be done twice, by a program that catches it or by one that starts over: the run ends. */
async function writeEnd(gate: RunGate | undefined, call: CallIdentity, end: CallEnd): Promise<void> {
  try {
    await gate?.durable?.ended(call, end);
  } catch (error) {
    gate?.breakOff(toKeyholeError(error));
    throw error;
  }
}

async function keep(call: Call & { readonly recorded: CallIdentity }, next: NextStage): Promise<CallResult> {
  const { recorded, trace, repeat, run } = call;
  let made: CallResult;
  try {
    made = await next(call);
  } catch (error) {
    const failure = toKeyholeError(error);
    // Of a run that was ended, nobody is told anything: what it did not hear it asks for again.
    if (run.gate?.over.aborted || failure.code === "waiting") throw failure;
    const isUnknown = trace.isSent ? isUnanswered(failure.code) : repeat !== undefined;
    const outcome = { ok: false, code: failure.code, message: toToldText(failure) } as const;
    const effect = isUnknown ? "unknown" : "failed";
    await writeEnd(run.gate, asMade(recorded, call), { isWrite: isWrite(call), effect, outcome });
    throw failure;
  }
  const outcome = { ok: true, ...toKept(made.value) } as const;
  await writeEnd(run.gate, asMade(recorded, call), { isWrite: isWrite(call), effect: "landed", outcome });
  return made;
}

/** In the run's list and its receipt it is as it was. */
function answer(call: Call, known: Recalled): CallResult {
  const { id, run, server, tool, args } = call;
  const named = { server: server.name, tool: tool.name };
  const isSent = known.sent > 0 || !known.isWrite;
  const made = known.arguments === undefined ? {} : { args: known.arguments };
  const argumentsText = JSON.stringify(args);
  tellReplayed(call, argumentsText, known.ok);
  const record = run.startCall({ ...named, args, argumentsText }, toCallee(call, run.request?.language), {
    isSent,
    ...made,
  });
  if (!known.ok) {
    const failure = new KeyholeError(known.code, known.message, named);
    record.fail(failure, isSent, known.isWrite && known.effect === "unknown");
    throw failure;
  }
  const value = toValue(known);
  noteTokens(run, known.bytes);
  const result = { value, content: [], from: { ...named, callId: id } };
  record.end(result, toDirectResult([], value));
  return result;
}

/** It was concealed when it came. */
function noteTokens(run: Call["run"], bytes: Uint8Array): void {
  if (run.privacy?.mode === "boundary" && hasToken(Buffer.from(bytes).toString("latin1"))) run.noteTokens?.();
}

function toValue({ form, bytes }: { readonly form: string; readonly bytes: Uint8Array }) {
  return form === "bytes" ? bytes : JSON.parse(Buffer.from(bytes).toString("utf8") || "null");
}

function toKept(value: unknown): { readonly form: "json" | "bytes"; readonly bytes: Uint8Array } {
  if (value instanceof Uint8Array) return { form: "bytes", bytes: value };
  if (value instanceof UnparsedJson) return { form: "json", bytes: value.bytes };
  return { form: "json", bytes: Buffer.from(JSON.stringify(value) ?? "") };
}

function toIdentity({ server, tool, args }: Call, number: number): CallIdentity {
  return { number, server: server.name, tool: tool.name, argumentsHash: toHash(JSON.stringify(args)) };
}

/** With what it was made with, which a person may have changed. */
function asMade(recorded: CallIdentity, call: Call): CallIdentity {
  if (!isWrite(call)) return recorded;
  const { run, trace, args } = call;
  const made = trace.args ?? args;
  return { ...recorded, arguments: toArgumentsLine(run.toTold?.(made) ?? made) };
}

function isWrite({ tool }: Call): boolean {
  return toEffect(tool) !== "reads";
}
