import { BUCKETS, INSTRUMENTS, type InstrumentName } from "./instruments.ts";

/** Attributes of a measurement: few values each, never contents. Undefined ones are left out. */
export type MetricLabels = Readonly<Record<string, string | undefined>>;

export type MetricPoint = {
  readonly labels: Readonly<Record<string, string>>;
  /** Of a counter its value, of a histogram how many there were. */
  readonly count: number;
  readonly sum: number;
  /** How many were in each bucket, not added up; one more than there are bounds. Empty for a counter. */
  readonly buckets: readonly number[];
};

export type Metric = { readonly name: InstrumentName; readonly points: readonly MetricPoint[] };

export type Metrics = {
  add(name: InstrumentName, amount: number, labels?: MetricLabels): void;
  /** Of a histogram, in its unit. */
  record(name: InstrumentName, value: number, labels?: MetricLabels): void;
  /** Those that have been measured, in the table's order. */
  collect(): Metric[];
};

type Point = { labels: Record<string, string>; count: number; sum: number; buckets: number[] };

/** Tools by the thousands must not fill our memory, nor the collector's: what is beyond these shares a point. */
const MAX_POINTS = 500;
const MAX_LABEL = 128;
/** Labels that can have very many values, and what stands for them all. */
const WIDE: readonly string[] = ["gen_ai.tool.name", "keyhole.server", "server.address", "error.type"];
const OTHER = "other";

export function createMetrics(): Metrics {
  const all = new Map<InstrumentName, Map<string, Point>>();

  function pointOf(name: InstrumentName, given: MetricLabels): Point {
    const points = all.get(name) ?? new Map<string, Point>();
    all.set(name, points);
    const labels = toLabels(given);
    const known = points.get(toKey(labels));
    if (known) return known;
    const kept = points.size < MAX_POINTS ? labels : withoutWide(labels);
    const key = toKey(kept);
    const point = points.get(key) ?? { labels: kept, count: 0, sum: 0, buckets: [] };
    points.set(key, point);
    return point;
  }

  return {
    add(name, amount, labels = {}) {
      if (!Number.isFinite(amount) || amount < 0) return;
      const point = pointOf(name, labels);
      point.count += amount;
      point.sum += amount;
    },
    record(name, value, labels = {}) {
      if (!Number.isFinite(value) || value < 0) return;
      const point = pointOf(name, labels);
      if (point.buckets.length === 0) point.buckets = new Array<number>(BUCKETS.length + 1).fill(0);
      const place = BUCKETS.findIndex((bound) => value <= bound);
      const bucket = place === -1 ? BUCKETS.length : place;
      point.buckets[bucket] = (point.buckets[bucket] ?? 0) + 1;
      point.count++;
      point.sum += value;
    },
    collect: () =>
      Object.keys(INSTRUMENTS).flatMap((key) => {
        const name = key as InstrumentName;
        const points = all.get(name);
        return points === undefined ? [] : [{ name, points: [...points.values()].map(copy) }];
      }),
  };
}

function copy({ labels, count, sum, buckets }: Point): MetricPoint {
  return { labels, count, sum, buckets: [...buckets] };
}

function toLabels(given: MetricLabels): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) labels[name] = value.slice(0, MAX_LABEL);
  return labels;
}

function withoutWide(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, WIDE.includes(name) ? OTHER : value]),
  );
}

function toKey(labels: Record<string, string>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
