import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { missingVm } from "../fixtures/vm-tier.ts";
import { testSandbox } from "./conformance.ts";
import { testPythonSandbox } from "./python-conformance.ts";

const missing = await missingVm();

testSandbox("vm", (config) => createSandbox({ ...config, tier: "vm" }), {
  memory: true,
  cpu: true,
  copies: true,
  isEmulated: true,
  // Machines are emulated in CI, and each program has one of its own: all of it takes many minutes.
  isTierAlone: true,
  ...(missing === undefined ? {} : { missing }),
});

testPythonSandbox("vm", (config) => createSandbox({ ...config, tier: "vm" }), {
  memory: true,
  cpu: true,
  copies: true,
  // A runner that speaks the protocol wrong does so when its machine is booted, and none is made of it.
  forges: false,
  isOwnSystem: true,
  isEmulated: true,
  isTierAlone: true,
  ...(missing === undefined ? {} : { missing }),
});
