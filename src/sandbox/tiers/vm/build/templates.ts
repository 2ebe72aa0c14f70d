import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { KeyholeError } from "../../../../errors.ts";
import { toHash } from "../../../../text/hash.ts";
import type { GuestSpec } from "../../../guest-spec.ts";
import { SANDBOX_LIMITS } from "../../../limits.ts";
import { findBusybox } from "../../../rootfs/busybox.ts";
import { possibleAccelerators } from "../accelerator.ts";
import { startClone } from "../clone.ts";
import { guestCommand } from "../guest-command.ts";
import { type Accelerator, findQemu } from "../qemu.ts";
import { makeInitramfs } from "./initramfs.ts";
import { findKernel } from "./kernel.ts";
import { makeRootImage } from "./root-image.ts";
import type { Stock } from "./stock.ts";
import { makeTemplate, openTemplate, type Template } from "./template.ts";

/** What a template is made for. Machines with other limits go on from the next larger one. */
export type TemplateSpec = {
  readonly guest: GuestSpec;
  readonly memoryBytes: number;
  readonly diskBytes: number;
};

export type TemplateOptions = { onProgress(text: string): void; readonly signal: AbortSignal };

export type MadeTemplate = {
  readonly template: Template;
  readonly root: string;
  readonly qemu: string;
  readonly hash: string;
  readonly isKnown: boolean;
};

const MIB = 1024 * 1024;
/** The kernel, the runtime's binary and the first process. */
const SYSTEM_BYTES = 256 * MIB;
/** The limit is seen by looking: a disk that is full before would be the program's own error. */
const DISK_SLACK_BYTES = 64 * MIB;
const FORMAT = 6;

/** Opens the template for this, or makes it: everything but the kernel is made when it is needed. */
export async function findTemplate(
  stock: Stock,
  { guest, memoryBytes, diskBytes }: TemplateSpec,
  options: TemplateOptions,
): Promise<MadeTemplate> {
  const qemu = findQemu();
  if (qemu === undefined) throw noQemu();
  const kernel = await findKernel(stock);
  if (!kernel) throw noKernel();
  const root = await makeRootImage(stock, options);
  const heapBytes = toSize(memoryBytes, 256 * MIB);
  const folderBytes = toSize(diskBytes, 64 * MIB) + DISK_SLACK_BYTES;
  const ramBytes = heapBytes + folderBytes + SYSTEM_BYTES;
  const busybox = await findBusybox();
  const initramfs = await makeInitramfs({ kernel, busybox, guest, command: guestCommand(guest, heapBytes) });
  const version = await promisify(execFile)(qemu, ["--version"], { timeout: 10_000 }).then(
    ({ stdout }) => stdout,
  );
  const parts = [FORMAT, version, kernel.hash, root.hash, toHash(initramfs.toString("latin1")), ramBytes];
  const toKey = (accelerator: Accelerator) => toHash(JSON.stringify([...parts, accelerator]));
  const boot = { qemu, vmlinux: kernel.vmlinux, initramfs, root: root.path, signal: options.signal };
  let isKnown = true;
  for (const accelerator of possibleAccelerators()) {
    const hash = toKey(accelerator);
    const { processes } = SANDBOX_LIMITS;
    const hardware = { accelerator, ramBytes, diskBytes: folderBytes, memoryBytes: heapBytes, processes };
    try {
      await stock.make("templates", hash, async (dir) => {
        isKnown = false;
        options.onProgress(`Booting a virtual machine for ${guest.name} (${accelerator})`);
        await makeTemplate(dir, { ...boot, hardware });
        await proveTemplate({ template: await openTemplate(dir), root: root.path, qemu, hash, isKnown });
      });
      return {
        template: await openTemplate(stock.place("templates", hash)),
        root: root.path,
        qemu,
        hash,
        isKnown,
      };
    } catch (error) {
      // A machine may have KVM's device and no KVM behind it: what does not boot is not used.
      if (accelerator === "tcg" || options.signal.aborted) throw error;
      options.onProgress("KVM does not boot a machine here: emulating one");
    }
  }
  throw new TypeError("No accelerator is left");
}

/** On a busy host a machine was written down whose runner never answered again: what no machine goes on from is not kept. */
async function proveTemplate(made: MadeTemplate): Promise<void> {
  const limits = SANDBOX_LIMITS;
  const clone = await startClone(made, { folders: [], limits, waits: true, isAlone: () => true });
  clone.kill();
  await clone.gone;
}

/** The next power of two. */
function toSize(bytes: number, least: number): number {
  return Math.max(least, 2 ** Math.ceil(Math.log2(bytes)));
}

export const noQemu = () =>
  new KeyholeError("command_not_found", 'Cannot find "qemu-system-x86_64"', {
    hint: "Install QEMU (on Debian: apt install qemu-system-x86)",
  });

export const noKernel = () =>
  new KeyholeError("command_not_found", "There is no kernel for virtual machines yet", {
    hint: "Run `keyhole sandbox build vm`",
  });
