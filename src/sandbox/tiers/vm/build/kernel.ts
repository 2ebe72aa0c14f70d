import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { KeyholeError } from "../../../../errors.ts";
import { toHash } from "../../../../text/hash.ts";
import { type ModuleFile, orderModules, toKernelName } from "./module-order.ts";
import { runTool } from "./run-tool.ts";
import type { Stock } from "./stock.ts";
import { toVmlinux } from "./vmlinux.ts";

/** What a virtual machine of ours needs beside what the kernel has built in; those that are missing are built in. */
const MODULES = ["virtio_mmio", "virtio_blk", "virtio_console"];
const PACKAGE = "linux-image-cloud-amd64";

export type Kernel = {
  readonly hash: string;
  readonly vmlinux: string;
  /** In the order in which it takes them. */
  readonly modules: readonly ModuleFile[];
};

export type KernelOptions = {
  /** A file of the user's: a vmlinuz or vmlinux, with its modules beside it as distributions have them. */
  readonly given: string | undefined;
  onProgress(text: string): void;
  readonly signal: AbortSignal;
};

/** The one that was made here last, if any: nothing is fetched. */
export async function findKernel(stock: Stock): Promise<Kernel | undefined> {
  const hash = await stock.current("kernels");
  return hash === undefined ? undefined : openKernel(stock, hash);
}

/** Takes a kernel from the user's file, or from Debian's packages, without installing it. */
export async function makeKernel(
  stock: Stock,
  { given, onProgress, signal }: KernelOptions,
): Promise<Kernel> {
  if (given !== undefined) return keepKernel(stock, given, await modulesBeside(given));
  const known = await findKernel(stock);
  if (known) return known;
  const dir = await stock.scratch();
  try {
    onProgress("Fetching a kernel from the system's packages");
    const name = await findPackage(signal);
    await runTool("apt-get", ["download", "-qq", name], { cwd: dir, signal, hint: APT_HINT });
    const [archive] = (await readdir(dir)).filter((file) => file.endsWith(".deb"));
    if (archive === undefined) throw noPackage();
    onProgress(`Unpacking ${archive}`);
    const out = join(dir, "out");
    await runTool("dpkg-deb", ["-x", join(dir, archive), out], { signal });
    const [image] = (await readdir(join(out, "boot"))).filter((file) => file.startsWith("vmlinuz-"));
    if (image === undefined) throw noPackage();
    return await keepKernel(stock, join(out, "boot", image), await modulesBeside(join(out, "boot", image)));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const APT_HINT = `Run \`apt-get update\`, or set KEYHOLE_VM_KERNEL to the file of a kernel for virtual machines`;

/** The package of that name only names the newest. */
async function findPackage(signal: AbortSignal): Promise<string> {
  const text = await runTool("apt-cache", ["depends", PACKAGE], { signal, hint: APT_HINT });
  const [, name] = /Depends: (linux-image-[\w.+-]+)/.exec(text) ?? [];
  if (name === undefined) throw noPackage();
  return name;
}

const noPackage = () =>
  new KeyholeError("command_not_found", `Cannot find a kernel in the package "${PACKAGE}"`, {
    hint: APT_HINT,
  });

/** `…/boot/vmlinuz-6.1` has its modules in `…/lib/modules/6.1`. */
async function modulesBeside(image: string): Promise<Map<string, string>> {
  const version = basename(image).replace(/^vmlinu[zx]-/, "");
  const dir = join(image, "../../lib/modules", version, "kernel");
  const found = new Map<string, string>();
  for (const file of await readdir(dir, { recursive: true }).catch(() => [])) {
    const name = toKernelName(basename(file, ".ko"));
    if (file.endsWith(".ko")) found.set(name, join(dir, file));
  }
  return found;
}

async function keepKernel(stock: Stock, image: string, paths: ReadonlyMap<string, string>): Promise<Kernel> {
  const vmlinux = toVmlinux(await readFile(image));
  const modules = await orderModules(MODULES, async (name) => {
    const path = paths.get(name);
    return path === undefined ? undefined : readFile(path);
  });
  const contents = [vmlinux, ...modules.map(({ bytes }) => bytes)];
  const hash = toHash(JSON.stringify(contents.map((bytes) => toHash(bytes.toString("latin1")))));
  await stock.make("kernels", hash, async (dir) => {
    await writeFile(join(dir, "vmlinux"), vmlinux);
    for (const { name, bytes } of modules) await writeFile(join(dir, `${name}.ko`), bytes);
  });
  return openKernel(stock, hash);
}

async function openKernel(stock: Stock, hash: string): Promise<Kernel> {
  const dir = stock.place("kernels", hash);
  const files = await readdir(dir);
  const modules = await orderModules(MODULES, async (name) => {
    const file = `${name}.ko`;
    return files.includes(file) ? readFile(join(dir, file)) : undefined;
  });
  return { hash, vmlinux: join(dir, "vmlinux"), modules };
}
