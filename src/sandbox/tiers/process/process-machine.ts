import { KeyholeError } from "../../../errors.ts";
import type { GuestSpec } from "../../guest-spec.ts";
import type { Machine, MachineSpec, StartSpec } from "../../machine/machine.ts";
import { createAffinity } from "./affinity.ts";
import { createCgroups } from "./cgroup.ts";
import { createProcessCommands } from "./commands/process-commands.ts";
import { launch } from "./launch.ts";
import { pyodideRuntime } from "./pyodide/pyodide-runtime.ts";
import { type BubblewrapWish, denoRuntime, type ProcessRuntime, pythonRuntime } from "./runtimes.ts";

const BUBBLEWRAP = "Install bubblewrap (on Debian: apt install bubblewrap)";
const MISSING_WALL =
  process.platform === "linux"
    ? "Programs run without bubblewrap here: Deno's permissions alone hold them. Install bubblewrap 0.8 or later, and allow unprivileged user namespaces; `keyhole doctor` shows what holds"
    : "Programs are held by Deno's permissions alone here: the second wall, bubblewrap, is Linux's. `keyhole doctor` shows what holds";

export type ProcessMachineOptions = {
  /** `auto`: around each process where it works. */
  readonly bubblewrap?: BubblewrapWish;
  /** `cgroups: "never"` does without, as on a machine where none can be made. */
  readonly cgroups?: "auto" | "never";
  /** `auto`: CPython where it can be walled in, else Pyodide. */
  readonly python?: "auto" | "cpython" | "pyodide";
};

/** Processes: Deno's without permissions, on Linux with bubblewrap in namespaces of their own; Python's in bubblewrap alone, or in Deno as well. */
export function createProcessMachine(
  { limits, guest }: MachineSpec,
  options: ProcessMachineOptions = {},
): Machine {
  const runtime = chooseRuntime(guest, options);
  const cgroups = options.cgroups === "never" ? undefined : createCgroups(limits);
  const holdsCores = cgroups?.controllers.includes("cpu") === true;
  const affinity = limits.cores === undefined || holdsCores ? undefined : createAffinity();
  const { wrap } = runtime;
  const commands = createProcessCommands({ usesBubblewrap: wrap !== undefined, cgroups, affinity });

  function startProcess({ folders, limits: own, waits, isAlone }: StartSpec) {
    const inside = wrap?.place(folders) ?? folders;
    return launch({
      command: [
        ...(own.cores === undefined ? [] : (affinity?.command(own.cores) ?? [])),
        ...(wrap?.command(folders) ?? []),
        ...runtime.command(inside, own.memoryBytes, waits),
      ],
      limits: own,
      cgroup: cgroups?.create(own),
      handed: runtime.handed,
      isWrapped: wrap !== undefined,
      folders,
      inside,
      isAlone,
    });
  }

  return {
    tier: "process",
    layers: [
      ...runtime.layers,
      ...(cgroups?.controllers.map((name) => `cgroup ${name}`) ?? []),
      ...(affinity ? ["taskset"] : []),
    ],
    ...(wrap === undefined ? { missingWall: MISSING_WALL } : {}),
    fix: process.platform === "linux" ? BUBBLEWRAP : "Use the docker or vm tier",
    isWalled: wrap !== undefined,
    files: "shared",
    cores: holdsCores ? "any" : affinity ? "whole" : "none",
    commands,

    start: (spec) =>
      runtime.prepare ? runtime.prepare().then(() => startProcess(spec)) : startProcess(spec),

    async close() {
      await commands.close();
      await cgroups?.close();
    },
  };
}

function chooseRuntime(guest: GuestSpec, options: ProcessMachineOptions): ProcessRuntime {
  const { bubblewrap = "auto", python = "auto" } = options;
  if (guest.runtime === "deno") return denoRuntime(bubblewrap, guest.runner);
  if (python === "pyodide") return pyodideRuntime(bubblewrap);
  try {
    return pythonRuntime(bubblewrap, guest.runner);
  } catch (error) {
    const isMissing = error instanceof KeyholeError && error.code === "command_not_found";
    if (!isMissing || python === "cpython") throw error;
    return pyodideRuntime(bubblewrap, `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`);
  }
}
