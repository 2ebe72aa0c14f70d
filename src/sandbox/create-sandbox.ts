import { KeyholeError } from "../errors.ts";
import { JAVASCRIPT_GUEST } from "./guest-spec.ts";
import { type Limits, SANDBOX_LIMITS } from "./limits.ts";
import type { CreateMachine } from "./machine/machine.ts";
import { createMachineSandbox } from "./machine-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { TIERS, type Tiers } from "./tiers/tiers.ts";

export type SandboxConfig = {
  /** `auto` (the default) takes the first of the table. */
  readonly tier?: string;
  /** Other tiers than ours, or ours with settings of their own. */
  readonly tiers?: Tiers;
  readonly limits?: Partial<Limits>;
  /** Processes that wait for a run; 0 starts each one when it is needed. */
  readonly poolSize?: number;
  readonly maxIdleMs?: number;
  /** The file that the machine runs, and that runs programs: a language's own. */
  readonly runner?: string;
};

/** The one way to a sandbox: which tier it is, and what machine stands behind it, is decided here. */
export function createSandbox(config: SandboxConfig = {}): Sandbox {
  const limits = { ...SANDBOX_LIMITS, ...config.limits };
  const createMachine = findTier(config.tier ?? "auto", config.tiers ?? TIERS);
  const machine = createMachine({ limits, runner: config.runner ?? JAVASCRIPT_GUEST.runner });
  return createMachineSandbox(machine, { limits, poolSize: config.poolSize, maxIdleMs: config.maxIdleMs });
}

export function assertTier(tier: string): void {
  findTier(tier, TIERS);
}

/** A tier that was asked for and is not there must not be replaced by a weaker one in silence. */
function findTier(tier: string, tiers: Tiers): CreateMachine {
  const found =
    tier === "auto" ? Object.values(tiers)[0] : Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (found) return found;
  throw new KeyholeError("usage", `The tier "${tier}" is not part of this version`, {
    hint: `Leave it out, or write "auto" or ${Object.keys(tiers)
      .map((name) => `"${name}"`)
      .join(", ")}`,
  });
}
