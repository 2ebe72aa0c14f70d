import { readdir } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../src/sandbox/create-sandbox.ts";
import type { FolderCopies } from "../../src/sandbox/machine/folder-copies.ts";
import type { CreateMachine } from "../../src/sandbox/machine/machine.ts";
import { tempDir } from "../fixtures/project.ts";
import { createCopyingMachine } from "./copying-machine/copying-machine.ts";

/** Hands over what a program needs, and is gone when its files are asked for. */
const vanishing: CreateMachine = (spec) => {
  const machine = createCopyingMachine(spec);
  return {
    ...machine,
    async start(own) {
      const process = await machine.start(own);
      const { copies } = process;
      if (!copies) return process;
      async function* take(): ReturnType<FolderCopies["take"]> {
        yield { kind: "file", path: "half.txt" };
        throw new Error("The machine has ended");
      }
      return { ...process, copies: { ...copies, take } };
    },
  };
};

it("says in plain words that what a program wrote can't be had back, and what it did all the same", async () => {
  const dir = await tempDir();
  const sandbox = createSandbox({
    tiers: { vanishing: { create: vanishing, missing: async () => undefined } },
    poolSize: 0,
  });
  onTestFinished(() => sandbox.close());
  const run = (code: string) =>
    sandbox.run(
      { code, servers: ["github"], modules: ["fs"] },
      { callTool: async () => "made" },
      { folders: [{ name: "workspace", dir, access: "write" }] },
    );
  expect(await run("return await github.make()")).toMatchObject({
    ok: false,
    error: {
      kind: "sandbox",
      message:
        'The program came to its end, but what it wrote in "./workspace" can\'t be had back from its sandbox: The machine has ended',
      hint: expect.stringContaining("What it called has happened"),
    },
    used: { calls: 1 },
  });
  expect(await readdir(dir)).toEqual([]);
  expect(await run('throw new Error("its own")')).toMatchObject({ error: { message: "its own" } });
});
