import { spawnSync } from "node:child_process";

const verdicts = new Map<string, boolean>();

/** Whether a command really runs here, asked once for each. */
export function worksHere(command: string, args: readonly string[]): boolean {
  const key = JSON.stringify([command, args]);
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const { status } = spawnSync(command, args, {
    stdio: "ignore",
    timeout: 10_000,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  verdicts.set(key, status === 0);
  return status === 0;
}
