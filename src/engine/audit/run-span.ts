import type { Telemetry } from "../../audit/telemetry/telemetry.ts";
import type { TraceContext } from "../../audit/telemetry/trace-context.ts";
import type { FailureKind } from "../../run-failure.ts";
import type { FinishedRun, RunRequest } from "../engine.ts";

/** The span of a run: its calls stand below it. */
export type RunSpan = {
  readonly context: TraceContext | undefined;
  ended(run: FinishedRun): void;
  /** There is no result of it. */
  failed(kind: FailureKind): void;
};

export function openRunSpan(
  telemetry: Telemetry,
  { trace, language, session }: RunRequest,
  id: string,
): RunSpan {
  const span = telemetry.startSpan({
    name: "keyhole.run",
    kind: "internal",
    parent: trace,
    attributes: { "keyhole.run.id": id, "keyhole.session.id": session.id, "keyhole.language": language },
    duration: { name: "keyhole.run.duration", labels: {} },
  });
  if (!telemetry.isOn) return { context: span.context, ended: () => {}, failed: () => {} };
  const end = (status: string, kind: FailureKind | undefined, attributes = {}) => {
    telemetry.add("keyhole.runs", 1, { status, "error.type": kind });
    const labels = { status };
    span.end({ errorType: kind, labels, attributes: { "keyhole.run.status": status, ...attributes } });
  };
  return {
    context: span.context,
    ended({ status, error, receipt, calls }) {
      const { seenTokens, keptTokens, directTokens, catalogTokens, phasesMs } = receipt;
      telemetry.add("keyhole.tokens.seen", seenTokens);
      telemetry.add("keyhole.tokens.kept", keptTokens);
      telemetry.add("keyhole.tokens.direct", directTokens - catalogTokens);
      if (phasesMs["sandbox"] !== undefined) telemetry.add("keyhole.sandbox.starts", 1);
      end(status, error?.kind, {
        "keyhole.calls": calls.length,
        "keyhole.tokens.seen": seenTokens,
        "keyhole.tokens.kept": keptTokens,
      });
    },
    failed: (kind) => end("failed", kind),
  };
}
