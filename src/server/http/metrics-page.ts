import type { IncomingMessage, ServerResponse } from "node:http";
import type { Engine } from "../../engine/engine.ts";
import type { Refusals } from "./refusals.ts";

/** Answers a request that was let in. */
export type MetricsPage = (request: IncomingMessage, response: ServerResponse) => void;

const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** `/metrics` for Prometheus, where the user's config asks for it (`audit.telemetry.prometheus`). */
export function createMetricsPage(
  { telemetry: { toPrometheus } }: Pick<Engine, "telemetry">,
  refusals: Refusals,
): MetricsPage | undefined {
  if (toPrometheus === undefined) return undefined;
  return ({ method }, response) => {
    if (method !== "GET") return refusals.write(response, 405, "Metrics are read by GET");
    // Names are servers' own words, and leave as those do; a filter over the whole could take numbers for something else.
    refusals.writeText(response, toPrometheus(refusals.toShown), PROMETHEUS_TYPE);
  };
}
