import type { AuditEvent } from "../event.ts";
import type { InstrumentName } from "./instruments.ts";
import type { MetricLabels, Metrics } from "./metrics.ts";
import type { Attributes, SpanKind } from "./span.ts";
import type { TraceContext } from "./trace-context.ts";

/** Traces and metrics of an engine. What is not asked for costs nothing; nothing of it waits, fails or slows a run. */
export type Telemetry = {
  /** Whether spans or durations are wanted at all. */
  readonly isOn: boolean;
  startSpan(start: SpanStart): OpenSpan;
  add: Metrics["add"];
  record: Metrics["record"];
  /** Counts decisions, approvals and connections, as the audit tells of them. */
  observe(event: AuditEvent): void;
  /** Where it is asked for. */
  readonly toPrometheus?: (toShown: (text: string) => string) => string;
  /** Sends what is left, within a few seconds. */
  close(): Promise<void>;
};

export type SpanStart = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: TraceContext | undefined;
  readonly attributes?: Attributes;
  /** The histogram that its duration counts in. */
  readonly duration?: { readonly name: InstrumentName; readonly labels: MetricLabels };
};

export type OpenSpan = {
  /** What others are told as their parent: where there are no traces, that of the client. */
  readonly context: TraceContext | undefined;
  end(ending?: SpanEnd): void;
};

export type SpanEnd = {
  /** It failed so: a code, never a message. */
  readonly errorType?: string | undefined;
  /** What was not known before. */
  readonly attributes?: Attributes;
  readonly labels?: MetricLabels;
};

/** Where nothing is measured. */
export const NO_TELEMETRY: Telemetry = {
  isOn: false,
  startSpan: ({ parent }) => ({ context: parent, end: () => {} }),
  add: () => {},
  record: () => {},
  observe: () => {},
  close: async () => {},
};
