import { describe, expect, it } from "vitest";
import { auditSchema } from "../config/audit/schema.ts";
import { toAuditSettings } from "./settings.ts";

const settings = (audit: unknown, env: NodeJS.ProcessEnv = {}) =>
  toAuditSettings({ audit: auditSchema.parse(audit) }, { env, usersFile: "/home/config.yaml" });

describe("toAuditSettings", () => {
  it("keeps everything for ever, stops where nothing can be written, and tells nobody, where nothing is said", () => {
    expect(toAuditSettings({ audit: undefined }, { env: {} })).toEqual({
      store: "sqlite",
      onFailure: "stop",
      contents: "code",
      encrypt: false,
      retention: { days: {}, archive: true },
      anchors: [],
      anomalies: { enabled: true, action: "log", rules: {}, webhook: undefined },
      telemetry: { endpoint: undefined, headers: {}, prometheus: false },
      model: undefined,
    });
  });

  it("takes the longer of a preset and days, and a class's own over both", () => {
    const { days } = settings({
      retention: { preset: "hipaa", days: 30, classes: { network: 10 } },
    }).retention;
    expect(days).toMatchObject({ runs: 2_192, calls: 2_192, network: 10 });
    expect(days).not.toHaveProperty("audit");
    expect(settings({ retention: { classes: { runs: 5 } } }).retention.days).toEqual({ runs: 5 });
  });

  it("puts in variables, and names the one that is not set", () => {
    const env = { AUDIT_DB: "postgres://u:p@h/db", HOOK: "s".repeat(16), ANCHORS: "/mnt" };
    expect(settings({ store: "${AUDIT_DB}" }, env).store).toBe("postgres://u:p@h/db");
    const anchors = [
      { file: "${ANCHORS}/anchors.jsonl" },
      { webhook: { url: "https://x.example/a", secret: "${HOOK}" } },
    ];
    expect(settings({ anchors }, env).anchors).toEqual([
      { file: "/mnt/anchors.jsonl" },
      { webhook: { url: new URL("https://x.example/a"), secret: env.HOOK } },
    ]);
    const unset = '/home/config.yaml: "audit.store" needs the variable AUDIT_DB, which is not set';
    expect(() => settings({ store: "${AUDIT_DB}" })).toThrow(
      expect.objectContaining({ message: unset, hint: "Set AUDIT_DB before starting Keyhole" }),
    );
  });

  it.each([
    [{ store: "${X}" }, { X: "mysql://h/db" }, "audit.store"],
    [{ anchors: [{ webhook: { url: "http://x.example", secret: "s".repeat(16) } }] }, {}, "https"],
    [{ anomalies: { webhook: { url: "https://x.example", secret: "short" } } }, {}, "16 characters"],
    [{ anchors: [{ file: "${X}" }] }, { X: "rel.jsonl" }, '/home/config.yaml: "audit.anchors[0].file" must'],
    [{ telemetry: { endpoint: "${X}" } }, { X: "ftp://h" }, "audit.telemetry.endpoint"],
  ])("refuses %j", (audit, env, words) => {
    expect(() => settings(audit, env)).toThrow(words);
  });

  it("takes the endpoint of telemetry from OpenTelemetry's own variable", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
    expect(settings({}, env).telemetry.endpoint?.href).toBe("http://localhost:4318/");
  });
});
