import type { KeyholeConfig } from "../../config/schema.ts";
import { createTiers, type Tiers } from "../../sandbox/tiers/tiers.ts";

/** The tiers as the config has them. */
export function toTiers({ docker }: KeyholeConfig): Tiers {
  return createTiers({ docker: { socket: docker?.socket, runtime: docker?.runtime, image: docker?.image } });
}
