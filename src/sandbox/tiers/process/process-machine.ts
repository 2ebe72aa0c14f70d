import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { KeyholeError } from "../../../errors.ts";
import type { Limits } from "../../limits.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Folder } from "../../sandbox.ts";
import { createAffinity } from "./affinity.ts";
import { blockedImports } from "./blocked-imports.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { createCgroups } from "./cgroup.ts";
import { findDeno } from "./find-deno.ts";
import { guestFiles, guestFilesByDescriptor } from "./guest-files.ts";
import { launch } from "./launch.ts";
import { seccompFilter } from "./seccomp.ts";
import { worksHere } from "./try-command.ts";

const DENO_FLAGS = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
  "--no-check",
];
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
  /** The runner's file, for a test that speaks the protocol wrong. */
  readonly runner?: string;
};

/** Deno processes without permissions; on Linux with bubblewrap, in namespaces of their own. */
export function createProcessMachine(limits: Limits, options: ProcessMachineOptions = {}): Machine {
  const deno = realpathSync(findDeno());
  const runner =
    options.runner ?? fileURLToPath(new URL("../../guest/javascript/runner.js", import.meta.url));
  const seccomp = seccompFilter();
  const wrap = wrapper(options.bubblewrap ?? "auto", deno, runner, seccomp !== undefined);
  const cgroups = options.cgroups === "never" ? undefined : createCgroups(limits);
  const holdsCores = cgroups?.controllers.includes("cpu") === true;
  const affinity = limits.cores === undefined || holdsCores ? undefined : createAffinity();
  const isByPath = wrap !== undefined || process.platform !== "linux";
  const guest = isByPath ? guestFiles(wrap?.runner ?? runner) : guestFilesByDescriptor(runner);
  const importMap = blockedImports(guest.dirUrl);
  const handed = wrap && seccomp ? [seccomp] : guest.handed;

  function denoArguments(folders: readonly Folder[], { memoryBytes }: Limits): string[] {
    const paths = (access: readonly string[]) =>
      folders.filter((folder) => access.includes(folder.access)).map(({ dir }) => toPermission(dir));
    const readable = paths(["read", "write"]);
    const writable = paths(["write"]);
    return [
      "run",
      ...DENO_FLAGS,
      `--import-map=${importMap}`,
      `--v8-flags=--max-old-space-size=${Math.ceil(memoryBytes / 1024 / 1024)}`,
      ...(readable.length > 0 ? [`--allow-read=${readable.join(",")}`] : []),
      ...(writable.length > 0 ? [`--allow-write=${writable.join(",")}`] : []),
    ];
  }

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

    start({ folders, limits: own, waits, isAlone }) {
      const inside = wrap?.place(folders) ?? folders;
      return launch({
        command: [
          ...(own.cores === undefined ? [] : (affinity?.command(own.cores) ?? [])),
          ...(wrap?.command(folders) ?? []),
          wrap?.deno ?? deno,
          ...denoArguments(inside, own),
          guest.runner,
          ...(waits ? ["wait"] : []),
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

    close: async () => cgroups?.close(),
  };
}

/** Deno reads a list with commas between the paths, and knows no way to write one within a path. */
function toPermission(dir: string): string {
  if (!dir.includes(",")) return dir;
  throw new KeyholeError(
    "file_conflict",
    `A folder with a comma in its path can't be handed to a program: "${dir}"`,
    {
      hint: "Move the project, or install bubblewrap",
    },
  );
}

function wrapper(wish: "auto" | "never" | "always", deno: string, runner: string, hasSeccomp: boolean) {
  if (wish === "never" || process.platform !== "linux") return undefined;
  const wrap = createBubblewrap(deno, runner, hasSeccomp);
  const [command = "", ...args] = createBubblewrap(deno, runner, false).command([]);
  if (worksHere(command, [...args, wrap.deno, "--version"])) return wrap;
  if (wish === "auto") return undefined;
  throw new KeyholeError("command_not_found", 'Cannot start a process in "bwrap"', {
    hint: "Install bubblewrap 0.8 or later, and allow unprivileged user namespaces",
  });
}
