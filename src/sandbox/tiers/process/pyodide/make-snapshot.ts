import { pathToFileURL } from "node:url";
import { KeyholeError } from "../../../../errors.ts";
import { signalGroup, spawnWatched } from "../../../../process/spawn-watched.ts";
import { blockedImports } from "../../../deno/blocked-imports.ts";
import { denoArguments } from "../../../deno/deno-arguments.ts";
import type { PyodideFiles } from "./pyodide-files.ts";

const MAX_BYTES = 128 * 1024 * 1024;
const MAX_MS = 120_000;

export type SnapshotSpec = {
  /** Python's own, by their names. */
  readonly files: { readonly [name: string]: string };
  readonly hashSeed: string;
};

/** Starts Python once, the long way, and takes what its memory is then. The process may read Pyodide's files, and runs our code only. */
export async function makeSnapshot(
  deno: string,
  { dir, guestDir, module, wasm, library, maker }: PyodideFiles,
  spec: SnapshotSpec,
): Promise<Buffer> {
  const importMap = blockedImports(`${pathToFileURL(guestDir).href}/`, {
    "keyhole-pyodide/module": pathToFileURL(module).href,
    "keyhole-pyodide/wasm": pathToFileURL(wasm).href,
    "keyhole-pyodide/library": pathToFileURL(library).href,
  });
  const child = spawnWatched(
    deno,
    denoArguments({
      runner: maker,
      folders: [{ name: "pyodide", dir, access: "read" }],
      importMap,
      importsBytes: true,
      waits: false,
    }),
    {
      env: {
        DENO_DIR: process.platform === "win32" ? "NUL\\x" : "/dev/null/x",
        NO_COLOR: "1",
        SystemRoot: process.env["SystemRoot"],
      },
      cwd: "/",
    },
  );
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), MAX_MS);
  const pieces: Buffer[] = [];
  let length = 0;
  let stderr = "";
  child.stderr?.on("data", (piece: Buffer) => {
    stderr = (stderr + piece.toString("utf8")).slice(-1000);
  });
  child.stdout?.on("data", (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_BYTES) signalGroup(child, "SIGKILL");
  });
  child.stdin?.on("error", () => {}).end(JSON.stringify(spec));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  clearTimeout(timer);
  if (code === 0 && length > 0) return Buffer.concat(pieces);
  throw new KeyholeError("internal", "Python could not be made ready in Deno", {
    hint: stderr === "" ? "Try again, or install python3 and bubblewrap" : `It wrote: ${stderr}`,
  });
}
