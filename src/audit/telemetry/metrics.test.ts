import { describe, expect, it } from "vitest";
import { makeEvents } from "../../../test/fixtures/audit/make-events.ts";
import { parsePrometheus } from "../../../test/fixtures/prometheus-text.ts";
import { createMetrics } from "./metrics.ts";
import { countEvent } from "./observe.ts";
import { toPrometheusText } from "./prometheus.ts";

const DURATION = "mcp.client.operation.duration";

describe("metrics", () => {
  it("count and sort what they are told", () => {
    const metrics = createMetrics();
    metrics.add("keyhole.runs", 2, { status: "done" });
    metrics.add("keyhole.runs", 1, { status: "done", "error.type": undefined });
    metrics.record(DURATION, 0.01, { "gen_ai.tool.name": "a" });
    metrics.record(DURATION, 0.011, { "gen_ai.tool.name": "a" });
    metrics.record(DURATION, 1_000, { "gen_ai.tool.name": "a" });
    const [duration, runs] = metrics.collect();
    expect(runs?.points).toMatchObject([{ labels: { status: "done" }, sum: 3 }]);
    expect(duration?.points[0]).toMatchObject({ count: 3, sum: 1_000.021 });
    expect(duration?.points[0]?.buckets.slice(0, 3)).toEqual([1, 1, 0]);
    expect(duration?.points[0]?.buckets.at(-1)).toBe(1);
  });

  it("pass over what is no amount", () => {
    const metrics = createMetrics();
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      metrics.add("keyhole.runs", wrong);
      metrics.record(DURATION, wrong);
    }
    expect(metrics.collect()).toEqual([]);
  });

  it("have a bounded number of points, whatever the tools are called, and lose none of the counts", () => {
    const metrics = createMetrics();
    for (let n = 0; n < 3_000; n++)
      metrics.record(DURATION, 0.1, { "gen_ai.tool.name": `tool_${n}`, "network.transport": "pipe" });
    const points = metrics.collect()[0]?.points ?? [];
    expect(points).toHaveLength(501);
    expect(points.at(-1)).toMatchObject({
      labels: { "gen_ai.tool.name": "other", "network.transport": "pipe" },
      count: 2_500,
    });
  });

  it("count decisions, approvals and connections as the audit tells of them", () => {
    const metrics = createMetrics();
    const events = [...makeEvents(300)];
    for (const event of events) countEvent(metrics, event);
    const of = (action: string) => events.filter((event) => event.action === action).length;
    const total = (name: string) =>
      metrics
        .collect()
        .find((metric) => metric.name === name)
        ?.points.reduce((sum, point) => sum + point.sum, 0);
    expect(total("keyhole.decisions")).toBe(of("call.ended") + of("call.denied"));
    expect(total("keyhole.approvals")).toBe(of("approval.asked") + of("approval.answered"));
  });
});

describe("the text for Prometheus", () => {
  it("can be read to the letter, with names as hostile as they come", () => {
    const metrics = createMetrics();
    const hostile = ['a"b', "a\\b", "a\nb", "a} 1\n# TYPE x counter", "é🙂", ""];
    for (const name of hostile) {
      metrics.record(DURATION, 0.3, { "gen_ai.tool.name": name });
      metrics.record(DURATION, 7, { "gen_ai.tool.name": name });
    }
    metrics.add("keyhole.tokens.seen", 123_456_789_012);
    metrics.add("keyhole.egress.bytes", 10, { direction: "sent" });
    const families = parsePrometheus(toPrometheusText(metrics.collect()));
    expect([...families.keys()]).toEqual([
      "mcp_client_operation_duration_seconds",
      "keyhole_tokens_seen_total",
      "keyhole_egress_bytes_total",
    ]);
    const counts = families
      .get("mcp_client_operation_duration_seconds")
      ?.samples.filter(({ name }) => name.endsWith("_count"));
    expect(counts?.map(({ labels, value }) => [labels["gen_ai_tool_name"], value])).toEqual(
      hostile.map((name) => [name, 2]),
    );
    expect(families.get("keyhole_tokens_seen_total")?.samples[0]?.value).toBe(123_456_789_012);
  });

  it("has one sample of names that look the same once they may leave", () => {
    const metrics = createMetrics();
    for (const name of ["ana@example.com", "ben@example.com"])
      metrics.record(DURATION, 0.3, { "gen_ai.tool.name": name });
    const families = parsePrometheus(toPrometheusText(metrics.collect(), () => "[EMAIL]"));
    const samples = families.get("mcp_client_operation_duration_seconds")?.samples ?? [];
    expect(samples.filter(({ name }) => name.endsWith("_count"))).toEqual([
      {
        name: "mcp_client_operation_duration_seconds_count",
        labels: { gen_ai_tool_name: "[EMAIL]" },
        value: 2,
      },
    ]);
  });

  it("is empty where nothing was measured", () => {
    expect(toPrometheusText([])).toBe("");
  });
});
