import type { Folder, Program } from "../sandbox.ts";
import { toGuestModules } from "./guest-code.ts";

/** What a guest is started with: `start` of ../protocol.json. */
export function toStartFrame(program: Program, folders: readonly Folder[]): string {
  const {
    servers,
    aliases = [],
    functions = [],
    hostFolders = [],
    hostFiles = {},
    modules = [],
    steady,
    code,
  } = program;
  const isPlain = modules.length === 0 && steady === undefined;
  const wanted = isPlain ? {} : { wanted: toGuestModules(modules, steady !== undefined) };
  const world = steady === undefined ? {} : { steady };
  const rest = { hostFolders, hostFiles, ...wanted, ...world, code };
  return JSON.stringify({ servers, aliases, functions, folders, ...rest });
}
