import type { LimitPassed } from "../run-failure.ts";
import { MAX_JSON_DEPTH } from "./host/json-weight.ts";
import { MAX_ENTRIES } from "./machine/survey.ts";
import type { LimitKind, RunError } from "./sandbox.ts";

type MeasuredLimit = NonNullable<LimitPassed["limit"]>;

const MIB = 1024 * 1024;

export type Limits = {
  /** The program's own time: neither calls that are open nor sleep. */
  readonly wallMs: number;
  /** Time in which nothing is under way but timers. */
  readonly sleepMs: number;
  /** The whole run, calls included; also the most that one call can be given. */
  readonly runMs: number;
  readonly cpuMs: number;
  /** Heap, ArrayBuffers and wasm memory together. */
  readonly memoryBytes: number;
  /** Logs, emitted blocks and the result together. */
  readonly outputBytes: number;
  readonly calls: number;
  readonly callsInFlightPerServer: number;
  /** One message of the program: the arguments of a call, a line of a log, the result. */
  readonly frameBytes: number;
  /** What the host spends on the program: reading its messages, making its calls, keeping what it prints. */
  readonly hostMs: number;
  /**
   * What the host holds of the program at a time, as it takes memory and not as it was sent: calls that wait, arguments,
   * what was printed and emitted, the result. All programs together have a bound beside it (`ledger.ts`).
   */
  readonly heldBytes: number;
  /** All of the writable folders together. */
  readonly diskBytes: number;
  /** Files and folders in them. */
  readonly diskEntries: number;
  /** Processes and threads, the runtime's own included. A program can start none; this holds what breaks out. */
  readonly processes: number;
  /** Cores' worth of CPU: parts of one by a cgroup, else whole ones; `undefined`: all. */
  readonly cores: number | undefined;
};

export const SANDBOX_LIMITS: Limits = {
  wallMs: 30_000,
  sleepMs: 10 * 60_000,
  runMs: 60 * 60_000,
  cpuMs: 30_000,
  memoryBytes: 512 * MIB,
  outputBytes: 32 * MIB,
  calls: 10_000,
  callsInFlightPerServer: 8,
  frameBytes: 16 * MIB,
  hostMs: 10_000,
  heldBytes: 80 * MIB,
  diskBytes: 1024 * MIB,
  diskEntries: MAX_ENTRIES,
  processes: 64,
  cores: undefined,
};

/** Time has words of its own, in `run-clock.ts`. */
type MeasuredKind = Exclude<LimitKind, "timeout">;
export type Failure = { readonly message: string; readonly hint: string };

const WORDS: {
  readonly [kind in MeasuredKind]: readonly [what: string, unit: "ms" | "bytes" | "calls", hint: string];
} = {
  cpu: ["CPU time", "ms", "Look for an endless loop, or raise maxExecutionTime"],
  memory: ["memory", "bytes", "Handle the data in parts, or raise resourceLimits.memory"],
  output: ["output", "bytes", "Print or return a summary; write the whole to a file in ./workspace"],
  calls: ["tool calls", "calls", "Fetch more with each call, or split the work over several programs"],
  frame: ["one message", "bytes", "Pass large data in parts, or by a file in ./workspace"],
  disk: ["disk space in the workspace", "bytes", "Delete files in ./workspace, or raise resourceLimits.disk"],
};

export function limitError(kind: MeasuredKind, allowed: number, used: number): RunError {
  const [what, unit, hint] = WORDS[kind];
  return {
    kind,
    message: `The program went over its limit of ${what}: ${amount(used, unit)} used, ${amount(allowed, unit)} allowed`,
    hint,
    limit: toLimit(allowed, used, unit),
  };
}

/** The host's own time is told apart from the program's by its words; both are time of a processor. */
export function hostTimeError(allowed: number, used: number): RunError {
  return {
    kind: "cpu",
    message: `The program went over its limit of work for the host: ${amount(used, "ms")} used, ${amount(allowed, "ms")} allowed, on its messages and calls`,
    hint: "Make fewer calls, pass less data with each, print and emit less",
    limit: toLimit(allowed, used, "ms"),
  };
}

/** In whole units, and never as much as was allowed: it was more. */
export function toLimit(allowed: number, used: number, unit: MeasuredLimit["unit"]): MeasuredLimit {
  return { allowed, used: Math.ceil(used), unit };
}

/** @param allowed undefined where it is the other programs' use that leaves no room */
export function memoryFailure(what: string, bytes: number, allowed: number | undefined): Failure {
  const needs = `${what} would take ${amount(bytes, "bytes")} of the host's memory`;
  if (allowed === undefined)
    return {
      message: `${needs}, which is more than all programs together leave at the moment`,
      hint: "Pass less at a time, or run the program again later",
    };
  return {
    message: `${needs}, and ${amount(allowed, "bytes")} are allowed: objects and arrays take many times the bytes they are sent as`,
    hint: "Pass, print or return less at a time, or write it to a file in ./workspace",
  };
}

export function depthFailure(what: string): Failure {
  return {
    message: `${what} cannot be handed over: nested deeper than ${MAX_JSON_DEPTH} levels`,
    hint: "Hand over a flatter value: a list of nodes that name their parents, for example",
  };
}

function amount(value: number, unit: string): string {
  if (unit !== "bytes") return `${Math.ceil(value)} ${unit}`;
  return value >= MIB ? `${Math.round(value / MIB)} MB` : `${Math.round(value)} bytes`;
}
