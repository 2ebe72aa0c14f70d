import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { KeyholeError } from "../errors.ts";
import { type Layer, readLayer } from "./own-config.ts";
import { exists, isOwnerTrusted, type Places } from "./places.ts";

const NAMES = ["config.json", "config.yaml", "config.yml"] as const;

/** The user's own config: what holds in every project. */
export async function readUserConfig(places: Places): Promise<Layer | undefined> {
  const dir = userConfigDir(places);
  const files = NAMES.map((name) => join(dir, name));
  const found = await Promise.all(files.map(exists));
  const [file, ...others] = files.filter((_, index) => found[index]);
  if (file === undefined) return undefined;
  await assertOwned(file, places.platform);
  return readLayer(file, others);
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
