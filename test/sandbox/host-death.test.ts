import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive, until } from "../fixtures/processes.ts";
import { tempDir } from "../fixtures/project.ts";

const HOST = join(import.meta.dirname, "../fixtures/sandbox-host.js");
const hasBubblewrap = spawnSync("bwrap", ["--version"]).status === 0;

const PHASES = ["starting", "waiting", "looping", "calling", "flooding", "closing"];
/** Python without bubblewrap is Pyodide. */
const ROWS = [
  ["javascript", "never", PHASES],
  ["javascript", "always", [...PHASES, "commanding"]],
  ["python", "never", ["calling"]],
  ["python", "always", PHASES],
] as const;

describe.skipIf(process.platform !== "linux")("a host that is killed", () => {
  for (const [language, bubblewrap, phases] of ROWS) {
    const attempt = bubblewrap === "always" && !hasBubblewrap ? it.skip : it;
    for (const phase of phases) {
      attempt(`leaves nothing behind: ${language}, ${phase}, bubblewrap ${bubblewrap}`, async () => {
        const workspace = await tempDir();
        const before = scratch();
        const host = spawn(process.execPath, [HOST, phase, bubblewrap, workspace, language], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        await new Promise((resolve) => host.stdout.once("data", resolve));
        const pid = host.pid ?? 0;
        const family = descendantsOf(pid);
        host.kill("SIGKILL");
        await until(() => !family.some(isAlive), `the end of ${family.join(", ")}`);
        await until(() => cgroupsOf(pid).length === 0, "the end of its cgroups");
        await until(() => !scratch().some((name) => !before.includes(name)), "the end of its folders");
        expect(readdirSync(workspace)).toEqual([]);
      });
    }
  }
});

const scratch = () => readdirSync("/var/tmp").filter((name) => name.startsWith("keyhole-commands-"));

function descendantsOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {}
  }
  const family = new Set([root]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family].filter((pid) => pid !== root);
}

function cgroupsOf(pid: number): string[] {
  if (!existsSync("/sys/fs/cgroup")) return [];
  const hierarchies = ["", ...readdirSync("/sys/fs/cgroup")].map((name) => `/sys/fs/cgroup/${name}`);
  return hierarchies.flatMap((dir) => {
    const names = statSync(dir).isDirectory() ? readdirSync(dir) : [];
    return names.filter((name) => name.startsWith(`keyhole-${pid}-`));
  });
}
