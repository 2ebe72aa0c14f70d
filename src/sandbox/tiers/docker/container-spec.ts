import { basename } from "node:path";
import { blockedImports } from "../../deno/blocked-imports.ts";
import { denoArguments } from "../../deno/deno-arguments.ts";
import type { GuestSpec } from "../../guest-spec.ts";
import type { Limits } from "../../limits.ts";
import { PYTHON_ENVIRONMENT, pythonArguments } from "../../python/python-arguments.ts";
import { ROOT_PLACES } from "../../rootfs/root-places.ts";
import type { Folder } from "../../sandbox.ts";
import { INIT } from "./scripts.ts";

const MIB = 1024 * 1024;
/** What Deno reserves before a program has run, as in the process tier: below it, it does not start. */
const RUNTIME_DATA_BYTES = 768 * MIB;
/** The runtime's own memory, its pages of the image, and the shells beside it. */
const OVERHEAD_BYTES = 128 * MIB;
/** gVisor's kernel is a process within the limits. */
const SENTRY_BYTES = 256 * MIB;
/** Those of the daemon's own runtime and of our two shells. */
const OWN_PROCESSES = 16;
const SENTRY_PROCESSES = 256;
/** Of the two shells: to start the runner as nobody, without any, and to end it. */
const SHELLS_RIGHTS = ["SETUID", "SETGID", "KILL"];
/** gVisor does not tell how many files there are: they are counted, whatever their folders' modes. */
const SENTRY_RIGHTS = ["DAC_READ_SEARCH"];

const ENVIRONMENT = {
  PATH: "/nowhere",
  NO_COLOR: "1",
  DENO_DIR: "/dev/null/x",
  PYTHONHOME: ROOT_PLACES.pythonHome,
  ...PYTHON_ENVIRONMENT,
} as const;

export type ContainerSpec = {
  readonly image: string;
  readonly guest: GuestSpec;
  readonly folders: readonly Folder[];
  readonly limits: Limits;
  readonly waits: boolean;
  readonly labels: { readonly [name: string]: string };
  readonly runtime: string | undefined;
  /** Of `toSeccompOption`; absent: the daemon's own profile. */
  readonly seccomp: string | undefined;
};

/** What a container is made of, as Docker's API has it. Nothing of it comes from a program. */
export function toContainer({
  image,
  guest,
  folders,
  limits,
  waits,
  labels,
  runtime,
  seccomp,
}: ContainerSpec): object {
  const isSentry = runtime === "runsc";
  const sizes = folders.map(() => toFolderBytes(limits));
  // What lies in a folder is memory of the container's: the program's own is held by looking, and by `data` below.
  const memory =
    limits.memoryBytes +
    OVERHEAD_BYTES +
    (isSentry ? SENTRY_BYTES : 0) +
    sizes.reduce((sum, size) => sum + size, 0);
  const cpuSeconds = Math.ceil(limits.cpuMs / 1000) + 2;
  return {
    Image: image,
    Entrypoint: [ROOT_PLACES.busybox],
    Cmd: ["sh", "-c", INIT, "keyhole", ...toCommand(guest, folders, limits, waits)],
    User: "0:0",
    WorkingDir: "/",
    Hostname: "keyhole",
    Env: Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`),
    Labels: labels,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    Tty: false,
    StopSignal: "SIGKILL",
    HostConfig: {
      AutoRemove: true,
      NetworkMode: "none",
      IpcMode: "none",
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      CapAdd: [...SHELLS_RIGHTS, ...(isSentry ? SENTRY_RIGHTS : [])],
      SecurityOpt: ["no-new-privileges", ...(seccomp === undefined ? [] : [seccomp])],
      Memory: memory,
      MemorySwap: memory,
      OomScoreAdj: 1000,
      PidsLimit: limits.processes + OWN_PROCESSES + (isSentry ? SENTRY_PROCESSES : 0),
      ...(limits.cores === undefined ? {} : { NanoCpus: Math.max(1e7, Math.round(limits.cores * 1e9)) }),
      Ulimits: [
        { Name: "core", Soft: 0, Hard: 0 },
        { Name: "nofile", Soft: 256, Hard: 256 },
        { Name: "nproc", Soft: 1024, Hard: 1024 },
        { Name: "fsize", Soft: toFolderBytes(limits), Hard: toFolderBytes(limits) },
        { Name: "cpu", Soft: cpuSeconds, Hard: cpuSeconds + 1 },
        ...(isSentry ? [] : [toDataLimit(limits)]),
      ],
      LogConfig: { Type: "none", Config: {} },
      Tmpfs: Object.fromEntries(folders.map(({ dir }, at) => [dir, toTmpfs(sizes[at] ?? 0)])),
      ...(runtime === undefined ? {} : { Runtime: runtime }),
    },
  };
}

/** A full one can be read and emptied, so there is room for somewhat more than may stay. */
export function toFolderBytes({ diskBytes }: Limits): number {
  return Math.ceil(diskBytes * 1.25) + 16 * MIB;
}

function toDataLimit({ memoryBytes }: Limits) {
  const bytes = memoryBytes + RUNTIME_DATA_BYTES;
  return { Name: "data", Soft: bytes, Hard: bytes };
}

/** How many files there can be is not said here, since Podman does not take it: they are counted, and are memory too. */
function toTmpfs(bytes: number): string {
  return `rw,nosuid,nodev,noexec,mode=1777,size=${bytes}`;
}

/** How a guest of the image is started. */
function toCommand(guest: GuestSpec, folders: readonly Folder[], limits: Limits, waits: boolean): string[] {
  const dir = `${ROOT_PLACES.guests}/${guest.name}`;
  const runner = `${dir}/${basename(guest.runner)}`;
  if (guest.runtime === "python") return [ROOT_PLACES.python, ...pythonArguments(runner, { waits })];
  const importMap = blockedImports(`file://${dir}/`);
  const { memoryBytes } = limits;
  return [ROOT_PLACES.deno, ...denoArguments({ runner, folders, importMap, memoryBytes, waits })];
}
