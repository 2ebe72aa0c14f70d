import { basename } from "node:path";
import { blockedImports } from "../../deno/blocked-imports.ts";
import { denoArguments } from "../../deno/deno-arguments.ts";
import type { GuestSpec } from "../../guest-spec.ts";
import { PYTHON_ENVIRONMENT, pythonArguments } from "../../python/python-arguments.ts";
import { ROOT_PLACES } from "../../rootfs/root-places.ts";

/** What starts a guest's runner in a machine, a word each. */
export function guestCommand({ name, runtime, runner }: GuestSpec, memoryBytes: number): string[] {
  const dir = `${ROOT_PLACES.guests}/${name}`;
  const inside = `${dir}/${basename(runner)}`;
  const env = [
    ROOT_PLACES.busybox,
    "env",
    "-i",
    "PATH=/",
    "HOME=/",
    "TMPDIR=/tmp",
    "NO_COLOR=1",
    "DENO_DIR=/dev/null/x",
  ];
  if (runtime === "python") {
    const own = Object.entries(PYTHON_ENVIRONMENT).map(([key, value]) => `${key}=${value}`);
    const home = `PYTHONHOME=${ROOT_PLACES.pythonHome}`;
    return [...env, ...own, home, ROOT_PLACES.python, ...pythonArguments(inside), "wait"];
  }
  const folders = [{ name: "", dir: ROOT_PLACES.folders, access: "write" } as const];
  const importMap = blockedImports(`file://${dir}/`);
  return [
    ...env,
    ROOT_PLACES.deno,
    ...denoArguments({ runner: inside, folders, importMap, memoryBytes, waits: true }),
  ];
}
