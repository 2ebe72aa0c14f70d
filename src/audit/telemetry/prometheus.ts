import { BUCKETS, INSTRUMENTS } from "./instruments.ts";
import type { Metric, MetricPoint } from "./metrics.ts";

/**
 * What was measured, in Prometheus' text format.
 * @param toShown what may leave of a name that a server chose
 */
export function toPrometheusText(
  metrics: readonly Metric[],
  toShown: (text: string) => string = String,
): string {
  return metrics.flatMap((metric) => toLines(metric, toShown)).join("");
}

type Pair = readonly [name: string, value: string];
type ShownPoint = Omit<MetricPoint, "labels"> & { readonly pairs: readonly Pair[] };

function toLines({ name, points }: Metric, toShown: (text: string) => string): string[] {
  const { kind, unit, about } = INSTRUMENTS[name];
  const family = toFamily(name, kind, unit);
  const head = [`# HELP ${family} ${escapeHelp(about)}\n`, `# TYPE ${family} ${kind}\n`];
  const toSamples = kind === "counter" ? toCounter : toHistogram;
  return [...head, ...toShownPoints(points, toShown).flatMap((point) => toSamples(family, point))];
}

/** What looks the same once it is shown is one: the same labels twice would spoil the whole text. */
function toShownPoints(points: readonly MetricPoint[], toShown: (text: string) => string): ShownPoint[] {
  const shown = new Map<string, ShownPoint>();
  for (const { labels, count, sum, buckets } of points) {
    const pairs = Object.entries(labels).map(([name, value]) => [toPlainName(name), toShown(value)] as const);
    const key = toLabelText(pairs);
    const known = shown.get(key) ?? { pairs, count: 0, sum: 0, buckets: [] };
    shown.set(key, {
      pairs,
      count: known.count + count,
      sum: known.sum + sum,
      buckets: buckets.map((number, place) => number + (known.buckets[place] ?? 0)),
    });
  }
  return [...shown.values()];
}

function toCounter(family: string, { pairs, sum }: ShownPoint): string[] {
  return [`${family}${toLabelText(pairs)} ${toNumber(sum)}\n`];
}

/** Buckets are added up, as Prometheus has them. */
function toHistogram(family: string, { pairs, ...point }: ShownPoint): string[] {
  let below = 0;
  const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((bound, place) => {
    below += point.buckets[place] ?? 0;
    return `${family}_bucket${toLabelText([...pairs, ["le", toNumber(bound)]])} ${below}\n`;
  });
  const labels = toLabelText(pairs);
  return [
    ...buckets,
    `${family}_sum${labels} ${toNumber(point.sum)}\n`,
    `${family}_count${labels} ${point.count}\n`,
  ];
}

const UNITS: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" };

function toFamily(name: string, kind: "counter" | "histogram", unit: string): string {
  const plain = toPlainName(name);
  const suffix = UNITS[unit] ?? "";
  const named = plain.endsWith(suffix) ? plain : `${plain}${suffix}`;
  return kind === "counter" ? `${named}_total` : named;
}

function toLabelText(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  return `{${pairs.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(",")}}`;
}

function toPlainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, "_");
}

function toNumber(value: number): string {
  return value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
