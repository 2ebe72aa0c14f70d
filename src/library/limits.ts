import type { LoadedConfig } from "../config/load.ts";
import type { RunLimits } from "../engine/engine.ts";

/** What waits for programs is started with these, so that they hold without a process of their own for each run. */
export function withLimits(loaded: LoadedConfig, limits: RunLimits = {}): LoadedConfig {
  const { config } = loaded;
  const { maxExecutionTime, maxSleepTime, resourceLimits } = config;
  return {
    ...loaded,
    config: {
      ...config,
      maxExecutionTime: limits.timeoutMs ?? maxExecutionTime,
      maxSleepTime: limits.sleepMs ?? maxSleepTime,
      resourceLimits: { ...resourceLimits, memoryBytes: limits.memoryBytes ?? resourceLimits.memoryBytes },
    },
  };
}

/** A run's own limits before those of all runs; one that is undefined says nothing. */
export function mergeLimits(all: RunLimits = {}, own: RunLimits = {}): RunLimits {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...all, ...Object.fromEntries(given) };
}
