import { readdirSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOX_LIMITS } from "../../limits.ts";
import type { CopyPart } from "../../machine/folder-copies.ts";
import type { MadeTemplate } from "./build/templates.ts";
import { startClone } from "./clone.ts";

/** The second one has to start before it hangs, on a busy machine too. */
const PATIENCE_MS = { never: 300, started: 2_000 } as const;
const SPEC = {
  folders: [{ name: "workspace", dir: "", access: "write" }],
  limits: SANDBOX_LIMITS,
  waits: false,
  isAlone: () => true,
} as const;

describe.skipIf(process.platform !== "linux")("a QEMU that hangs", () => {
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "keyhole-hung-"));
    await chmod(dir, 0o755);
    await copyFile("test/fixtures/hung-qemu.js", join(dir, "hung-qemu.mjs"));
    for (const name of ["state", "ram", "root"]) await writeFile(join(dir, name), "");
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  async function hanging(until: string): Promise<MadeTemplate> {
    const qemu = join(dir, until);
    await writeFile(qemu, `#!/bin/sh\nexec ${process.execPath} ${dir}/hung-qemu.mjs ${until}\n`, {
      mode: 0o755,
    });
    const [state, ram, root] = ["state", "ram", "root"].map((name) => join(dir, name));
    if (!state || !ram || !root) throw new Error("There are three");
    const sizes = { ramBytes: 2 ** 20, diskBytes: 0, memoryBytes: SPEC.limits.memoryBytes };
    const hardware = { accelerator: "tcg", ...sizes, processes: SPEC.limits.processes } as const;
    const template = { ...hardware, ram, state, ready: Buffer.alloc(0), isUntouched: async () => true };
    return { template, root, qemu, hash: "", isKnown: true };
  }

  /** Of this test's, by what they were started with. */
  function left(): string[] {
    return readdirSync("/proc").filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(dir);
      } catch {
        return false;
      }
    });
  }

  it("fails the start, with its silence as the reason, and is ended", async () => {
    await expect(startClone(await hanging("never"), SPEC, PATIENCE_MS.never)).rejects.toThrow(
      "Cannot start a virtual machine: QEMU's control channel ended: The machine has not answered for 0.3 s",
    );
    expect(left()).toEqual([]);
  });

  it("is ended where it was to hand back files and does nothing any more", async () => {
    const clone = await startClone(await hanging("started"), SPEC, PATIENCE_MS.started);
    expect(left()).toHaveLength(1);
    async function* parts(): AsyncGenerator<CopyPart> {
      yield { kind: "folder", path: "a" };
    }
    await expect(clone.copies?.put("workspace", parts())).rejects.toThrow("has not answered for 2 s");
    clone.kill();
    expect(await clone.ended).toMatchObject({ signal: "SIGKILL" });
    expect(left()).toEqual([]);
  });
});
