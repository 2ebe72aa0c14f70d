import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { DEFAULT_LIMITS } from "../../src/sandbox/limits.ts";
import type { Machine } from "../../src/sandbox/machine/machine.ts";
import { createMachineSandbox } from "../../src/sandbox/machine-sandbox.ts";
import { createProcessMachine } from "../../src/sandbox/tiers/process/process-machine.ts";
import { tempDir } from "../fixtures/project.ts";
import { createCopyingMachine } from "./copying-machine/copying-machine.ts";

const RUNNER = fileURLToPath(new URL("../../src/sandbox/guest/javascript/runner.js", import.meta.url));

it.each<[string, () => Machine]>([
  ["shares files", () => createProcessMachine(DEFAULT_LIMITS)],
  ["copies them", () => createCopyingMachine(RUNNER)],
])(
  "the first run after warming finds a process that is ready, where the machine %s",
  async (_what, create) => {
    const machine = create();
    const spoken: number[] = [];
    let started = 0;
    const counted: Machine = {
      ...machine,
      async start(spec) {
        started++;
        const process = await machine.start(spec);
        const watch: typeof process.watch = (...watched) => {
          spoken.push(started);
          process.watch(...watched);
        };
        return { ...process, watch };
      },
    };
    const sandbox = createMachineSandbox(counted, { limits: DEFAULT_LIMITS });
    onTestFinished(() => sandbox.close());
    const folders = [{ name: "workspace", dir: await tempDir(), access: "write" }] as const;
    await sandbox.warm(folders);
    expect(started).toBe(1);
    const outcome = await sandbox.run(
      { code: "return 1", servers: [] },
      { callTool: async () => null },
      { folders },
    );
    expect(outcome).toMatchObject({ ok: true, value: 1 });
    expect(spoken).toEqual([1]);
  },
);
