import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { KeyholeError } from "../errors.ts";
import { toExcerpt } from "../text/plain-text.ts";

export type CommandLocation = {
  server: string;
  command: string;
  /** Its `PATH` is searched, not ours: the child will run with it. */
  env: Record<string, string>;
  cwd: string;
};

/** Looked up here, not left to the spawn: "command not found" is the most common mistake and deserves its own words. */
export async function findCommand({ server, command, env, cwd }: CommandLocation): Promise<string> {
  await assertFolder(server, cwd);
  const hasFolder = command.includes("/") || (process.platform === "win32" && command.includes("\\"));
  const searchPath = env["PATH"] ?? env["Path"] ?? "";
  const folders = hasFolder ? [""] : searchPath.split(delimiter);
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = hasFolder ? resolve(cwd, command + ending) : join(folder, command + ending);
      if (isAbsolute(candidate) && (await isExecutable(candidate))) return candidate;
    }
  }
  throw new KeyholeError(
    "command_not_found",
    `Cannot start server "${server}": command "${toLine(command)}" not found`,
    {
      server,
      hint: toHint(command, hasFolder ? resolve(cwd, command) : undefined),
    },
  );
}

/** On one line, and whole: secrets are taken out later, and must not have been cut by then. */
function toLine(text: string): string {
  return toExcerpt(text, text.length);
}

function toHint(command: string, path: string | undefined): string {
  const shown = toLine(command);
  if (/\s/.test(command)) return `If "${shown}" is a command with arguments, put these into "args"`;
  if (path !== undefined) return `Check that "${toLine(path)}" exists and is executable`;
  return `Install "${shown}", or give its full path in "command"`;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function assertFolder(server: string, cwd: string): Promise<void> {
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new KeyholeError(
    "config_invalid",
    `Cannot start server "${server}": "cwd" is no folder: "${toLine(cwd)}"`,
    {
      server,
    },
  );
}
