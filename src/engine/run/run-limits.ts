import { KeyholeError } from "../../errors.ts";
import type { Limits } from "../../sandbox/limits.ts";
import type { RunLimits } from "../engine.ts";

/** A run's own limits in the sandbox's words. */
export function toSandboxLimits(own: RunLimits = {}): Partial<Limits> {
  const { timeoutMs, sleepMs, memoryBytes, calls } = own;
  return {
    ...(timeoutMs === undefined ? {} : { wallMs: timeoutMs }),
    ...(sleepMs === undefined ? {} : { sleepMs }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(calls === undefined ? {} : { calls }),
  };
}

/** What the machine sets aside for each program is decided once, for all of them. */
export function assertMemory(own: RunLimits | undefined, configuredBytes: number): void {
  const bytes = own?.memoryBytes;
  if (bytes === undefined || bytes <= configuredBytes) return;
  const message = `A run can't have ${bytes} bytes of memory: ${configuredBytes} are set aside for each program`;
  throw new KeyholeError("usage", message, {
    hint: 'Raise "resourceLimits.memory" in keyhole.config, or limits.memoryBytes of createKeyhole',
  });
}
