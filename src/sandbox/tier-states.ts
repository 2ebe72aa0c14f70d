import { toKeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";
import type { MissingTier } from "./machine/tier.ts";
import { TIERS, type Tiers } from "./tiers/tiers.ts";

export type { MissingTier } from "./machine/tier.ts";

/** The tiers of a table, and what is missing of each on this machine. */
export type TierStates = {
  /** The weakest first. */
  readonly names: readonly string[];
  /** Asked when somebody wants to know, and remembered for `REMEMBERED_MS`. One that can't be asked is missing. */
  missing(tier: string): Promise<MissingTier | undefined>;
  /** Something went wrong in it: it is asked anew. */
  forget(tier: string): void;
};

/** A daemon that was started, or an image that was built, is found after so long; one that has gone, when a program fails. */
const REMEMBERED_MS = 30_000;
const MAX_SHOWN = 500;

type Known = { readonly at: number; readonly missing: Promise<MissingTier | undefined> };

export function createTierStates(tiers: Tiers = TIERS, now: () => number = Date.now): TierStates {
  const known = new Map<string, Known>();

  async function ask(tier: string): Promise<MissingTier | undefined> {
    const found = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
    if (found === undefined) return notInTable(tier, Object.keys(tiers));
    try {
      const missing = await found.missing();
      return missing && toShown(missing);
    } catch (error) {
      return toMissing(error);
    }
  }

  return {
    names: Object.keys(tiers),
    missing(tier) {
      const last = known.get(tier);
      if (last !== undefined && now() - last.at < REMEMBERED_MS) return last.missing;
      const missing = ask(tier);
      known.set(tier, { at: now(), missing });
      return missing;
    },
    forget: (tier) => void known.delete(tier),
  };
}

/** What a tier says by an error when it is opened. */
export function toMissing(error: unknown): MissingTier {
  const { message, hint } = toKeyholeError(error);
  return toShown({ why: message, fix: hint ?? "`keyhole doctor` shows what works here" });
}

/** There may be a daemon's own words in it. */
function toShown({ why, fix }: MissingTier): MissingTier {
  return { why: toExcerpt(why, MAX_SHOWN), fix: toExcerpt(fix, MAX_SHOWN) };
}

function notInTable(tier: string, names: readonly string[]): MissingTier {
  return {
    why: `The tier "${tier}" is not part of this version`,
    fix: `Take ${names.map((name) => `"${name}"`).join(" or ")}, or another version of Keyhole`,
  };
}
