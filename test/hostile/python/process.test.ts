import { spawnSync } from "node:child_process";
import { createSandbox } from "../../../src/sandbox/create-sandbox.ts";
import { processTier } from "../../fixtures/process-tier.ts";
import { testHostilePython } from "./hostile-python.ts";

const has = (command: string) => spawnSync(command, ["--version"]).status === 0;

testHostilePython(
  "process tier",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "always" }) }),
  {
    missing:
      has("bwrap") && has("python3") ? undefined : "needs bwrap and python3: apt install bubblewrap python3",
  },
);
