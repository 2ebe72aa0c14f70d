import { expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { CreateMachine } from "../../src/sandbox/machine/machine.ts";
import type { Folder } from "../../src/sandbox/sandbox.ts";
import { createProcessMachine } from "../../src/sandbox/tiers/process/process-machine.ts";
import { tempDir } from "../fixtures/project.ts";
import { createCopyingMachine } from "./copying-machine/copying-machine.ts";

const host = { callTool: async () => null };
const PLAIN = { code: "return 1", servers: [] };
const WITH_FILES = { ...PLAIN, modules: ["fs"] };
const folderOf = async (): Promise<Folder> => ({ name: "workspace", dir: await tempDir(), access: "write" });

/** A sandbox that tells which process each program ran in, by the number of its start, and the folders it was started with. */
function open(create: CreateMachine, poolSize: number) {
  const starts: (readonly string[])[] = [];
  const used: number[] = [];
  const counted: CreateMachine = (spec) => {
    const machine = create(spec);
    return {
      ...machine,
      async start(own) {
        const at = starts.push(own.folders.map(({ dir }) => dir)) - 1;
        const process = await machine.start(own);
        const watch: typeof process.watch = (...watched) => {
          used.push(at);
          process.watch(...watched);
        };
        return { ...process, watch };
      },
    };
  };
  const sandbox = createSandbox({
    tiers: { counted: { create: counted, missing: async () => undefined } },
    poolSize,
  });
  onTestFinished(() => sandbox.close());
  return { sandbox, starts, used };
}

it.each<[string, CreateMachine]>([
  ["shares files", createProcessMachine],
  ["copies them", createCopyingMachine],
])(
  "the first run after warming finds a process that is ready, where the machine %s",
  async (_what, create) => {
    const { sandbox, starts, used } = open(create, 1);
    const folders = [await folderOf()];
    await sandbox.warm(folders);
    expect(starts).toHaveLength(1);
    expect(await sandbox.run(PLAIN, host, { folders })).toMatchObject({ ok: true, value: 1 });
    expect(used).toEqual([0]);
  },
);

it("whoever uses no files finds a process that waits, and one with folders is their owner's alone", async () => {
  const { sandbox, starts, used } = open(createProcessMachine, 2);
  const [mine, theirs] = [await folderOf(), await folderOf()];
  await sandbox.warm([mine]);
  expect(starts).toHaveLength(2);
  expect(await sandbox.run(PLAIN, host, { folders: [theirs] })).toMatchObject({ ok: true });
  const [first = -1] = used;
  expect(first).toBeLessThan(2);
  expect(starts[first]).toEqual([]);
  expect(await sandbox.run(WITH_FILES, host, { folders: [theirs] })).toMatchObject({ ok: true });
  expect(starts[used[1] ?? -1]).toEqual([theirs.dir]);
});
