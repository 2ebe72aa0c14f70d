import { createExporter, type Exporter } from "./exporter.ts";
import { createMetrics } from "./metrics.ts";
import { countEvent } from "./observe.ts";
import { toMetricsRequest, toTraceRequest } from "./otlp.ts";
import { toPrometheusText } from "./prometheus.ts";
import type { OtlpTarget, TelemetrySettings } from "./settings.ts";
import type { EndedSpan } from "./span.ts";
import { NO_TELEMETRY, type Telemetry } from "./telemetry.ts";
import { toChildContext } from "./trace-context.ts";

export type TelemetryOptions = {
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Between attempts to send. */
  readonly firstPauseMs?: number;
};

const MAX_SPANS = 2_048;
const BATCH = 512;
const FLUSH_MS = 2_000;

export function createTelemetry(settings: TelemetrySettings, options: TelemetryOptions = {}): Telemetry {
  const { traces, metrics: reports, prometheus, resource } = settings;
  if (traces === undefined && reports === undefined && !prometheus) return NO_TELEMETRY;
  const metrics = createMetrics();
  const startMs = Date.now();
  const clock = createClock();
  const spans: EndedSpan[] = [];
  const open = (target: OtlpTarget | undefined, signal: "traces" | "metrics") =>
    target &&
    createExporter(target, {
      onDropped: (items, why) => dropped(signal, items, why),
      onProblem: tell,
      ...(options.firstPauseMs !== undefined && { firstPauseMs: options.firstPauseMs }),
    });
  const spanExporter = open(traces, "traces");
  const metricExporter = open(reports, "metrics");

  let hasTold = false;
  function tell(problem: string): void {
    if (!hasTold) options.onNotice?.(problem);
    hasTold = true;
  }

  function dropped(signal: "traces" | "metrics", items: number, why: string): void {
    metrics.add("keyhole.telemetry.dropped", items, { signal, reason: why });
  }

  function sendSpans(): void {
    while (spanExporter !== undefined && spans.length > 0) {
      const batch = spans.splice(0, BATCH);
      spanExporter.send(toTraceRequest(batch, resource), batch.length);
    }
  }

  function sendMetrics(): void {
    const collected = metrics.collect();
    if (collected.length === 0) return;
    metricExporter?.send(toMetricsRequest(collected, { resource, startMs, nowMs: Date.now() }), 1);
  }

  const timers = [
    spanExporter && setInterval(sendSpans, settings.spansEveryMs),
    metricExporter && setInterval(sendMetrics, settings.metricsEveryMs),
  ];
  for (const timer of timers) timer?.unref();

  function keep(span: EndedSpan): void {
    if (spans.length >= MAX_SPANS) dropped("traces", 1, "queue_full");
    else spans.push(span);
    if (spans.length === BATCH) setImmediate(sendSpans);
  }

  return {
    isOn: true,
    startSpan({ name, kind, parent, attributes = {}, duration }) {
      const context = spanExporter === undefined ? parent : toChildContext(parent);
      const begunMs = clock();
      let hasEnded = false;
      return {
        context,
        end({ errorType, attributes: more = {}, labels = {} } = {}) {
          if (hasEnded) return;
          hasEnded = true;
          const endMs = clock();
          if (duration !== undefined) {
            const all = { ...duration.labels, ...labels, "error.type": errorType };
            metrics.record(duration.name, Math.max(0, endMs - begunMs) / 1_000, all);
          }
          if (spanExporter === undefined || context?.isSampled !== true) return;
          keep({
            context,
            parentSpanId: parent?.spanId,
            name,
            kind,
            startMs: begunMs,
            endMs,
            attributes: { ...attributes, ...more },
            errorType,
          });
        },
      };
    },
    add: metrics.add,
    record: metrics.record,
    observe: (event) => countEvent(metrics, event),
    ...(prometheus && { toPrometheus: (toShown) => toPrometheusText(metrics.collect(), toShown) }),
    async close() {
      for (const timer of timers) clearInterval(timer);
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), FLUSH_MS);
      sendSpans();
      sendMetrics();
      await Promise.all([flush(spanExporter, limit.signal), flush(metricExporter, limit.signal)]);
      clearTimeout(timer);
    },
  };
}

async function flush(exporter: Exporter | undefined, signal: AbortSignal): Promise<void> {
  await exporter?.flush(signal);
}

/** Milliseconds since 1970 with their fractions; set anew when the machine's clock was. */
function createClock(): () => number {
  let offset = Date.now() - performance.now();
  return () => {
    const now = offset + performance.now();
    const actual = Date.now();
    if (Math.abs(actual - now) < 1_000) return now;
    offset = actual - performance.now();
    return actual;
  };
}
