import { KeyholeError } from "../../errors.ts";
import type { Folder } from "../sandbox.ts";

const FLAGS = [
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
  "--no-check",
];
const MIB = 1024 * 1024;

export type DenoStart = {
  /** As Deno finds them: the runner's file, and the folders that are granted. */
  readonly runner: string;
  readonly folders: readonly Folder[];
  /** Of `blockedImports`. */
  readonly importMap: string;
  /** V8's own limit of the heap. */
  readonly memoryBytes?: number;
  /** Whether the runner imports files as bytes: the only way to read any without permission. */
  readonly importsBytes?: boolean;
  /** Whether the runner has time to prepare, since no program is there yet. */
  readonly waits: boolean;
};

/** How Deno is started in every tier that has it: without permissions, except for the folders. */
export function denoArguments(start: DenoStart): string[] {
  const { runner, folders, importMap, memoryBytes, importsBytes = false, waits } = start;
  const readable = folders.map(({ dir }) => toPermission(dir));
  const writable = folders.filter(({ access }) => access === "write").map(({ dir }) => toPermission(dir));
  return [
    "run",
    ...FLAGS,
    `--import-map=${importMap}`,
    ...(importsBytes ? ["--unstable-raw-imports"] : []),
    ...(memoryBytes === undefined ? [] : [`--v8-flags=--max-old-space-size=${Math.ceil(memoryBytes / MIB)}`]),
    ...(readable.length > 0 ? [`--allow-read=${readable.join(",")}`] : []),
    ...(writable.length > 0 ? [`--allow-write=${writable.join(",")}`] : []),
    runner,
    ...(waits ? ["wait"] : []),
  ];
}

/** Deno reads a list with commas between the paths, and knows no way to write one within a path. */
function toPermission(dir: string): string {
  if (!dir.includes(",")) return dir;
  throw new KeyholeError(
    "file_conflict",
    `A folder with a comma in its path can't be handed to a program: "${dir}"`,
    { hint: "Move the project, or install bubblewrap" },
  );
}
