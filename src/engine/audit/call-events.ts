import { toCallMarks } from "../../audit/anomaly/call-marks.ts";
import type { CallMarks, EventOutcome, Hashed, Leave } from "../../audit/event.ts";
import { type ErrorCode, KeyholeError, toKeyholeError } from "../../errors.ts";
import { isGrave, toEffect } from "../../policy/permissions/verbs.ts";
import type { DirectResult } from "../../result/receipt.ts";
import { UnparsedJson } from "../../text/unparsed-json.ts";
import type { Call, CallResult } from "../call/call.ts";
import { toCallRisk } from "./call-risk.ts";
import { noteArguments } from "./privacy-events.ts";
import { type RunTrail, toMasked, toMs } from "./run-trail.ts";
import { toToldError } from "./told-failure.ts";
import { commitSoon, toTotals } from "./trail.ts";

type Told = void | Promise<void>;

/** On the disk before it is handed to its server: what it discloses, and that it may write. */
export function tellSent(call: Call, trail: RunTrail): Told {
  const { trace, tool, server, id } = call;
  const head = { call: id, server: server.name, tool: tool.name, risk: riskOf(call), outcome: "ok" } as const;
  const isWrite = toEffect(tool) !== "reads";
  const { revealed } = trace;
  if (revealed !== undefined && revealed.size > 0)
    trail.add("pii.revealed", { classes: toTotals(revealed.values()) }, head);
  // A read, too, can carry to one server what another one told: that it was read is on the disk before.
  else if (!isWrite && !isNewsTo(server.name, trail)) return undefined;
  if (isWrite)
    trail.add(
      "call.sent",
      { input: inputOf(call, trail), leave: leaveOf(call), definition: tool.hash, ...marksOf(call, trail) },
      head,
    );
  trail.heardOf = undefined;
  return trail.commitTogether();
}

/**
 * On the disk before anything leaves that came of it, since all else that is told takes it along; or a few milliseconds later. That it may
 * write is there since before it was sent. Where that can't be, the run ends: nobody may go on as if nothing had been done.
 */
export function tellDone(
  call: Call,
  trail: RunTrail,
  { result, direct, tokens, ms }: { result: CallResult; direct: DirectResult; tokens: number; ms: number },
): void {
  noteArguments(call, trail, textOf(call));
  trail.heardOf =
    trail.heardOf === undefined || trail.heardOf === call.server.name ? call.server.name : SEVERAL;
  const tell = () => {
    const { trace, tool, server, id } = call;
    const { value } = result;
    const output = trail.hashed(value instanceof UnparsedJson ? value.bytes : direct.text);
    const effect = toEffect(tool);
    trail.add(
      "call.ended",
      {
        input: inputOf(call, trail),
        output: withText(output, direct.text, call, trail),
        leave: leaveOf(call),
        isWrite: effect !== "reads",
        ...(isGrave(effect) && { isDestructive: true }),
        isSent: trace.isSent,
        directTokens: tokens,
        shape: trail.toShape(trace.args ?? call.args),
        ...(result.isCached && { isCached: true }),
        ...marksOf(call, trail),
      },
      {
        call: id,
        server: server.name,
        tool: tool.name,
        risk: riskOf(call),
        outcome: "ok",
        durationMs: toMs(ms),
      },
    );
  };
  trail.later(tell, (error) => breakOff(call, error));
}

/** The same of one that failed, or was not made. */
export function tellFailed(call: Call, trail: RunTrail, failure: KeyholeError, ms: number, tokens = 0): Told {
  if (call.trace.isSent) noteArguments(call, trail, textOf(call));
  return orBreakOff(call, () => {
    const { trace, tool, server, id } = call;
    const isWrite = toEffect(tool) !== "reads";
    const error = toToldError(failure, trail.contents, call.run.privacy);
    const head = {
      call: id,
      server: server.name,
      tool: tool.name,
      risk: riskOf(call),
      durationMs: toMs(ms),
      error,
    };
    const input = inputOf(call, trail);
    if (failure.code === "denied" && !trace.isSent) {
      const { hash, bytes } = input;
      const details = { input: { hash, bytes }, leave: leaveOf(call), isWrite, ...marksOf(call, trail) };
      trail.add("call.denied", details, { ...head, outcome: "denied" });
    } else {
      const { leave } = trace;
      trail.add(
        "call.ended",
        {
          input,
          ...(leave && { leave }),
          isWrite,
          ...(isGrave(toEffect(tool)) && { isDestructive: true }),
          isSent: trace.isSent,
          code: failure.code,
          directTokens: tokens,
          shape: trail.toShape(trace.args ?? call.args),
          ...marksOf(call, trail),
        },
        { ...head, outcome: OUTCOMES[failure.code] ?? "failed" },
      );
    }
    return trail.commit();
  });
}

/** One that never became a call: there is no such tool, its arguments are none, or the tool may not see them. */
export function tellRefused(
  { id, run, server, tool, args }: Pick<Call, "id" | "run"> & { server: string; tool: string; args: unknown },
  failure: KeyholeError,
  argumentsText: string,
): void {
  const { trail } = run;
  if (trail === undefined) return;
  const error = toToldError(failure, trail.contents, run.privacy);
  const input = trail.hashed(argumentsText);
  // As the program wrote them, where there are none such: names can be data.
  const named = (name: string) => toMasked(name.slice(0, MAX_NAME), run.privacy) ?? name.slice(0, MAX_NAME);
  const head = { call: id, server: named(server), tool: named(tool), durationMs: 0 };
  if (failure.code === "denied") {
    const leave = { decision: "deny", by: `"privacy.servers" for ${named(server)}` } as const;
    trail.add("call.denied", { input, leave, isWrite: true }, { ...head, outcome: "denied", error });
  } else
    trail.add(
      "call.ended",
      {
        input,
        isWrite: false,
        isSent: false,
        code: failure.code,
        directTokens: 0,
        shape: trail.toShape(args),
      },
      { ...head, outcome: "failed", error },
    );
  commitSoon(trail);
}

/** It was made before the run began anew, and is answered from the record. */
export function tellReplayed(call: Call, argumentsText: string, ok: boolean): void {
  const { run, tool, server, id } = call;
  const { trail } = run;
  if (trail === undefined) return;
  const effect = toEffect(tool);
  trail.add(
    "call.ended",
    {
      input: trail.hashed(argumentsText),
      isWrite: effect !== "reads",
      ...(isGrave(effect) && { isDestructive: true }),
      isSent: false,
      directTokens: 0,
      shape: trail.toShape(call.args),
      isReplayed: true,
    },
    { call: id, server: server.name, tool: tool.name, outcome: ok ? "ok" : "failed", risk: riskOf(call) },
  );
}

/** No server's name. */
const SEVERAL = "";

/** Whether the program was handed something of another server that may not be on the disk. */
function isNewsTo(server: string, trail: RunTrail): boolean {
  return trail.heardOf !== undefined && trail.heardOf !== server;
}

const MAX_NAME = 200;

const OUTCOMES: Readonly<Partial<Record<ErrorCode, EventOutcome>>> = {
  denied: "denied",
  waiting: "waiting",
  cancelled: "cancelled",
};

const riskOf = ({ tool }: Pick<Call, "tool">) => toCallRisk(tool);

/** What the watch for anomalies must know, found out once for each call. */
function marksOf({ trace, tool, args }: Call, { hash }: RunTrail): { readonly marks?: CallMarks } {
  trace.marks ??= {
    of: toCallMarks(tool.name, trace.args ?? args, { hash, sends: toEffect(tool) !== "reads" }),
  };
  return trace.marks.of === undefined ? {} : { marks: trace.marks.of };
}

function leaveOf({ trace }: Call): Leave {
  return trace.leave ?? UNDECIDED;
}

const UNDECIDED: Leave = { decision: "deny", by: "nothing was decided" };

function inputOf(call: Call, trail: RunTrail): Hashed & { readonly text?: string } {
  const { trace } = call;
  const text = textOf(call);
  if (trace.input?.of !== text)
    trace.input = { of: text, hashed: withText(trail.hashed(text), text, call, trail) };
  return trace.input.hashed;
}

/** As they were made: a person may have changed them. */
function textOf({ trace, args }: Call): string {
  if (trace.args === undefined) trace.argumentsText ??= JSON.stringify(args);
  else if (trace.editedText === undefined) trace.editedText = JSON.stringify(trace.args);
  return trace.editedText ?? trace.argumentsText ?? "";
}

function withText(
  hashed: Hashed,
  text: string,
  { run }: Call,
  trail: RunTrail,
): Hashed & { readonly text?: string } {
  if (trail.contents !== "all" || run.privacy === undefined) return hashed;
  return { ...hashed, text: run.privacy.mask(text).text };
}

/** @param tell throws, or fails later, where nothing may be done that can't be written down */
function orBreakOff(call: Call, tell: () => Told): Told {
  const broken = (error: unknown): never => {
    throw breakOff(call, error);
  };
  try {
    return tell()?.catch(broken);
  } catch (error) {
    return broken(error);
  }
}

function breakOff(call: Call, error: unknown): KeyholeError {
  const failure = unwritten(call, toKeyholeError(error));
  call.run.gate?.breakOff(failure);
  return failure;
}

function unwritten({ server, tool, trace }: Call, { message, hint }: KeyholeError): KeyholeError {
  const named = `"${tool.name}" of server "${server.name}"`;
  const made =
    toEffect(tool) === "reads" ? "was read" : "was sent, and its effect was made as far as is known";
  const text = trace.isSent ? `${named} ${made}, but that can't be written down: ${message}` : message;
  return new KeyholeError("store_unusable", text, {
    server: server.name,
    tool: tool.name,
    ...(hint !== undefined && { hint }),
  });
}
