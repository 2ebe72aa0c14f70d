import type { SecurityLevel } from "../../config/permissions/schema.ts";
import type { TierStates } from "../../sandbox/tier-states.ts";
import type { Run } from "../run/run-record.ts";
import { type DemandedTier, type TierWish, toDemanded } from "./choose-tier.ts";

/** Where the runs of one engine may run. */
export type EngineTiers = TierStates & {
  /** Without a program: what is kept warm. */
  readonly least: DemandedTier;
  /** All that is known of where a run should run. */
  wishOf(run: Run): TierWish;
  /** What must be, before anything is known of its risk. */
  demandedOf(run: Run): DemandedTier;
  /** Said once to each session: a weaker tier than the risk suggests. Who runs programs by hand reads it beside the answer. */
  withNote(text: string, run: Run): string;
};

export type EngineTiersOptions = { readonly level: SecurityLevel; readonly mode: string };

const MAX_TOLD = 10_000;

export function createEngineTiers(states: TierStates, { level, mode }: EngineTiersOptions): EngineTiers {
  const told = new Set<string>();
  const wishOf = ({ request, kept, risk }: Run): TierWish => ({
    level,
    mode,
    asked: request.tier,
    began: kept?.tier,
    beganBy: kept?.tierReason,
    risk: risk?.level,
  });
  return {
    ...states,
    least: toDemanded({ level, mode }, states.names),
    wishOf,
    demandedOf: (run) => toDemanded(wishOf(run), states.names),
    withNote(text, { tier, request: { session } }) {
      if (tier?.suggested === undefined || session.front === "cli" || told.has(session.id)) return text;
      if (told.size >= MAX_TOLD) told.clear();
      told.add(session.id);
      return `${text}\n(ran in the tier "${tier.name}": its risk suggests "${tier.suggested}", which is missing here)`;
    },
  };
}
