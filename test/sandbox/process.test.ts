import { spawnSync } from "node:child_process";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { processTier } from "../fixtures/process-tier.ts";
import { testSandbox } from "./conformance.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const memory = process.platform === "linux";

testSandbox(
  "process, without bubblewrap",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "never" }) }),
  { memory, cpu: memory, isTierAlone: hasBubblewrap },
);

testSandbox(
  "process, in bubblewrap",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "always" }) }),
  {
    memory,
    cpu: memory,
    ...(hasBubblewrap ? {} : { missing: "bwrap is not installed: apt install bubblewrap" }),
  },
);
