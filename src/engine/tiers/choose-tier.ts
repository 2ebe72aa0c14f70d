import type { SecurityLevel } from "../../config/permissions/schema.ts";
import type { RiskLevel } from "../../policy/risk/score.ts";
import type { RunTier, TierReason } from "../../result/receipt.ts";
import type { MissingTier, TierStates } from "../../sandbox/tier-states.ts";

/** What a run says of where it must run, and what its risk suggests. */
export type TierWish = {
  readonly level: SecurityLevel;
  /** `sandboxMode`. */
  readonly mode: string;
  /** By the caller: `--tier`, or the library's option. */
  readonly asked?: string | undefined;
  /** In which it began, where it goes on. */
  readonly began?: string | undefined;
  /** By what it was chosen then. */
  readonly beganBy?: TierReason | undefined;
  readonly risk?: RiskLevel | undefined;
};

export type DemandedTier = { readonly name: string; readonly by: TierReason };

export type TierChoice =
  | ({ readonly ok: true } & RunTier)
  | ({ readonly ok: false; readonly missing: MissingTier } & DemandedTier);

const OF_LEVEL: Readonly<Record<SecurityLevel, string>> = {
  low: "process",
  moderate: "process",
  high: "docker",
  maximum: "vm",
};

const OF_RISK: Partial<Readonly<Record<RiskLevel, string>>> = { high: "docker", critical: "vm" };

/**
 * What is demanded is never weakened: where it is missing, the run is refused. What risk alone suggests is taken if it is there,
 * or one that is stronger; else the strongest that there is, down to what is demanded.
 */
export async function chooseTier(
  wish: TierWish,
  { names, missing }: Pick<TierStates, "names" | "missing">,
): Promise<TierChoice> {
  const rank = toRank(names);
  const demanded = toDemanded(wish, names);
  const risks = toSuggested(wish);
  const suggested = risks !== undefined && rank(risks) > rank(demanded.name) ? risks : undefined;
  for (const name of suggested === undefined ? [] : inOrder(suggested, demanded.name, names)) {
    if ((await missing(name)) === undefined) return placed({ name, by: "risk" });
  }
  const lacking = await missing(demanded.name);
  return lacking === undefined ? placed(demanded) : { ok: false, ...demanded, missing: lacking };

  function placed(taken: DemandedTier): TierChoice {
    const isWeaker = suggested !== undefined && rank(taken.name) < rank(suggested);
    const first = taken.by === "resume" ? wish.beganBy : undefined;
    return { ok: true, ...taken, ...(isWeaker && { suggested }), ...(first && { first }) };
  }
}

/** The strongest of what must be. One that is in no table counts as the strongest: then it is missing. */
export function toDemanded({ level, mode, asked, began }: TierWish, names: readonly string[]): DemandedTier {
  const rank = toRank(names);
  const demands: readonly (readonly [TierReason, string | undefined])[] = [
    ["option", asked],
    ["mode", mode === "auto" ? undefined : mode],
    ["level", OF_LEVEL[level]],
    ["resume", began],
  ];
  return demands
    .flatMap(([by, name]): DemandedTier[] => (name === undefined ? [] : [{ name, by }]))
    .reduce((one, other) => (rank(other.name) > rank(one.name) ? other : one));
}

/** A mode that names a tier means that tier: then the risk suggests nothing. */
function toSuggested({ mode, risk }: TierWish): string | undefined {
  return mode === "auto" && risk !== undefined ? OF_RISK[risk] : undefined;
}

/** The suggested one, those that are stronger, then those between it and what is demanded, the strongest first. */
function inOrder(suggested: string, demanded: string, names: readonly string[]): string[] {
  const rank = toRank(names);
  const above = names.filter((name) => rank(name) > rank(demanded));
  return [
    ...above.filter((name) => rank(name) >= rank(suggested)),
    ...above.filter((name) => rank(name) < rank(suggested)).reverse(),
  ];
}

function toRank(names: readonly string[]): (name: string) => number {
  return (name) => {
    const at = names.indexOf(name);
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
}
