import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

export type LoadOptions = {
  projectDir: string;
  homeDir?: string;
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
};

/** Where to look, with nothing left to guess. */
export type Places = {
  projectDir: string;
  homeDir: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
};

export function toPlaces(options: LoadOptions): Places {
  return {
    projectDir: resolve(options.projectDir),
    homeDir: options.homeDir ?? homedir(),
    env: options.env ?? process.env,
    platform: options.platform ?? process.platform,
  };
}

/** The folder in which desktop programs keep their settings. */
export function appDataDir({ homeDir, env, platform }: Places): string {
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] || join(homeDir, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] || join(homeDir, ".config");
}

/** The folder and those around it, nearest first. */
export function upwards(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...upwards(parent)];
}

export async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    // Something that may not be looked at is there: reading it gives the reason.
    return !(
      error instanceof Error &&
      "code" in error &&
      (error.code === "ENOENT" || error.code === "ENOTDIR")
    );
  }
}
