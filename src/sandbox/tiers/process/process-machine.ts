import { realpathSync } from "node:fs";
import { KeyholeError } from "../../../errors.ts";
import { blockedImports } from "../../deno/blocked-imports.ts";
import { denoArguments } from "../../deno/deno-arguments.ts";
import { findDeno } from "../../deno/find-deno.ts";
import type { Machine, MachineSpec } from "../../machine/machine.ts";
import { createAffinity } from "./affinity.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { canRun } from "./can-run.ts";
import { createCgroups } from "./cgroup.ts";
import { createProcessCommands } from "./commands/process-commands.ts";
import { guestFiles, guestFilesByDescriptor } from "./guest-files.ts";
import { launch } from "./launch.ts";
import { seccompFilter } from "./seccomp.ts";

const BUBBLEWRAP = "Install bubblewrap (on Debian: apt install bubblewrap)";
const MISSING_WALL =
  process.platform === "linux"
    ? "Programs run without bubblewrap here: Deno's permissions alone hold them. Install bubblewrap 0.8 or later, and allow unprivileged user namespaces; `keyhole doctor` shows what holds"
    : "Programs are held by Deno's permissions alone here: the second wall, bubblewrap, is Linux's. `keyhole doctor` shows what holds";

export type ProcessMachineOptions = {
  /** `auto`: around each process where it works. */
  readonly bubblewrap?: "auto" | "never" | "always";
  /** `cgroups: "never"` does without, as on a machine where none can be made. */
  readonly cgroups?: "auto" | "never";
};

/** Deno processes without permissions; on Linux with bubblewrap, in namespaces of their own. */
export function createProcessMachine(
  { limits, runner }: MachineSpec,
  options: ProcessMachineOptions = {},
): Machine {
  const deno = realpathSync(findDeno());
  const seccomp = seccompFilter();
  const wrap = wrapper(options.bubblewrap ?? "auto", deno, runner, seccomp !== undefined);
  const cgroups = options.cgroups === "never" ? undefined : createCgroups(limits);
  const holdsCores = cgroups?.controllers.includes("cpu") === true;
  const affinity = limits.cores === undefined || holdsCores ? undefined : createAffinity();
  const isByPath = wrap !== undefined || process.platform !== "linux";
  const guest = isByPath ? guestFiles(wrap?.runner ?? runner) : guestFilesByDescriptor(runner);
  const importMap = blockedImports(guest.dirUrl);
  const handed = wrap && seccomp ? [seccomp] : guest.handed;
  const commands = createProcessCommands({ usesBubblewrap: wrap !== undefined, cgroups, affinity });

  return {
    tier: "process",
    layers: [
      "deno",
      ...(wrap ? ["bubblewrap"] : []),
      ...(wrap && seccomp ? ["seccomp"] : []),
      ...(cgroups?.controllers.map((name) => `cgroup ${name}`) ?? []),
      ...(affinity ? ["taskset"] : []),
    ],
    ...(wrap === undefined ? { missingWall: MISSING_WALL } : {}),
    fix: process.platform === "linux" ? BUBBLEWRAP : "Use the docker or vm tier",
    isWalled: wrap !== undefined,
    files: "shared",
    cores: holdsCores ? "any" : affinity ? "whole" : "none",
    commands,

    start({ folders, limits: own, waits, isAlone }) {
      const inside = wrap?.place(folders) ?? folders;
      return launch({
        command: [
          ...(own.cores === undefined ? [] : (affinity?.command(own.cores) ?? [])),
          ...(wrap?.command(folders) ?? []),
          wrap?.deno ?? deno,
          ...denoArguments({
            runner: guest.runner,
            folders: inside,
            importMap,
            memoryBytes: own.memoryBytes,
            waits,
          }),
        ],
        limits: own,
        cgroup: cgroups?.create(own),
        handed,
        isWrapped: wrap !== undefined,
        folders,
        inside,
        isAlone,
      });
    },

    async close() {
      await commands.close();
      await cgroups?.close();
    },
  };
}

function wrapper(wish: "auto" | "never" | "always", deno: string, runner: string, hasSeccomp: boolean) {
  if (wish === "never" || process.platform !== "linux") return undefined;
  const wrap = createBubblewrap(deno, runner, hasSeccomp);
  const [command = "", ...args] = createBubblewrap(deno, runner, false).command([]);
  if (canRun(command, [...args, wrap.deno, "--version"])) return wrap;
  if (wish === "auto") return undefined;
  throw new KeyholeError("command_not_found", 'Cannot start a process in "bwrap"', {
    hint: "Install bubblewrap 0.8 or later, and allow unprivileged user namespaces",
  });
}
