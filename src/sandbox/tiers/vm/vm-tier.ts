import { access } from "node:fs/promises";
import { KeyholeError } from "../../../errors.ts";
import { SANDBOX_LIMITS } from "../../limits.ts";
import type { BuildTier, BuiltTier, MissingTier, Tier } from "../../machine/tier.ts";
import { findBusybox } from "../../rootfs/busybox.ts";
import { STANDARD_GUESTS } from "../../rootfs/guests.ts";
import { findKernel, makeKernel } from "./build/kernel.ts";
import { makeRootImage } from "./build/root-image.ts";
import { openStock } from "./build/stock.ts";
import { stockLeftovers } from "./build/stock-leftovers.ts";
import { findTemplate, noKernel, noQemu } from "./build/templates.ts";
import { findQemu } from "./qemu.ts";
import { createVmMachine } from "./vm-machine.ts";

/** Virtual machines of QEMU's. */
export const VM_TIER: Tier = { create: createVmMachine, missing, build, leftovers: stockLeftovers };

async function missing(): Promise<MissingTier | undefined> {
  try {
    await assertTools();
    if (!(await findKernel(await openStock()))) throw noKernel();
    return undefined;
  } catch (error) {
    if (!(error instanceof KeyholeError)) throw error;
    return { why: error.message, fix: error.hint ?? "Run `keyhole sandbox build vm`" };
  }
}

async function assertTools(): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new KeyholeError(
      "command_not_found",
      `There are no virtual machines for "${process.platform}-${process.arch}" yet`,
      {
        hint: 'Use the tier "docker" or "process"',
      },
    );
  if (findQemu() === undefined) throw noQemu();
  await findBusybox();
  const places = ["/usr/sbin", "/sbin", "/usr/bin"].map((dir) => access(`${dir}/mkfs.ext4`));
  await Promise.any(places).catch(() => {
    throw new KeyholeError("command_not_found", 'Cannot find "mkfs.ext4"', {
      hint: "Install e2fsprogs (on Debian: apt install e2fsprogs)",
    });
  });
}

/** Kernel, root file system, and a template for each guest with the limits that hold where nothing is configured. */
async function build({ onProgress, signal }: Parameters<BuildTier>[0]): Promise<BuiltTier> {
  await assertTools();
  const stock = await openStock();
  await makeKernel(stock, { given: process.env["KEYHOLE_VM_KERNEL"], onProgress, signal });
  const { memoryBytes, diskBytes } = SANDBOX_LIMITS;
  await makeRootImage(stock, { onProgress, signal });
  const made = await Promise.all(
    STANDARD_GUESTS.map((guest) =>
      findTemplate(stock, { guest, memoryBytes, diskBytes }, { onProgress, signal }),
    ),
  );
  return {
    made: stock.dir,
    hash: made.map(({ hash }) => hash.slice(0, 16)).join(" "),
    isKnown: made.every(({ isKnown }) => isKnown),
  };
}
