import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
const buffer = Buffer.alloc(16 * 1024);

export type CgroupUsage = {
  readonly cpuMs: number;
  readonly anonBytes: number;
  readonly sharedBytes: number;
};

/** The kernel's own count of a container. The files stay open: to read them again costs a third of opening them again. */
export type CgroupReader = {
  /** Nothing once it is gone. */
  usage(): CgroupUsage | undefined;
  oomKills(): number;
  close(): void;
};

/**
 * By the number of its first process, as the daemon told it. Nothing where that is not this machine's, or not the container's: the
 * daemon may be elsewhere, or see other numbers.
 */
export function openCgroup(containerId: string, pid: number): CgroupReader | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/cgroup`, "utf8");
  } catch {
    return undefined;
  }
  if (!text.includes(containerId)) return undefined;
  const places = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, controllers = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const controller of controllers.split(",")) places.set(controller, path);
  }
  const legacy = (controller: string) => {
    const path = places.get(controller);
    return path === undefined
      ? undefined
      : [`${controller}`, "cpu,cpuacct"].map((dir) => join(ROOT, dir, path)).find(existsSync);
  };
  const memory = legacy("memory");
  const cpu = legacy("cpuacct");
  if (memory !== undefined && cpu !== undefined)
    return createReader({
      cpu: join(cpu, "cpuacct.usage"),
      memory: join(memory, "memory.stat"),
      oom: join(memory, "memory.oom_control"),
      toCpuMs: (said) => Number(said) / 1e6,
      anon: "total_rss",
      shared: "total_shmem",
    });
  const unified = join(ROOT, places.get("") ?? "");
  if (places.get("") === undefined || !existsSync(join(unified, "memory.stat"))) return undefined;
  return createReader({
    cpu: join(unified, "cpu.stat"),
    memory: join(unified, "memory.stat"),
    oom: join(unified, "memory.events"),
    toCpuMs: (said) => (numberOf(said, "usage_usec") ?? 0) / 1e3,
    anon: "anon",
    shared: "shmem",
  });
}

type Files = {
  readonly cpu: string;
  readonly memory: string;
  readonly oom: string;
  toCpuMs(said: string): number;
  readonly anon: string;
  readonly shared: string;
};

function createReader({ cpu, memory, oom, toCpuMs, anon, shared }: Files): CgroupReader {
  const files = new Map<string, number>();
  function read(path: string): string | undefined {
    try {
      const file = files.get(path) ?? openSync(path, "r");
      files.set(path, file);
      return buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0));
    } catch {
      return undefined;
    }
  }
  return {
    usage() {
      const [time, stat] = [read(cpu), read(memory)];
      if (time === undefined || stat === undefined) return undefined;
      return {
        cpuMs: toCpuMs(time),
        anonBytes: numberOf(stat, anon) ?? 0,
        sharedBytes: numberOf(stat, shared) ?? 0,
      };
    },
    oomKills: () => numberOf(read(oom) ?? "", "oom_kill") ?? 0,
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}

function numberOf(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
