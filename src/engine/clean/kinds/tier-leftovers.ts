import type { Tiers } from "../../../sandbox/tiers/tiers.ts";
import type { CleanKind } from "../kind.ts";

/** What processes that are gone have left running or lying, of every tier. */
export function tierLeftovers(tiers: Tiers): CleanKind {
  return {
    name: "leftovers of sandboxes",
    isElsewhere: true,
    async list() {
      const all = Object.entries(tiers).map(async ([tier, { leftovers }]) => {
        // A tier that is not here has left nothing.
        const found = (await leftovers?.().catch(() => [])) ?? [];
        return found.map((one) => ({ ...one, name: `${tier}: ${one.name}` }));
      });
      return (await Promise.all(all)).flat();
    },
  };
}
