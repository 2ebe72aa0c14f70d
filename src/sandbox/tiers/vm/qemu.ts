import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const BINARY = "qemu-system-x86_64";
const MIB = 1024 * 1024;

export type Accelerator = "kvm" | "tcg";

/** Nothing where it is not installed. */
export function findQemu(path: string = process.env["PATH"] ?? ""): string | undefined {
  return [...path.split(delimiter), "/usr/bin", "/usr/libexec"]
    .filter((dir) => dir !== "")
    .map((dir) => join(dir, BINARY))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The descriptors that QEMU is handed; 3 is the watchdog's. */
export const FDS = { qmp: 4, control: 5, state: 6, ram: 7, root: 8 } as const;

export type Hardware = {
  readonly accelerator: Accelerator;
  readonly ramBytes: number;
  /** What files in it can take, a little more than any limit that it is made for. */
  readonly diskBytes: number;
  /** The limits of a program, unless a machine is told others. */
  readonly memoryBytes: number;
  readonly processes: number;
};

/** What is the same in the machine that is booted and in all that go on from it. */
function hardware({ accelerator, ramBytes }: Hardware): string[] {
  return [
    ...["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-serial", "null"],
    ...["-M", `microvm,accel=${accelerator},memory-backend=ram`],
    ...["-cpu", accelerator === "kvm" ? "host" : "max", "-smp", "1", "-m", `${ramBytes / MIB}M`],
    ...["-add-fd", `fd=${FDS.root},set=1`],
    ...["-drive", "id=root,file=/dev/fdset/1,format=raw,if=none,readonly=on"],
    ...["-device", "virtio-blk-device,drive=root"],
    ...["-chardev", "stdio,id=guest,signal=off", "-chardev", `socket,id=control,fd=${FDS.control}`],
    ...["-device", "virtio-serial-device,max_ports=3"],
    ...["-device", "virtserialport,chardev=guest,name=guest,nr=1"],
    ...["-device", "virtserialport,chardev=control,name=control,nr=2"],
    ...["-chardev", `socket,id=qmp,fd=${FDS.qmp}`, "-mon", "chardev=qmp,mode=control"],
  ];
}

/** Nothing of it may start processes or get more rights, except while no program is there. */
const SECCOMP = ["-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"];

export type BootFiles = {
  readonly vmlinux: string;
  readonly initramfs: string;
  readonly ram: string;
  /** Of the processor's counter, where the machine is emulated. */
  readonly clockKhz: number | undefined;
};

/** Boots once. The memory is a file, which stays. */
export function bootArguments(machine: Hardware, { vmlinux, initramfs, ram, clockKhz }: BootFiles): string[] {
  return [
    ...hardware(machine),
    ...["-object", `memory-backend-file,id=ram,size=${machine.ramBytes},mem-path=${ram},share=on`],
    ...["-kernel", vmlinux, "-initrd", initramfs, "-append", kernelLine(machine, clockKhz)],
  ];
}

/** Goes on from where the booted one was. What it writes to its memory is its own. */
export function cloneArguments(machine: Hardware): string[] {
  const path = `/proc/self/fd/${FDS.ram}`;
  return [
    ...hardware(machine),
    ...[
      "-object",
      `memory-backend-file,id=ram,size=${machine.ramBytes},mem-path=${path},share=off,reserve=off`,
    ],
    ...SECCOMP,
    ...["-incoming", "defer"],
  ];
}

/** Without a frequency some boots under TCG hang where the kernel measures its clock. */
function kernelLine({ diskBytes, memoryBytes, processes }: Hardware, clockKhz: number | undefined): string {
  const own = `keyhole.disk=${diskBytes} keyhole.memory=${memoryBytes} keyhole.processes=${processes}`;
  // What guards against a real processor's guessing is of no use in one that is emulated, and is code to be translated.
  const clock =
    clockKhz === undefined ? "" : ` tsc_early_khz=${clockKhz} tsc=reliable lpj=4000000 mitigations=off`;
  return `quiet reboot=t panic=-1 rdinit=/init random.trust_cpu=on ${own}${clock}`;
}
