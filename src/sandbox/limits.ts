import type { LimitKind, RunError } from "./sandbox.ts";

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
  /** All of the writable folders together. */
  readonly diskBytes: number;
  /** Processes and threads, the runtime's own included. A program can start none; this holds what breaks out. */
  readonly processes: number;
  /** Cores' worth of CPU, where a cgroup can be made; `undefined`: all. */
  readonly cores: number | undefined;
};

export const DEFAULT_LIMITS: Limits = {
  wallMs: 30_000,
  sleepMs: 10 * 60_000,
  runMs: 60 * 60_000,
  cpuMs: 30_000,
  memoryBytes: 512 * MIB,
  outputBytes: 32 * MIB,
  calls: 10_000,
  callsInFlightPerServer: 8,
  frameBytes: 16 * MIB,
  diskBytes: 1024 * MIB,
  processes: 64,
  cores: undefined,
};

/** Time has words of its own, in `run-clock.ts`. */
type MeasuredKind = Exclude<LimitKind, "timeout">;

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
    limit: { allowed, used, unit },
  };
}

function amount(value: number, unit: string): string {
  if (unit !== "bytes") return `${Math.round(value)} ${unit}`;
  return value >= MIB ? `${Math.round(value / MIB)} MB` : `${Math.round(value)} bytes`;
}
