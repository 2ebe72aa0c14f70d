import { expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { CreateMachine } from "../../src/sandbox/machine/machine.ts";
import { createProcessMachine } from "../../src/sandbox/tiers/process/process-machine.ts";
import { tempDir } from "../fixtures/project.ts";
import { createCopyingMachine } from "./copying-machine/copying-machine.ts";

it.each<[string, CreateMachine]>([
  ["shares files", createProcessMachine],
  ["copies them", createCopyingMachine],
])(
  "the first run after warming finds a process that is ready, where the machine %s",
  async (_what, create) => {
    const spoken: number[] = [];
    let started = 0;
    const counted: CreateMachine = (spec) => {
      const machine = create(spec);
      return {
        ...machine,
        async start(own) {
          started++;
          const process = await machine.start(own);
          const watch: typeof process.watch = (...watched) => {
            spoken.push(started);
            process.watch(...watched);
          };
          return { ...process, watch };
        },
      };
    };
    const sandbox = createSandbox({ tiers: { counted } });
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
