import { spawnSync } from "node:child_process";
import { isOutOfFiles, outOfFiles } from "../../../process/open-files.ts";

const verdicts = new Map<string, boolean>();

/** Whether a command really runs here, asked once for each. Throws when it can't be known: no wall is left out for that. */
export function canRun(command: string, args: readonly string[]): boolean {
  const key = JSON.stringify([command, args]);
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const { status, error } = spawnSync(command, args, {
    stdio: "ignore",
    timeout: 10_000,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  if (isOutOfFiles(error)) throw outOfFiles(`try "${command}"`, error);
  verdicts.set(key, status === 0);
  return status === 0;
}
