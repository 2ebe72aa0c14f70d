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
    steady,
    facts,
    tokenClasses,
    skills = [],
    code,
  } = program;
  const [hasNetwork, isSteady] = [network !== undefined, steady !== undefined];
  const isPlain = modules.length === 0 && !hasNetwork && !isSteady;
  const wanted = isPlain ? {} : { wanted: toGuestModules(modules, { isSteady, hasNetwork }) };
  const world = {
    ...(hasNetwork ? { network } : {}),
    ...(isSteady ? { steady } : {}),
    ...(facts ? { facts } : {}),
    ...(tokenClasses ? { tokenClasses } : {}),
    ...(skills.length > 0 ? { skills: skills.map(({ name, code }) => ({ name, code })) } : {}),
  };
  const rest = { hostFolders, hostFiles, ...wanted, ...world, code };
  return JSON.stringify({ servers, aliases, functions, folders, ...rest });
}
