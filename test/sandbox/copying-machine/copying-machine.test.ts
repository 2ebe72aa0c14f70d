import { createSandbox } from "../../../src/sandbox/create-sandbox.ts";
import { TIERS } from "../../../src/sandbox/tiers/tiers.ts";
import { testSandbox } from "../conformance.ts";
import { createCopyingMachine } from "./copying-machine.ts";

// A second tier is this: its folder, and its line in the table.
const tiers = { ...TIERS, copying: { create: createCopyingMachine, missing: async () => undefined } };

testSandbox(
  "a machine that shares no files and tells nothing of its processes",
  (config) => createSandbox({ ...config, tier: "copying", tiers }),
  { memory: false, cpu: false, copies: true, isTierAlone: true },
);
