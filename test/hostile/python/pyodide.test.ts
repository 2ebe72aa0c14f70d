import { createRequire } from "node:module";
import { createSandbox } from "../../../src/sandbox/create-sandbox.ts";
import { processTier } from "../../fixtures/process-tier.ts";
import { testHostilePython } from "./hostile-python.ts";
import { WASM } from "./selections.ts";

const missing = has("pyodide") ? undefined : "Pyodide is not installed: npm install";

testHostilePython(
  "process tier, Pyodide",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "never", python: "pyodide" }) }),
  { missing, only: WASM, limits: { memoryBytes: 384 * 1024 * 1024 } },
);

function has(name: string): boolean {
  try {
    return createRequire(import.meta.url).resolve(`${name}/package.json`) !== "";
  } catch {
    return false;
  }
}
