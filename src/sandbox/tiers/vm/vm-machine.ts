import { errorMessage } from "../../../errors.ts";
import type { Machine, MachineProcess, MachineSpec } from "../../machine/machine.ts";
import { placeInRoot } from "../../rootfs/root-places.ts";
import { possibleAccelerators } from "./accelerator.ts";
import { openStock } from "./build/stock.ts";
import { findTemplate, type MadeTemplate } from "./build/templates.ts";
import { startClone } from "./clone.ts";
import { CLONE_USER } from "./user.ts";

/** Virtual machines that go on from a template, one for each program. */
export function createVmMachine({ limits, guest }: MachineSpec): Machine {
  const alive = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let accelerator: string | undefined;
  let opening: Promise<MadeTemplate> | undefined;

  /** Made where it is not there yet: for a guest or limits that nobody has asked for before. */
  async function template(): Promise<MadeTemplate> {
    opening ??= open();
    const made = await opening;
    if (await made.template.isUntouched()) return made;
    // Somebody has written to the memory that all machines begin with.
    opening = undefined;
    const stock = await openStock();
    await stock.remove("templates", made.hash);
    return template();
  }

  async function open(): Promise<MadeTemplate> {
    try {
      const spec = { guest, memoryBytes: limits.memoryBytes, diskBytes: limits.diskBytes };
      const made = await findTemplate(await openStock(), spec, { onProgress() {}, signal: closing.signal });
      accelerator = made.template.accelerator;
      return made;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  return {
    tier: "vm",
    get layers() {
      const runtime = guest.runtime === "deno" ? "deno" : "CPython";
      return [
        runtime,
        `qemu ${accelerator ?? possibleAccelerators().join(" or ")}`,
        "seccomp",
        ...(CLONE_USER ? ["uid 65534"] : []),
        "cgroup memory",
        "cgroup pids",
        "cgroup cpu",
      ];
    },
    isWalled: true,
    files: "copied",
    cores: "any",
    async start(spec): Promise<MachineProcess> {
      const folders = spec.folders.map((folder) => placeInRoot(folder, guest.runtime));
      const process = await startClone(await template(), { ...spec, folders });
      const { gone } = process;
      alive.add(gone);
      void gone.then(() => alive.delete(gone));
      return process;
    },
    async close() {
      closing.abort(new Error("The sandbox is closed"));
      await opening?.catch((error: unknown) => errorMessage(error));
      await Promise.all(alive);
    },
  };
}
