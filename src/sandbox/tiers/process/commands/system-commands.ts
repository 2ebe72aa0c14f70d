import { accessSync, constants, realpathSync, statSync } from "node:fs";

/** The system's own folders, whatever the environment says: nothing of a project is in them. */
export const COMMAND_PATH = ["/usr/local/bin", "/usr/bin", "/bin"] as const;

export type FoundCommand = {
  /** By which it is found, here and inside. */
  readonly path: string;
  /** The file itself. */
  readonly file: string;
};

export function findSystemCommand(name: string): FoundCommand | undefined {
  if (name.includes("/") || name.startsWith(".")) return undefined;
  for (const dir of COMMAND_PATH) {
    const path = `${dir}/${name}`;
    if (isExecutable(path)) return { path, file: realpathSync(path) };
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
