import { createSandbox } from "../../../src/sandbox/create-sandbox.ts";
import { missingVm } from "../../fixtures/vm-tier.ts";
import { testHostilePython } from "./hostile-python.ts";
import { VERY_FEW } from "./selections.ts";

testHostilePython("vm", (config) => createSandbox({ ...config, tier: "vm" }), {
  missing: await missingVm(),
  only: VERY_FEW,
  hasMachine: true,
  // Emulated, all takes many times as long, and what is tried should be got to.
  limits: { wallMs: 8_000, cpuMs: 8_000, runMs: 15_000 },
});
