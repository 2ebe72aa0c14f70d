import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { type Layer, readLayer } from "./own-config.ts";
import { exists, isOwnerTrusted, type Places } from "./places.ts";

const NAMES = ["config.json", "config.yaml", "config.yml"] as const;

/** The user's own config: what holds in every project. */
export async function readUserConfig(places: Places): Promise<Layer | undefined> {
  const [file, ...others] = await findUserConfig(places);
  if (file === undefined) return undefined;
  await assertOwned(file, places.platform);
  return readLayer(file, others);
}

/** Where it is, or would be. */
export async function userConfigFile(places: Places): Promise<string> {
  return (await findUserConfig(places))[0] ?? join(userConfigDir(places), NAMES[0]);
}

async function findUserConfig(places: Places): Promise<string[]> {
  const files = NAMES.map((name) => join(userConfigDir(places), name));
  const found = await Promise.all(files.map(exists));
  return files.filter((_, index) => found[index]);
}

function userConfigDir({ homeDir, env, platform }: Places): string {
  const base =
    platform === "win32"
      ? env["APPDATA"] || join(homeDir, "AppData", "Roaming")
      : env["XDG_CONFIG_HOME"] || join(homeDir, ".config");
  return join(base, "keyhole");
}

/** To pass over it would take away what it forbids. */
async function assertOwned(file: string, platform: NodeJS.Platform): Promise<void> {
  if (platform === "win32") return;
  const looks = await Promise.all([lstat(file), stat(file).catch(() => undefined)]);
  if (looks.every((stats) => stats === undefined || isOwnerTrusted(stats.uid, process.getuid?.()))) return;
  throw new KeyholeError("config_unreadable", `Cannot use "${file}": it belongs to another user`, {
    hint: "Make it yours with chown, or remove it",
  });
}
