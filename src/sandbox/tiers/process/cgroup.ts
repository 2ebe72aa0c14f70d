import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isOutOfFiles, outOfFiles } from "../../../process/open-files.ts";
import { removeWhenGone } from "../../../process/watchdog.ts";
import type { Limits } from "../../limits.ts";
import { onlyChildOf } from "../../machine/proc-usage.ts";

const ROOT = "/sys/fs/cgroup";
let sandboxes = 0;

/** Makes one group a process, in each hierarchy that lets us. */
export type Cgroups = {
  /** `pids`, `cpu`, `memory`: what is limited. */
  readonly controllers: readonly string[];
  /** With a run's own limits, which are the sandbox's or lower. */
  create(limits: Limits): Cgroup;
  close(): Promise<void>;
};

export type Cgroup = {
  /**
   * Moves a process in, and what it has started meanwhile. The kernel takes some ten milliseconds for it: done from
   * here, they pass while the process starts. Rejects when the process is gone.
   */
  enter(pid: number): Promise<void>;
  oomKills(): number;
  /** What its threads are told of priority counts within the group only: beside other groups it has a weight. */
  yieldCpu(): void;
  remove(): Promise<void>;
};

type Hierarchy = {
  readonly parent: string;
  readonly controllers: readonly string[];
  settings(limits: Limits): Setting[];
  /** The file with the weight of a group among others, and the least it can be. */
  readonly weight?: Setting;
};

type Setting = readonly [file: string, value: string];

/** Of time that is divided among groups, in microseconds. */
const PERIOD = 100_000;
/** The runtime's own, which the limit does not mean. */
const SPARE_BYTES = 128 * 1024 * 1024;

/**
 * A group that a supervisor made (a service, a session, a job) is that supervisor's to divide: we only make groups
 * below the root of a hierarchy, as a container with a namespace of its own has it.
 */
export function createCgroups(limits: Limits): Cgroups | undefined {
  if (process.platform !== "linux") return undefined;
  const made = candidates(limits).filter((hierarchy) => prepare(hierarchy, limits));
  if (made.length === 0) return undefined;
  let count = 0;
  return {
    controllers: made.flatMap(({ controllers }) => controllers),
    create(own) {
      const name = String(++count);
      const dirs = makeGroups(made.map(({ parent, settings }) => [`${parent}/${name}`, settings(own)]));
      return {
        enter: async (pid) => {
          await moveInto(dirs, pid);
          const child = onlyChildOf(pid);
          if (child !== undefined) await moveInto(dirs, child);
        },
        oomKills: () => Math.max(0, ...dirs.map(readOomKills)),
        yieldCpu() {
          for (const { parent, weight } of made)
            if (weight) void writeFile(`${parent}/${name}/${weight[0]}`, weight[1]).catch(() => {});
        },
        remove: async () => {
          for (const dir of dirs) await removeGroup(dir);
        },
      };
    },
    async close() {
      for (const { parent } of made) await removeGroup(parent);
    },
  };
}

function candidates(limits: Limits): Hierarchy[] {
  // A host can have several sandboxes: each has groups of its own.
  const name = `keyhole-${process.pid}-${++sandboxes}`;
  const hasCores = limits.cores !== undefined;
  const lines = read("/proc/self/cgroup").trim().split("\n");
  return lines.flatMap((line): Hierarchy[] => {
    const [, names = "", path] = line.split(":");
    if (path !== "/") return [];
    if (names === "") return [unified(name, hasCores)];
    const parent = `${ROOT}/${names}/${name}`;
    if (names === "pids")
      return [{ parent, controllers: ["pids"], settings: (own) => [["pids.max", String(own.processes)]] }];
    if (names === "memory")
      return [
        { parent, controllers: ["memory"], settings: (own) => [["memory.limit_in_bytes", memory(own)]] },
      ];
    if (!hasCores || !names.split(",").includes("cpu")) return [];
    return [
      {
        parent,
        controllers: ["cpu"],
        settings: (own) => (own.cores === undefined ? [] : [["cpu.cfs_quota_us", quota(own.cores)]]),
        weight: ["cpu.shares", "2"],
      },
    ];
  });
}

function unified(name: string, hasCores: boolean): Hierarchy {
  const dir = existsSync(`${ROOT}/cgroup.controllers`) ? ROOT : `${ROOT}/unified`;
  return {
    parent: `${dir}/${name}`,
    controllers: ["pids", "memory", ...(hasCores ? ["cpu"] : [])],
    settings: (own) => [
      ["pids.max", String(own.processes)],
      ["memory.max", memory(own)],
      ...(own.cores === undefined ? [] : [["cpu.max", `${quota(own.cores)} ${PERIOD}`] satisfies Setting]),
    ],
    ...(hasCores ? { weight: ["cpu.weight", "1"] } : {}),
  };
}

const memory = ({ memoryBytes }: Limits) => String(memoryBytes + SPARE_BYTES);

/** The kernel takes no less than a hundredth of a core. */
const quota = (cores: number) => String(Math.max(PERIOD / 100, Math.round(cores * PERIOD)));

/** Tries it once with a group that is taken away again. */
function prepare({ parent, controllers, settings }: Hierarchy, limits: Limits): boolean {
  try {
    mkdirSync(parent, { recursive: true });
    removeWhenGone(parent);
    const isUnified = existsSync(`${parent}/cgroup.subtree_control`);
    if (isUnified)
      writeFileSync(`${parent}/cgroup.subtree_control`, controllers.map((name) => `+${name}`).join(" "));
    rmdirSync(makeGroup(`${parent}/0`, settings(limits)));
    return true;
  } catch {
    try {
      rmdirSync(parent);
    } catch {}
    return false;
  }
}

function makeGroup(dir: string, settings: readonly Setting[]): string {
  mkdirSync(dir);
  try {
    for (const [file, value] of settings) writeFileSync(`${dir}/${file}`, value);
    return dir;
  } catch (error) {
    rmdirSync(dir);
    throw isOutOfFiles(error) ? outOfFiles("start a sandbox", error) : error;
  }
}

/** In all hierarchies, or in none. */
function makeGroups(all: readonly (readonly [dir: string, settings: readonly Setting[]])[]): string[] {
  const dirs: string[] = [];
  try {
    for (const [dir, settings] of all) dirs.push(makeGroup(dir, settings));
    return dirs;
  } catch (error) {
    for (const dir of dirs) rmdirSync(dir);
    throw error;
  }
}

async function moveInto(dirs: readonly string[], pid: number): Promise<void> {
  const groups = read(`/proc/${pid}/cgroup`);
  const missing = dirs.filter((dir) => !groups.includes(dir.slice(dir.lastIndexOf("/keyhole-"))));
  await Promise.all(missing.map((dir) => writeFile(`${dir}/cgroup.procs`, String(pid))));
}

/** The kernel lets go of a group some time after its last process has gone, and takes milliseconds for it. */
async function removeGroup(dir: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      return await rmdir(dir);
    } catch {
      if (!existsSync(dir)) return;
      await delay(20);
    }
  }
}

function readOomKills(dir: string): number {
  const text = read(`${dir}/memory.oom_control`) || read(`${dir}/memory.events`);
  return Number(/^oom_kill (\d+)/m.exec(text)?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
