import type { Limits } from "./limits.ts";

export type OwnLimits = {
  readonly limits: Limits;
  /** Whether the run needs a process of its own: those that wait were started with the sandbox's limits. */
  readonly needsProcess: boolean;
};

/** A run's own limits over the sandbox's. Who gives a program more time means its CPU time and the whole run too. */
export function toOwnLimits(base: Limits, own: Partial<Limits> = {}): OwnLimits {
  const share = (own.wallMs ?? base.wallMs) / base.wallMs;
  const runMs = Math.max(base.runMs, (own.wallMs ?? 0) + (own.sleepMs ?? 0));
  const cores = own.cores === undefined ? base.cores : Math.min(own.cores, base.cores ?? own.cores);
  const limits = { ...base, cpuMs: base.cpuMs * Math.max(1, share), runMs, ...own, cores };
  const needsProcess =
    limits.memoryBytes < base.memoryBytes || limits.cpuMs > base.cpuMs || cores !== base.cores;
  return { limits, needsProcess };
}
