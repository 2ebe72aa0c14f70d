import type { AuditSection } from "../../config/audit/schema.ts";
import { expandVariables } from "../../config/variables.ts";
import { KeyholeError } from "../../errors.ts";
import { VERSION } from "../../version.ts";

/** Where telemetry goes, and as whose. */
export type TelemetrySettings = {
  /** Nothing: no traces. */
  readonly traces?: OtlpTarget;
  readonly metrics?: OtlpTarget;
  readonly prometheus: boolean;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
  /** How long spans are gathered before they are sent. */
  readonly spansEveryMs: number;
  readonly metricsEveryMs: number;
};

export type OtlpTarget = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

type Section = AuditSection["telemetry"];
type Signal = "traces" | "metrics";

const SPANS_EVERY_MS = 5_000;
const METRICS_EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_HEADERS = 64;
const MAX_RESOURCE = 64;
const MAX_TEXT = 8_192;

/** What the user's own config says, and where it is silent, what OpenTelemetry's variables say. Off where neither does. */
export function toTelemetrySettings(section: Section, env: NodeJS.ProcessEnv): TelemetrySettings {
  const isDisabled = env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";
  const prometheus = section?.prometheus === true;
  const common = {
    prometheus,
    resource: toResource(env),
    spansEveryMs: toMs(env["OTEL_BSP_SCHEDULE_DELAY"], SPANS_EVERY_MS),
    metricsEveryMs: toMs(env["OTEL_METRIC_EXPORT_INTERVAL"], METRICS_EVERY_MS),
  };
  if (isDisabled) return { ...common, prometheus: false };
  const traces = toTarget("traces", section, env);
  const metrics = toTarget("metrics", section, env);
  return { ...common, ...(traces && { traces }), ...(metrics && { metrics }) };
}

function toTarget(signal: Signal, section: Section, env: NodeJS.ProcessEnv): OtlpTarget | undefined {
  if (env[`OTEL_${signal.toUpperCase()}_EXPORTER`]?.trim() === "none") return undefined;
  const url = toUrl(signal, section, env);
  if (url === undefined) return undefined;
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}`;
  return {
    url,
    headers: toHeaders(section, env[`${own}_HEADERS`] ?? env["OTEL_EXPORTER_OTLP_HEADERS"], env),
    timeoutMs: toMs(env[`${own}_TIMEOUT`] ?? env["OTEL_EXPORTER_OTLP_TIMEOUT"], TIMEOUT_MS),
  };
}

/** An endpoint of a signal is taken as it is; of the common one it is told below. */
function toUrl(signal: Signal, section: Section, env: NodeJS.ProcessEnv): URL | undefined {
  const { endpoint } = section ?? {};
  if (endpoint !== undefined) {
    const key = "audit.telemetry.endpoint";
    return withPath(parseUrl(expandVariables(endpoint, key, env), key), signal);
  }
  const name = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
  const own = env[name]?.trim();
  if (own) return parseUrl(own, name);
  const common = env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim();
  return common ? withPath(parseUrl(common, "OTEL_EXPORTER_OTLP_ENDPOINT"), signal) : undefined;
}

function withPath(base: URL, signal: Signal): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/${signal}`;
  return url;
}

function parseUrl(text: string, where: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (url !== undefined && isHttp && url.username === "" && url.password === "") return url;
  throw new KeyholeError("config_invalid", `"${where}" is no address of an OTLP collector over HTTP`, {
    hint: 'Write it as "http://127.0.0.1:4318", and secrets as headers, not into the address',
  });
}

function toHeaders(
  section: Section,
  listed: string | undefined,
  env: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const headers = new Headers();
  const put = (name: string, value: string, where: string) => {
    try {
      headers.set(name, value);
    } catch {
      throw new KeyholeError("config_invalid", `"${where}" has a header that can't be sent: "${name}"`, {
        hint: "Write names of letters, digits and hyphens, and values without line breaks",
      });
    }
  };
  if (section?.headers !== undefined) {
    const key = "audit.telemetry.headers";
    for (const [name, value] of Object.entries(section.headers).slice(0, MAX_HEADERS))
      put(name, expandVariables(value, `${key}.${name}`, env), key);
  } else {
    for (const [name, value] of parsePairs(listed ?? "", MAX_HEADERS))
      put(name, value, "OTEL_EXPORTER_OTLP_HEADERS");
  }
  return Object.fromEntries(headers);
}

function toResource(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const told = Object.fromEntries(parsePairs(env["OTEL_RESOURCE_ATTRIBUTES"] ?? "", MAX_RESOURCE));
  const name = env["OTEL_SERVICE_NAME"]?.trim();
  return {
    "service.name": "keyhole",
    "service.version": VERSION,
    ...told,
    ...(name && { "service.name": name }),
    "telemetry.sdk.name": "keyhole",
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.version": VERSION,
  };
}

/** `a=1,b=two%20words`. What is none of it is passed over, as the specification asks. */
function parsePairs(text: string, max: number): [string, string][] {
  return text
    .slice(0, MAX_TEXT)
    .split(",")
    .flatMap((pair): [string, string][] => {
      const place = pair.indexOf("=");
      const name = pair.slice(0, Math.max(0, place)).trim();
      const value = decode(pair.slice(place + 1).trim());
      return name === "" || value === undefined ? [] : [[name, value]];
    })
    .slice(0, max);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function toMs(text: string | undefined, usual: number): number {
  const ms = text === undefined || text.trim() === "" ? usual : Number(text);
  return Number.isFinite(ms) && ms >= 1 && ms <= 3_600_000 ? Math.round(ms) : usual;
}
