import { realpathSync } from "node:fs";
import { KeyholeError } from "../../../errors.ts";
import { blockedImports } from "../../deno/blocked-imports.ts";
import { denoArguments } from "../../deno/deno-arguments.ts";
import { findDeno } from "../../deno/find-deno.ts";
import { findPython } from "../../python/find-python.ts";
import { pythonArguments } from "../../python/python-arguments.ts";
import type { Folder } from "../../sandbox.ts";
import { type Bubblewrap, createBubblewrap, createPythonBubblewrap } from "./bubblewrap.ts";
import { canRun } from "./can-run.ts";
import { guestFiles, guestFilesByDescriptor } from "./guest-files.ts";
import { pythonSeccompFilter, seccompFilter } from "./seccomp.ts";

export type BubblewrapWish = "auto" | "never" | "always";

/** How a guest is started in a process. */
export type ProcessRuntime = {
  readonly layers: readonly string[];
  readonly wrap: Bubblewrap | undefined;
  /** What the process finds open: see `LaunchOptions`. */
  readonly handed: readonly (Buffer | string)[];
  /** What is run, in the wrap where there is one. */
  command(folders: readonly Folder[], memoryBytes: number, waits: boolean): string[];
  /** What must be there before the first process is started. */
  prepare?(): Promise<void>;
};

/** Deno without permissions except the granted folders; a wall around it where there can be one. */
export function denoRuntime(wish: BubblewrapWish, runner: string): ProcessRuntime {
  const deno = realpathSync(findDeno());
  const seccomp = seccompFilter();
  const wrap = tried(wish, (hasSeccomp) => createBubblewrap(deno, runner, hasSeccomp), seccomp !== undefined);
  const isByPath = wrap !== undefined || process.platform !== "linux";
  const files = isByPath ? guestFiles(wrap?.runner ?? runner) : guestFilesByDescriptor(runner);
  const importMap = blockedImports(files.dirUrl);
  return {
    layers: ["deno", ...wallLayers(wrap, seccomp)],
    wrap,
    handed: wrap && seccomp ? [seccomp] : files.handed,
    command: (folders, memoryBytes, waits) => [
      wrap?.binary ?? deno,
      ...denoArguments({ runner: files.runner, folders, importMap, memoryBytes, waits }),
    ],
  };
}

/** CPython has no permissions: the wall around it is the only one, and without it no program runs. */
export function pythonRuntime(wish: BubblewrapWish, runner: string): ProcessRuntime {
  const python = findPython();
  const seccomp = pythonSeccompFilter();
  const wrap =
    seccomp && tried(wish, (hasSeccomp) => createPythonBubblewrap(python, runner, hasSeccomp), true);
  if (seccomp === undefined || wrap === undefined)
    throw new KeyholeError(
      "command_not_found",
      "Cannot run CPython here: without bubblewrap nothing would keep it in",
      {
        hint: "Install bubblewrap 0.8 or later and allow unprivileged user namespaces (Linux), or use the docker or vm tier",
      },
    );
  return {
    layers: [`CPython ${python.version} (${python.binary})`, ...wallLayers(wrap, seccomp)],
    wrap,
    handed: [seccomp],
    command: (_folders, _memoryBytes, waits) => [wrap.binary, ...pythonArguments(wrap.runner, { waits })],
  };
}

export function wallLayers(wrap: Bubblewrap | undefined, seccomp: Buffer | undefined): string[] {
  return wrap ? ["bubblewrap", ...(seccomp ? ["seccomp"] : [])] : [];
}

/** The wall, if it can be had here and is wanted. */
export function tried(
  wish: BubblewrapWish,
  create: (hasSeccomp: boolean) => Bubblewrap,
  hasSeccomp: boolean,
): Bubblewrap | undefined {
  if (wish === "never" || process.platform !== "linux") return undefined;
  const wrap = create(hasSeccomp);
  const [command = "", ...args] = create(false).command([]);
  if (canRun(command, [...args, wrap.binary, "--version"])) return wrap;
  if (wish === "auto") return undefined;
  throw new KeyholeError("command_not_found", 'Cannot start a process in "bwrap"', {
    hint: "Install bubblewrap 0.8 or later, and allow unprivileged user namespaces",
  });
}
