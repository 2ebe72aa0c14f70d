import type { RunFailure } from "../../run-failure.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { type MissingTier, toMissing } from "../../sandbox/tier-states.ts";
import { tellPlaced } from "../audit/run-events.ts";
import type { PreparedProgram, RunContext } from "../run/run.ts";
import type { Run } from "../run/run-record.ts";
import { chooseTier, type DemandedTier } from "./choose-tier.ts";

export type PlacedProgram = PreparedProgram & { readonly sandbox: Sandbox };

/** Decides where a program runs. Where that is not to be had, nothing of it runs. */
export async function placeRun(
  run: Run,
  read: PreparedProgram,
  { tiers }: RunContext,
): Promise<PlacedProgram | { readonly ok: false; readonly error: RunFailure }> {
  const opened = new Map<string, Sandbox>();
  /** What a tier has may not be what this language needs. */
  async function missing(tier: string): Promise<MissingTier | undefined> {
    const lacking = await tiers.missing(tier);
    if (lacking !== undefined) return lacking;
    try {
      opened.set(tier, read.language.sandboxIn(tier));
      return undefined;
    } catch (error) {
      return toMissing(error);
    }
  }
  const choice = await chooseTier(tiers.wishOf(run), { names: tiers.names, missing });
  if (!choice.ok) return { ok: false, error: toNoTier(choice, choice.missing) };
  const { ok: _ok, ...chosen } = choice;
  const sandbox = opened.get(chosen.name) ?? read.language.sandboxIn(chosen.name);
  const tier = { ...chosen, ...toRuntime(sandbox) };
  run.placeIn(tier);
  const told = tellPlaced(run, tier);
  if (told !== undefined) await told;
  return { ...read, sandbox };
}

/** Deno runs all of one language; Python may be one of several. Where it lies is for `keyhole doctor` to tell. */
function toRuntime({ layers: [first = "deno"] }: Sandbox): { readonly runtime?: string } {
  return first === "deno" ? {} : { runtime: first.split(" (")[0] ?? first };
}

/** The one place where a run is refused for its tier. */
function toNoTier({ name, by }: DemandedTier, { why, fix }: MissingTier): RunFailure {
  return {
    kind: "tier",
    tier: name,
    message: `Nothing ran: it must run in the tier "${name}", by ${DEMANDED_BY[by]}, which is missing here. ${why}`,
    hint: `${fix}. Tell the user: it is not run in a weaker one`,
  };
}

const DEMANDED_BY: Readonly<Record<DemandedTier["by"], string>> = {
  level: '"securityLevel"',
  mode: '"sandboxMode"',
  option: "the caller's option",
  risk: "its risk",
  resume: "the run that it goes on with",
};
