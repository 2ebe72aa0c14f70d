import type { CreateMachine } from "../machine/machine.ts";
import { createProcessMachine } from "./process/process-machine.ts";

export type Tiers = { readonly [tier: string]: CreateMachine };

/** The tiers by their names, the best first: a new one is its folder and a line here. */
export const TIERS: Tiers = {
  process: (spec) => createProcessMachine(spec),
};
