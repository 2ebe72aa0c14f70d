import { loadConfig } from "../config/load.ts";
import { KeyholeError } from "../errors.ts";
import type { BuiltTier, Tiers } from "../sandbox/tiers/tiers.ts";
import { toTiers } from "./tiers/configured-tiers.ts";

export type BuildTierOptions = {
  readonly projectDir: string;
  readonly trust: boolean;
  /** A folder, for what the user's own tools can make it from. */
  readonly out?: string | undefined;
  onProgress(text: string): void;
  readonly signal: AbortSignal;
};

/** Makes what a tier needs before programs can run in it. */
export async function buildTier(tier: string, options: BuildTierOptions): Promise<BuiltTier> {
  const { projectDir, trust, out, ...building } = options;
  const { config } = await loadConfig({ projectDir, trust });
  const tiers = toTiers(config);
  const built = Object.entries(tiers).filter(([, { build }]) => build !== undefined);
  const found = built.find(([name]) => name === tier)?.[1];
  if (out !== undefined && found) return writeOut(tier, found, out, options);
  if (found?.build) return found.build(building);
  throw new KeyholeError("usage", `There is nothing to build for the tier "${tier}"`, {
    hint: `Write ${built.map(([name]) => `\`keyhole sandbox build ${name}\``).join(" or ")}`,
  });
}

async function writeOut(
  name: string,
  tier: Tiers[string],
  out: string,
  { onProgress, signal }: BuildTierOptions,
): Promise<BuiltTier> {
  if (!tier.writeOut)
    throw new KeyholeError("usage", `The tier "${name}" can only be made on the machine it is used on`, {
      hint: `Leave out --out: \`keyhole sandbox build ${name}\``,
    });
  onProgress(`Writing what it is made of to ${out}`);
  return tier.writeOut(out, signal);
}
