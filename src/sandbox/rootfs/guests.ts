import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GuestSpec, JAVASCRIPT_GUEST } from "../guest-spec.ts";

const PYTHON_RUNNER = fileURLToPath(new URL("../guest/python/runner.py", import.meta.url));

/** All that we have. */
export const STANDARD_GUESTS: readonly GuestSpec[] = [
  JAVASCRIPT_GUEST,
  ...(existsSync(PYTHON_RUNNER)
    ? [{ name: "python", runtime: "python", runner: PYTHON_RUNNER } as const]
    : []),
];
