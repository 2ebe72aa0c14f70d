import type { RunCall } from "./engine.ts";
import type { Journal } from "./journal.ts";
import type { Recorder } from "./recorder.ts";

export type FileRecorder = Recorder & {
  /** Returns when all that was told is in the file. */
  settled(): Promise<void>;
};

/**
 * Runs and their calls in the journal's file, a line for each run when it has ended. Writing it takes several milliseconds, so nobody
 * waits for it but who reads or closes.
 */
export function createFileRecorder(journal: Pick<Journal, "add">): FileRecorder {
  let written = Promise.resolve();
  const runs = new Map<string, { readonly session: string; readonly calls: Map<string, RunCall> }>();
  const runOfCall = new Map<string, string>();
  return {
    runStarted({ id, session }) {
      runs.set(id, { session: session.id, calls: new Map() });
    },
    callStarted({ id, runId, server, tool }) {
      runs.get(runId)?.calls.set(id, { server, tool, ms: 0, ok: false });
      runOfCall.set(id, runId);
    },
    callEnded({ id, ok, ms }) {
      const calls = runs.get(runOfCall.get(id) ?? "")?.calls;
      const call = calls?.get(id);
      if (call !== undefined) calls?.set(id, { ...call, ok, ms });
      runOfCall.delete(id);
    },
    async runEnded({ id, status, kind, receipt }) {
      const run = runs.get(id);
      if (run === undefined) return;
      runs.delete(id);
      for (const call of run.calls.keys()) runOfCall.delete(call);
      const error = kind === undefined ? undefined : { kind };
      const facts = { runId: id, ok: status === "done", error, calls: [...run.calls.values()], receipt };
      written = written.then(() => journal.add(run.session, facts)).catch(() => {});
    },
    settled: () => written,
  };
}
