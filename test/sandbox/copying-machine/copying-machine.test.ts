import { fileURLToPath } from "node:url";
import { DEFAULT_LIMITS } from "../../../src/sandbox/limits.ts";
import { createMachineSandbox } from "../../../src/sandbox/machine-sandbox.ts";
import { testSandbox } from "../conformance.ts";
import { createCopyingMachine } from "./copying-machine.ts";

const RUNNER = fileURLToPath(new URL("../../../src/sandbox/guest/javascript/runner.js", import.meta.url));

testSandbox(
  "a machine that shares no files and tells nothing of its processes",
  ({ limits, runner = RUNNER }) =>
    createMachineSandbox(createCopyingMachine(runner), { limits: { ...DEFAULT_LIMITS, ...limits } }),
  { memory: false, cpu: false, copies: true },
);
