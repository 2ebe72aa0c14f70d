import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GuestSpec } from "../../../guest-spec.ts";
import { awakenProgram } from "./awaken-program.ts";
import { type CpioEntry, toCpio } from "./cpio.ts";
import type { Kernel } from "./kernel.ts";

const INIT = fileURLToPath(new URL("../guest/init.sh", import.meta.url));
const FOLDERS = ["bin", "proc", "sys", "dev", "image", "top", "root", "run", "cgroup", "modules", "guest"];
const APPLETS =
  "sh cat mount insmod grep usleep mknod cp mkdir setpriv nsenter tail base64 kill dd tar chown stat find mv".split(
    " ",
  );

export type InitramfsParts = {
  readonly kernel: Kernel;
  readonly busybox: string;
  readonly guest: GuestSpec;
  /** What starts the runner in the root file system. */
  readonly command: readonly string[];
};

/** The first files of a virtual machine: the shell that is its first process, the kernel's modules, and the guest. */
export async function makeInitramfs({ kernel, busybox, guest, command }: InitramfsParts): Promise<Buffer> {
  const file = (path: string, bytes: Uint8Array, mode = 0o644): CpioEntry => ({
    path,
    kind: "file",
    bytes,
    mode,
  });
  return toCpio([
    ...FOLDERS.map((path): CpioEntry => ({ path, kind: "folder" })),
    file("init", await readFile(INIT), 0o755),
    file("bin/busybox", await readFile(busybox), 0o755),
    file("bin/awaken", awakenProgram(), 0o755),
    ...APPLETS.map((name): CpioEntry => ({ path: `bin/${name}`, kind: "link", target: "busybox" })),
    file("command", Buffer.from(`${command.join("\n")}\n`)),
    file("modules/order", Buffer.from(kernel.modules.map(({ name }) => `${name}\n`).join(""))),
    ...kernel.modules.map(({ name, bytes }) => file(`modules/${name}.ko`, bytes)),
    ...(await guestEntries(guest)),
  ]);
}

/** As `collectRootFiles` would put it. */
async function guestEntries({ name, runner }: GuestSpec): Promise<CpioEntry[]> {
  const from = dirname(runner);
  const entries: CpioEntry[] = [{ path: `guest/${name}`, kind: "folder" }];
  for (const found of await readdir(from, { recursive: true, withFileTypes: true })) {
    const inner = join(found.parentPath, found.name);
    const path = `guest/${name}${inner.slice(from.length)}`;
    if (found.isDirectory()) entries.push({ path, kind: "folder" });
    if (found.isFile()) entries.push({ path, kind: "file", bytes: await readFile(inner), mode: 0o644 });
  }
  return entries;
}
