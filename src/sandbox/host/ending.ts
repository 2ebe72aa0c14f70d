import { type Limits, limitError } from "../limits.ts";
import type { MachineEnd } from "../machine/machine.ts";
import type { RunError } from "../sandbox.ts";

/** V8 ends its process by one of these when it gets no more memory. */
const FATAL: readonly (NodeJS.Signals | null)[] = ["SIGTRAP", "SIGILL", "SIGABRT", "SIGSEGV", "SIGBUS"];

/** From here on a fatal end, or a refused allocation, is put down to the memory limit. */
const NEAR_THE_LIMIT = 0.6;

/** What it means that the process ended before the program had. */
export function toEndingError(
  ending: MachineEnd,
  limits: Limits,
  peakBytes: number,
  cpuMs: number,
): RunError {
  if ((ending.oomKills ?? 0) > 0)
    return limitError("memory", limits.memoryBytes, Math.max(peakBytes, limits.memoryBytes));
  if (FATAL.includes(ending.signal) && isNearMemoryLimit(limits, peakBytes)) {
    return limitError("memory", limits.memoryBytes, peakBytes);
  }
  if (ending.signal === "SIGXCPU") return limitError("cpu", limits.cpuMs, Math.max(cpuMs, limits.cpuMs));
  if (ending.signal === "SIGXFSZ") return limitError("disk", limits.diskBytes, limits.diskBytes);
  if (ending.signal !== null) {
    return { kind: "crash", message: `The program's process died of ${ending.signal}`, ...evidence(ending) };
  }
  return {
    kind: "exit",
    message: `The program's process ended in the middle with code ${ending.code}`,
    ...evidence(ending),
  };
}

/** An engine that is refused memory throws a RangeError; with this much in use the limit is the reason. */
export function isNearMemoryLimit(limits: Limits, peakBytes: number): boolean {
  return peakBytes >= limits.memoryBytes * NEAR_THE_LIMIT;
}

function evidence({ stderr }: MachineEnd): { hint?: string } {
  return stderr === "" ? {} : { hint: `It wrote: ${stderr.slice(-500)}` };
}
