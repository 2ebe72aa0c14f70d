import { existsSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { blockedImports } from "../../../deno/blocked-imports.ts";
import { denoArguments } from "../../../deno/deno-arguments.ts";
import { findDeno } from "../../../deno/find-deno.ts";
import { createBubblewrap } from "../bubblewrap.ts";
import { FIRST_HANDED_FD } from "../launch.ts";
import { type BubblewrapWish, type ProcessRuntime, tried, wallLayers } from "../runtimes.ts";
import { seccompFilter } from "../seccomp.ts";
import { findPack } from "./find-pack.ts";
import { findPyodide, type PyodideFiles } from "./pyodide-files.ts";

const PACK = "/keyhole/pack";
const INSIDE: Places = {
  guest: "/keyhole/guest",
  shared: "/keyhole/javascript",
  pyodide: "/keyhole/pyodide",
  handed: [],
};

/**
 * Python where there is no CPython in bubblewrap: Pyodide, in Deno without permissions except the granted folders. What it starts
 * from is looked for, or made, before the first process; where that failed, the next one tries again.
 * @param why it is not CPython
 */
export function pyodideRuntime(wish: BubblewrapWish, why?: string): ProcessRuntime {
  const deno = realpathSync(findDeno());
  const files = findPyodide();
  const seccomp = seccompFilter();
  let pack = "";
  let finding: Promise<void> | undefined;
  const shown = () =>
    [
      [files.sharedDir, INSIDE.shared],
      [files.dir, INSIDE.pyodide],
      ...(pack === "" ? [] : [[pack, PACK] as const]),
    ] as const;
  const wrap = tried(
    wish,
    (hasSeccomp) => createBubblewrap(deno, files.runner, hasSeccomp, shown),
    seccomp !== undefined,
  );
  const places = wrap ? INSIDE : process.platform === "linux" ? byDescriptor(files) : byPath(files);
  return {
    layers: [why === undefined ? "Pyodide" : `Pyodide (${why})`, "deno", ...wallLayers(wrap, seccomp)],
    wrap,
    handed: wrap && seccomp ? [seccomp] : places.handed,
    command: (folders, memoryBytes, waits) => [
      wrap?.binary ?? deno,
      ...denoArguments({
        runner: `${places.guest}/${basename(files.runner)}`,
        folders,
        importMap: toImportMap(places, wrap ? PACK : pack),
        importsBytes: true,
        memoryBytes,
        waits,
      }),
    ],
    prepare() {
      // Another version of Keyhole may have tidied up.
      if (pack !== "" && !existsSync(pack)) finding = undefined;
      finding ??= findPack(deno, files).then((found) => {
        pack = found;
      });
      finding.catch(() => {
        finding = undefined;
      });
      return finding;
    },
  };
}

/** Where Deno finds the guest's folders, and what it is handed open for it. */
type Places = {
  readonly guest: string;
  readonly shared: string;
  readonly pyodide: string;
  readonly handed: readonly string[];
};

/** As in `guestFilesByDescriptor`: where the files lie is nothing to programs. */
function byDescriptor(files: PyodideFiles): Places {
  const at = (place: number) => `/dev/fd/${FIRST_HANDED_FD + place}`;
  return {
    guest: `${at(0)}/${basename(dirname(files.runner))}`,
    shared: `${at(0)}/${basename(files.sharedDir)}`,
    pyodide: at(1),
    handed: [files.guestDir, files.dir],
  };
}

function byPath({ runner, sharedDir, dir }: PyodideFiles): Places {
  return { guest: dirname(runner), shared: sharedDir, pyodide: dir, handed: [] };
}

/** Deno takes a file as bytes only by a path without a link in it, and a descriptor's is one. Programs never see that path. */
function toImportMap({ guest, shared, pyodide }: Places, pack: string): string {
  const sharedUrl = `${pathToFileURL(shared).href}/`;
  return blockedImports(`${pathToFileURL(guest).href}/`, {
    [sharedUrl]: sharedUrl,
    "keyhole-pyodide/module": pathToFileURL(`${pyodide}/pyodide.asm.mjs`).href,
    "keyhole-pyodide/pack": pathToFileURL(pack).href,
  });
}
