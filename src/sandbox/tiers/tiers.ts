import type { Tier } from "../machine/tier.ts";
import { dockerTier } from "./docker/docker-tier.ts";
import type { DockerSettings } from "./docker/settings.ts";
import { groupLeftovers } from "./process/group-leftovers.ts";
import { createProcessMachine } from "./process/process-machine.ts";
import { VM_TIER } from "./vm/vm-tier.ts";

export type { BuiltTier } from "../machine/tier.ts";

export type Tiers = { readonly [tier: string]: Tier };

/** What the config says of single tiers. */
export type TierSettings = { readonly docker?: DockerSettings };

/** The tiers by their names, the weakest first: a new one is its folder and a line here. */
export function createTiers({ docker }: TierSettings = {}): Tiers {
  return {
    process: {
      create: (spec) => createProcessMachine(spec),
      missing: async () => undefined,
      leftovers: groupLeftovers,
    },
    docker: dockerTier(docker),
    vm: VM_TIER,
  };
}

/** Without a word in the config. */
export const TIERS: Tiers = createTiers();
