import { describe, expect, it } from "vitest";
import { startCollector } from "../../../test/fixtures/otlp-collector.ts";
import { createTelemetry } from "./create-telemetry.ts";
import { toTelemetrySettings } from "./settings.ts";

const open = (url: string, notices: string[] = [], env: NodeJS.ProcessEnv = {}) =>
  createTelemetry(toTelemetrySettings({ prometheus: true }, { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env }), {
    onNotice: (text) => notices.push(text),
    firstPauseMs: 1,
  });
const span = { name: "work", kind: "internal", parent: undefined } as const;
const dropped = (telemetry: ReturnType<typeof open>) =>
  [...(telemetry.toPrometheus?.(String) ?? "").matchAll(/^keyhole_telemetry_dropped_total(.*) (\d+)$/gm)].map(
    ([, labels, count]) => `${labels} ${count}`,
  );

describe("telemetry", () => {
  it("sends spans and metrics when it is closed, as OTLP has them", async () => {
    const collector = await startCollector();
    const telemetry = open(collector.url, [], { OTEL_EXPORTER_OTLP_HEADERS: "x-key=1" });
    const outer = telemetry.startSpan({
      ...span,
      attributes: { text: "a", whole: 3, part: 0.5, no: undefined },
    });
    telemetry.startSpan({ ...span, name: "inner", kind: "client", parent: outer.context }).end({
      errorType: "timeout",
    });
    outer.end();
    outer.end();
    telemetry.add("keyhole.runs", 2, { status: "done" });
    await telemetry.close();
    expect(collector.problems).toEqual([]);
    const [inner, work] = collector.spans;
    expect(collector.spans).toHaveLength(2);
    expect(work).toMatchObject({
      name: "work",
      kind: 1,
      attributes: { text: "a", whole: 3, part: 0.5 },
      status: {},
    });
    expect(inner).toMatchObject({
      traceId: work?.traceId,
      parentSpanId: work?.spanId,
      kind: 3,
      attributes: { "error.type": "timeout" },
      status: { code: 2 },
    });
    expect(collector.metrics.get("keyhole.runs")).toEqual([{ attributes: { status: "done" }, value: 2 }]);
    expect(collector.resource).toMatchObject({ "service.name": "keyhole" });
    expect(collector.headers[0]).toMatchObject({ "x-key": "1" });
  });

  it("sends nothing of a trace that the client does not sample, and says so to servers", async () => {
    const collector = await startCollector();
    const telemetry = open(collector.url);
    const parent = { traceId: "a".repeat(32), spanId: "b".repeat(16), isSampled: false };
    const { context, end } = telemetry.startSpan({ ...span, parent });
    end();
    await telemetry.close();
    expect(context).toMatchObject({ traceId: parent.traceId, isSampled: false });
    expect(collector.spans).toEqual([]);
  });

  it("tries again where the collector asks for it", async () => {
    const collector = await startCollector((_request, response, number) => {
      if (number > 2) return false;
      response.writeHead(number === 1 ? 429 : 503, { "retry-after": "0" }).end();
      return true;
    });
    const telemetry = open(collector.url, [], { OTEL_METRICS_EXPORTER: "none" });
    telemetry.startSpan(span).end();
    await telemetry.close();
    expect(collector.spans).toHaveLength(1);
    expect(dropped(telemetry)).toEqual([]);
  });

  it.each([
    ["refuses what it gets", 400, 1],
    ["fails", 500, 1],
    ["is away for long", 503, 5],
  ])(
    "drops what can't be sent to one that %s, counts it, and tells once",
    async (_what, status, attempts) => {
      const collector = await startCollector((_request, response) => {
        response.writeHead(status).end("x".repeat(200_000));
        return true;
      });
      const notices: string[] = [];
      const telemetry = open(collector.url, notices, { OTEL_METRICS_EXPORTER: "none" });
      for (let n = 0; n < 3; n++) telemetry.startSpan(span).end();
      await telemetry.close();
      expect(collector.headers).toHaveLength(attempts);
      expect(dropped(telemetry)).toEqual(['{signal="traces",reason="failed"} 3']);
      expect(notices).toEqual([
        `Telemetry can't be sent to ${collector.url}: it answers ${status}. Runs go on without it`,
      ]);
    },
  );

  it("counts what a collector took only part of", async () => {
    const collector = await startCollector((_request, response) => {
      response.writeHead(200).end('{"partialSuccess":{"rejectedSpans":"2"}}');
      return true;
    });
    const telemetry = open(collector.url, [], { OTEL_METRICS_EXPORTER: "none" });
    for (let n = 0; n < 3; n++) telemetry.startSpan(span).end();
    await telemetry.close();
    expect(dropped(telemetry)).toEqual(['{signal="traces",reason="rejected"} 2']);
  });

  it("does not follow where a redirect leads, with its headers", async () => {
    const elsewhere = await startCollector();
    const collector = await startCollector((_request, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/v1/traces` }).end();
      return true;
    });
    const telemetry = open(collector.url, [], { OTEL_METRICS_EXPORTER: "none" });
    telemetry.startSpan(span).end();
    await telemetry.close();
    expect([collector.headers.length, elsewhere.headers.length]).toEqual([1, 0]);
  });

  it("keeps a bounded number of spans for a collector that does not answer, and ends in time", async () => {
    const collector = await startCollector(() => true);
    const telemetry = open(collector.url, [], { OTEL_METRICS_EXPORTER: "none" });
    for (let n = 0; n < 20_000; n++) telemetry.startSpan(span).end();
    await telemetry.close();
    const counts = dropped(telemetry).map((line) => Number(line.split(" ").at(-1)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000);
  });

  it("is nothing where nothing is asked for, but hands on the client's trace", async () => {
    const telemetry = createTelemetry(toTelemetrySettings(undefined, {}));
    const parent = { traceId: "a".repeat(32), spanId: "b".repeat(16), isSampled: true };
    expect(telemetry.isOn).toBe(false);
    expect(telemetry.toPrometheus).toBeUndefined();
    expect(telemetry.startSpan({ ...span, parent }).context).toBe(parent);
    await telemetry.close();
  });
});
