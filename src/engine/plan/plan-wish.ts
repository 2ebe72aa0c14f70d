import type { Run } from "../run/run-record.ts";

export type PlanMode = "plan" | "call" | undefined;

/** Somebody said so: whoever sent the program first, then the config. */
export function isPlanAsked({ request }: Pick<Run, "request">, mode: PlanMode): boolean {
  return request.plan ?? mode === "plan";
}

/** Where nobody said anything, programs that risk much are planned. */
export function isPlanWanted(run: Pick<Run, "request" | "risk">, mode: PlanMode): boolean {
  if (run.request.plan !== undefined || mode !== undefined) return isPlanAsked(run, mode);
  return run.risk?.level === "high" || run.risk?.level === "critical";
}
