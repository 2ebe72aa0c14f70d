import { readdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../../../store/process-start.ts";
import type { TierLeftover } from "../../machine/tier.ts";

const ROOT = "/sys/fs/cgroup";
/** As groups of a sandbox are called: by the process that made them, and a number. */
const GROUP = /^keyhole-(\d{1,10})-\d+$/;
const GROUP_AGE_MS = 24 * 60 * 60 * 1000;

/** Control groups of a host that was killed together with its watchdog. The kernel removes none that has a process in it. */
export async function groupLeftovers(): Promise<readonly TierLeftover[]> {
  const hierarchies = [ROOT, ...(await namesIn(ROOT)).map((name) => join(ROOT, name))];
  const found = await Promise.all(hierarchies.map(findGroups));
  return found.flat().map(({ dir, pid, madeAt }) => ({
    name: `control group ${dir.slice(ROOT.length + 1)}`,
    bytes: 0,
    usedAt: madeAt,
    reason: "the process that made it is gone",
    remove: async () => !isRunning(pid) && removeGroups(dir),
  }));
}

async function findGroups(parent: string) {
  const names = (await namesIn(parent)).flatMap((name) => {
    const pid = Number(GROUP.exec(name)?.[1]);
    return Number.isSafeInteger(pid) && !isRunning(pid) ? [{ dir: join(parent, name), pid }] : [];
  });
  const groups = await Promise.all(
    names.map(async (group) => ({
      ...group,
      madeAt: (await stat(group.dir).catch(() => undefined))?.ctimeMs,
    })),
  );
  // In another container the same number may be somebody's who has just begun.
  return groups.flatMap(({ madeAt, ...group }) =>
    madeAt !== undefined && Date.now() - madeAt > GROUP_AGE_MS ? [{ ...group, madeAt }] : [],
  );
}

async function removeGroups(dir: string): Promise<boolean> {
  for (const name of await namesIn(dir)) await rmdir(join(dir, name)).catch(() => {});
  return rmdir(dir).then(
    () => true,
    () => false,
  );
}

async function namesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
