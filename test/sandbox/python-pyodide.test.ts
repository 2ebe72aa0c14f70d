import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { processTier } from "../fixtures/process-tier.ts";
import { testPythonSandbox } from "./python-conformance.ts";

const isLinux = process.platform === "linux";

testPythonSandbox(
  "process, Pyodide without bubblewrap",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "never", python: "pyodide" }) }),
  { memory: isLinux, cpu: isLinux, forges: false, isPyodide: true, isTierAlone: true },
);
