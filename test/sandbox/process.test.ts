import { spawnSync } from "node:child_process";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { testSandbox } from "./conformance.ts";

const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;
const memory = process.platform === "linux";

testSandbox(
  "process, without bubblewrap",
  ({ limits = {}, ...own }) => createSandbox({ limits, process: { ...own, bubblewrap: "never" } }),
  { memory, cpu: memory },
);

testSandbox(
  "process, in bubblewrap",
  ({ limits = {}, ...own }) => createSandbox({ limits, process: { ...own, bubblewrap: "always" } }),
  {
    memory,
    cpu: memory,
    ...(hasBubblewrap ? {} : { missing: "bwrap is not installed: apt install bubblewrap" }),
  },
);
