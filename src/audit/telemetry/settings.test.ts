import { describe, expect, it } from "vitest";
import { toTelemetrySettings } from "./settings.ts";

const targets = (section: Parameters<typeof toTelemetrySettings>[0], env: NodeJS.ProcessEnv = {}) => {
  const { traces, metrics } = toTelemetrySettings(section, env);
  return [traces?.url.href, metrics?.url.href];
};

describe("telemetry", () => {
  it("is off unless an endpoint is set", () => {
    expect(targets(undefined)).toEqual([undefined, undefined]);
    expect(targets({}, { OTEL_EXPORTER_OTLP_ENDPOINT: "  " })).toEqual([undefined, undefined]);
    expect(toTelemetrySettings({}, {}).prometheus).toBe(false);
  });

  it("goes to the paths below a common endpoint, and to a signal's own as it is", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/base/" };
    expect(targets(undefined, env)).toEqual([
      "http://collector:4318/base/v1/traces",
      "http://collector:4318/base/v1/metrics",
    ]);
    expect(targets(undefined, { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/x" })[0]).toBe(
      "https://t/x",
    );
    expect(targets(undefined, { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://m/x" })).toEqual([
      undefined,
      "https://m/x",
    ]);
  });

  it("takes the config's endpoint before those of the environment, with its variables put in", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://other:4318", HOST: "mine", KEY: "s3cret" };
    const section = { endpoint: "https://${HOST}:4318", headers: { "x-key": "${KEY}" } };
    expect(targets(section, env)[0]).toBe("https://mine:4318/v1/traces");
    expect(toTelemetrySettings(section, env).traces?.headers).toEqual({ "x-key": "s3cret" });
    expect(() => targets({ endpoint: "https://${NO_HOST}" }, {})).toThrow("NO_HOST");
  });

  it("can be turned off as a whole, or by signal", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
    const off = toTelemetrySettings({ prometheus: true }, { ...env, OTEL_SDK_DISABLED: "TRUE" });
    expect([off.traces, off.metrics, off.prometheus]).toEqual([undefined, undefined, false]);
    expect(targets({}, { ...env, OTEL_TRACES_EXPORTER: "none" })).toEqual([
      undefined,
      "http://collector:4318/v1/metrics",
    ]);
  });

  it("reads headers, names and attributes as the specification has them", () => {
    const settings = toTelemetrySettings(undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b=c, x-other = 2 ,broken,=none,bad=%zz",
      OTEL_SERVICE_NAME: "gateway",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment=test",
      OTEL_EXPORTER_OTLP_TIMEOUT: "250",
      OTEL_METRIC_EXPORT_INTERVAL: "nonsense",
    });
    expect(settings.traces?.headers).toEqual({ "api-key": "a b=c", "x-other": "2" });
    expect(settings.traces?.timeoutMs).toBe(250);
    expect(settings.metricsEveryMs).toBe(60_000);
    expect(settings.resource).toMatchObject({
      "service.name": "gateway",
      "deployment.environment": "test",
    });
  });

  it.each([["grpc://collector:4317"], ["collector:4318"], ["https://user:password@collector"], ["nonsense"]])(
    "does not start with %s",
    (endpoint) => {
      expect(() => targets(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toThrow(
        '"OTEL_EXPORTER_OTLP_ENDPOINT" is no address of an OTLP collector over HTTP',
      );
    },
  );

  it("does not start with a header that can't be sent", () => {
    const section = { endpoint: "http://127.0.0.1", headers: { "x y": "1" } };
    expect(() => targets(section)).toThrow('a header that can\'t be sent: "x y"');
  });
});
