import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { KeyholeError } from "../../../../errors.ts";
import { PYTHON_GUEST } from "../../../guest-spec.ts";

/** What Python in Deno is made of, by the paths that lie behind all links: Deno reads its own files only so without permission. */
export type PyodideFiles = {
  /** Of the package, and in it. */
  readonly dir: string;
  readonly module: string;
  readonly wasm: string;
  readonly library: string;
  /** Ours, with a folder for each guest. */
  readonly guestDir: string;
  /** What it has in common with JavaScript's. */
  readonly sharedDir: string;
  readonly runner: string;
  readonly maker: string;
};

export function findPyodide(): PyodideFiles {
  const dir = installedDir();
  if (dir === undefined)
    throw new KeyholeError(
      "command_not_found",
      "Cannot run Python here: neither CPython in bubblewrap nor Pyodide is there",
      {
        hint: "Run npm install without --omit=optional, or install python3 and bubblewrap",
      },
    );
  const guestDir = realpathSync(fileURLToPath(new URL("../../../guest", import.meta.url)));
  return {
    dir,
    module: join(dir, "pyodide.asm.mjs"),
    wasm: join(dir, "pyodide.asm.wasm"),
    library: join(dir, "python_stdlib.zip"),
    guestDir,
    sharedDir: join(guestDir, "javascript"),
    runner: join(guestDir, "pyodide", "runner.js"),
    maker: join(guestDir, "pyodide", "make-snapshot.js"),
  };
}

/** The guest's own Python, and what it has in here in place of pipes, by their names. */
export function readGuestSources({ runner }: PyodideFiles): { readonly [name: string]: string } {
  const files = [PYTHON_GUEST.runner, runner].map(dirname).flatMap((dir) =>
    readdirSync(dir)
      .filter((name) => name.endsWith(".py"))
      .sort()
      .map((name) => [name, readFileSync(join(dir, name), "utf8")] as const),
  );
  return Object.fromEntries(files);
}

function installedDir(): string | undefined {
  try {
    return realpathSync(dirname(createRequire(import.meta.url).resolve("pyodide/package.json")));
  } catch {
    return undefined;
  }
}
