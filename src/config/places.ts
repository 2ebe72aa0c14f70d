import { lstat, stat } from "node:fs/promises";
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

/** What the home folder brings is said yes to as if it were a project, once for all of them. */
export function toHomePlaces(places: Places): Places {
  return { ...places, projectDir: places.homeDir };
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

/** Also true for a link that leads nowhere: it was meant to be something, and reading it says what is wrong. */
export async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
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

/** Whether a file above the project may be used: whoever may write one in a shared folder such as /tmp could otherwise
 * start commands as us. A link counts by its own owner too, for who made it chose what is read. */
export async function isTrustedAbove(file: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === "win32") return true;
  try {
    const owners = [(await lstat(file)).uid, (await stat(file)).uid];
    return owners.every((owner) => isOwnerTrusted(owner, process.getuid?.()));
  } catch {
    return false;
  }
}

export function isOwnerTrusted(owner: number, self: number | undefined): boolean {
  return self === undefined || owner === self || owner === 0;
}
