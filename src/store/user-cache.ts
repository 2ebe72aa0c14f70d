import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where what can be made again is kept for this user. A relative path in the environment counts for nothing, as XDG has it: it would
 * lead into whatever folder we are started in, a stranger's project for example.
 */
export function userCacheDir(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = (platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"]) ?? "";
  const usual = platform === "win32" ? ["AppData", "Local"] : [".cache"];
  return join(isAbsolute(given) ? given : join(homedir(), ...usual), "keyhole");
}
