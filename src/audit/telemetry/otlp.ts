import { VERSION } from "../../version.ts";
import { BUCKETS, INSTRUMENTS } from "./instruments.ts";
import type { Metric, MetricPoint } from "./metrics.ts";
import type { Attributes, EndedSpan, SpanKind } from "./span.ts";

/** OTLP as JSON: 64-bit numbers are text, ids are hex, enums are numbers. */
type JsonData = Readonly<Record<string, unknown>>;

const SCOPE = { name: "keyhole-mcp", version: VERSION };
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const FAILED = 2;
const CUMULATIVE = 2;
/** Sampled; and it is known whether the parent is another process's. */
const SAMPLED = 0x01;
const MAX_ATTRIBUTE = 512;

export function toTraceRequest(spans: readonly EndedSpan[], resource: Attributes): JsonData {
  const scopeSpans = [{ scope: SCOPE, spans: spans.map(toSpan) }];
  return { resourceSpans: [{ resource: { attributes: toAttributes(resource) }, scopeSpans }] };
}

export function toMetricsRequest(
  metrics: readonly Metric[],
  { resource, startMs, nowMs }: { resource: Attributes; startMs: number; nowMs: number },
): JsonData {
  const times = { startTimeUnixNano: toNanos(startMs), timeUnixNano: toNanos(nowMs) };
  const scopeMetrics = [{ scope: SCOPE, metrics: metrics.map((metric) => toMetric(metric, times)) }];
  return { resourceMetrics: [{ resource: { attributes: toAttributes(resource) }, scopeMetrics }] };
}

function toSpan(span: EndedSpan): JsonData {
  const { context, parentSpanId, name, kind, startMs, endMs, attributes, errorType } = span;
  const { traceId, spanId, state } = context;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    ...(state !== undefined && { traceState: state }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(Math.max(startMs, endMs)),
    attributes: toAttributes(
      errorType === undefined ? attributes : { ...attributes, "error.type": errorType },
    ),
    status: errorType === undefined ? {} : { code: FAILED },
  };
}

function toMetric({ name, points }: Metric, times: JsonData): JsonData {
  const { kind, unit, about: description } = INSTRUMENTS[name];
  const toPoint = kind === "counter" ? toCount : toDistribution;
  const dataPoints = points.map((point) => ({
    attributes: toAttributes(point.labels),
    ...times,
    ...toPoint(point),
  }));
  const data = { dataPoints, aggregationTemporality: CUMULATIVE };
  return kind === "counter"
    ? { name, unit, description, sum: { ...data, isMonotonic: true } }
    : { name, unit, description, histogram: data };
}

function toCount({ sum }: MetricPoint): JsonData {
  return Number.isSafeInteger(sum) ? { asInt: String(sum) } : { asDouble: sum };
}

function toDistribution({ count, sum, buckets }: MetricPoint): JsonData {
  return { count: String(count), sum, bucketCounts: buckets.map(String), explicitBounds: BUCKETS };
}

function toAttributes(attributes: Attributes): JsonData[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: string | number | boolean): JsonData {
  if (typeof value === "string") return { stringValue: value.slice(0, MAX_ATTRIBUTE) };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Numbers do not hold nanoseconds since 1970. */
function toNanos(ms: number): string {
  const whole = Math.floor(ms);
  const nanos = Math.floor((ms - whole) * 1e6);
  return `${whole}${String(nanos).padStart(6, "0")}`;
}
