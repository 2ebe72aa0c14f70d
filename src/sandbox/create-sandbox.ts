import { KeyholeError } from "../errors.ts";
import { type GuestSpec, JAVASCRIPT_GUEST } from "./guest-spec.ts";
import { type Limits, SANDBOX_LIMITS } from "./limits.ts";
import type { CreateMachine } from "./machine/machine.ts";
import { createMachineSandbox } from "./machine-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { TIERS, type Tiers } from "./tiers/tiers.ts";

export type SandboxConfig = {
  /** `auto` (the default) takes the first of the table. */
  readonly tier?: string;
  /** Other tiers than ours, or ours with settings of their own. */
  readonly tiers?: Tiers | undefined;
  readonly limits?: Partial<Limits>;
  /** Processes that wait for a run; 0 starts each one when it is needed. */
  readonly poolSize?: number;
  readonly maxIdleMs?: number;
  /** What runs programs in the machine: a language's own. */
  readonly guest?: GuestSpec;
};

/** The one way to a sandbox: which tier it is, and what machine stands behind it, is decided here. */
export function createSandbox(config: SandboxConfig = {}): Sandbox {
  const limits = { ...SANDBOX_LIMITS, ...config.limits };
  const createMachine = findTier(config.tier ?? "auto", config.tiers ?? TIERS);
  const guest = config.guest ?? JAVASCRIPT_GUEST;
  const machine = createMachine({ limits, guest });
  const { poolSize, maxIdleMs } = config;
  return createMachineSandbox(machine, {
    limits,
    poolSize,
    maxIdleMs,
    reachesFiles: guest.runtime === "python",
    runtime: guest.runtime,
  });
}

/** A tier that was asked for and is not there must not be replaced by a weaker one in silence. */
function findTier(tier: string, tiers: Tiers): CreateMachine {
  const found =
    tier === "auto" ? Object.values(tiers)[0] : Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
  if (found) return found.create;
  throw new KeyholeError("usage", `The tier "${tier}" is not part of this version`, {
    hint: `Leave it out, or write "auto" or ${Object.keys(tiers)
      .map((name) => `"${name}"`)
      .join(", ")}`,
  });
}
