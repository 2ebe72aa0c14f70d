import { spawnSync } from "node:child_process";
import { createProcessSandbox } from "../../src/sandbox/tiers/process/process.ts";
import { testSandbox } from "./conformance.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const memory = process.platform === "linux";

testSandbox(
  "process, without bubblewrap",
  (options) => createProcessSandbox({ ...options, bubblewrap: "never" }),
  { memory },
);

testSandbox(
  "process, in bubblewrap",
  (options) => createProcessSandbox({ ...options, bubblewrap: "always" }),
  {
    memory,
    ...(hasBubblewrap ? {} : { missing: "bwrap is not installed: apt install bubblewrap" }),
  },
);
