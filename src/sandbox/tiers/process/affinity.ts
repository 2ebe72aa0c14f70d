import { readFileSync } from "node:fs";
import { canRun } from "./can-run.ts";

/** Keeps processes on some of the cores, where no cgroup can be made. Programs take turns on all of them. */
export type Affinity = {
  /** What stands before a command so that it stays on so many cores; nothing where it may have all. */
  command(cores: number): string[];
};

/** Undefined where it can't be done: `taskset` is part of util-linux. */
export function createAffinity(): Affinity | undefined {
  const allowed = process.platform === "linux" ? readAllowedCores() : [];
  const [first] = allowed;
  if (first === undefined || !canRun("taskset", ["-c", String(first), "true"])) return undefined;
  let next = 0;
  return {
    command(cores) {
      const count = Math.max(1, Math.ceil(cores));
      if (count >= allowed.length) return [];
      const chosen = Array.from({ length: count }, (_, at) => allowed[(next + at) % allowed.length]);
      next = (next + count) % allowed.length;
      return ["taskset", "-c", chosen.join(",")];
    },
  };
}

function readAllowedCores(): number[] {
  try {
    const [, list = ""] =
      /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
    return parseCoreList(list);
  } catch {
    return [];
  }
}

/** `0-3,8` */
export function parseCoreList(list: string): number[] {
  return list.split(",").flatMap((part) => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    const length = Number(to) - Number(from) + 1;
    return Number.isNaN(length) ? [] : Array.from({ length }, (_, at) => Number(from) + at);
  });
}
