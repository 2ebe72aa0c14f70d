import type { TaskCounts } from "../engine.ts";
import type { ActiveRuns } from "./active-runs.ts";

export function countTasks(active: Pick<ActiveRuns, "all">, maxConcurrentTasks: number): TaskCounts {
  const all = active.all();
  const queuedTasks = all.filter(({ run }) => run === undefined || run.status === "queued").length;
  return { activeTasks: all.length - queuedTasks, queuedTasks, maxConcurrentTasks };
}
