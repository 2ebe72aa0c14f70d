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
    network,
    code,
  } = program;
  const hasNetwork = network !== undefined;
  const wanted = modules.length === 0 && !hasNetwork ? {} : { wanted: toGuestModules(modules, hasNetwork) };
  const rest = { ...wanted, ...(hasNetwork ? { network } : {}), code };
  return JSON.stringify({ servers, aliases, functions, folders, hostFolders, hostFiles, ...rest });
}
