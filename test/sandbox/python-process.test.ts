import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import { PYTHON_GUEST } from "../../src/sandbox/guest-spec.ts";
import { processTier } from "../fixtures/process-tier.ts";
import { testPythonSandbox } from "./python-conformance.ts";

const has = (command: string) => spawnSync(command, ["--version"]).status === 0;
const missing = has("bwrap")
  ? has("python3")
    ? undefined
    : "python3 is not installed: apt install python3"
  : "bwrap is not installed: apt install bubblewrap";

testPythonSandbox(
  "process, in bubblewrap",
  (config) => createSandbox({ ...config, tiers: processTier({ bubblewrap: "always", python: "cpython" }) }),
  { memory: true, cpu: true, ...(missing === undefined ? {} : { missing }) },
);

describe("CPython without bubblewrap", () => {
  it("is refused, since nothing would keep programs in", () => {
    const create = () =>
      createSandbox({ guest: PYTHON_GUEST, tiers: processTier({ bubblewrap: "never", python: "cpython" }) });
    expect(create).toThrow(/nothing would keep it in|Cannot find Python/);
  });
});
