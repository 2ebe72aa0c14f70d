import { KeyholeError } from "../errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { createMachineSandbox } from "./machine-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { createProcessMachine, type ProcessMachineOptions } from "./tiers/process/process-machine.ts";

export type SandboxConfig = {
  /** `auto` (the default) takes the best that this machine has. */
  readonly tier?: string;
  readonly limits?: Partial<Limits>;
  /** Processes that wait for a run; 0 starts each one when it is needed. */
  readonly poolSize?: number;
  readonly maxIdleMs?: number;
  /** The file that the machine runs, and that runs programs: a language's own. */
  readonly runner?: string;
  /** Of the process tier alone. */
  readonly process?: ProcessMachineOptions;
};

/** The one way to a sandbox: which tier it is, and what machine stands behind it, is decided here. */
export function createSandbox(config: SandboxConfig = {}): Sandbox {
  assertTier(config.tier ?? "auto");
  const limits = { ...DEFAULT_LIMITS, ...config.limits };
  const machine = createProcessMachine(limits, {
    ...config.process,
    ...(config.runner !== undefined && { runner: config.runner }),
  });
  return createMachineSandbox(machine, { limits, poolSize: config.poolSize, maxIdleMs: config.maxIdleMs });
}

/** A tier that was asked for and is not there must not be replaced by a weaker one in silence. */
export function assertTier(tier: string): void {
  if (tier === "process" || tier === "auto") return;
  throw new KeyholeError("usage", `The tier "${tier}" is not part of this version`, {
    hint: 'Leave it out, or write "auto": programs run in the process tier',
  });
}
