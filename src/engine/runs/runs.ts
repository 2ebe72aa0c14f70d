import type { Runs } from "../engine.ts";
import { type ActiveRuns, toActiveSummary, toOpenQuestions } from "./active-runs.ts";
import type { RunReports } from "./run-reports.ts";

export function createRuns(active: ActiveRuns, reports: RunReports): Runs {
  const list = () =>
    [...reports.summaries(), ...active.all().map(toActiveSummary)].sort((a, b) =>
      a.startedAt < b.startedAt ? 1 : -1,
    );
  return {
    list,
    get: (runId) => list().find((run) => run.runId === runId),
    isAsking: (runId) => toOpenQuestions(active.get(runId)).length > 0,
    cancel(runId, by = { channel: "library" }) {
      const run = active.get(runId);
      if (run === undefined || run.signal.aborted) return false;
      run.cancel(by);
      return true;
    },
  };
}
