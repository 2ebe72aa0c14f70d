import { isAbsolute } from "node:path";
import { toKeptDays } from "../config/audit/kept-days.ts";
import type { ANOMALY_ACTIONS, AUDIT_CONTENTS, AuditSection } from "../config/audit/schema.ts";
import type { KeyholeConfig } from "../config/schema.ts";
import { expandVariables } from "../config/variables.ts";
import { KeyholeError, toKeyholeError } from "../errors.ts";
import { parseWebhookTarget, type WebhookTarget } from "../network/webhook/webhook-target.ts";
import type { AuditFailureMode } from "./audit-log.ts";
import type { EventClass } from "./event.ts";

export type AnomalyAction = (typeof ANOMALY_ACTIONS)[number];
export type AuditContents = (typeof AUDIT_CONTENTS)[number];

export type Anchor = { readonly file: string } | { readonly webhook: WebhookTarget };

/** What the config says of the audit log, with its variables put in. */
export type AuditSettings = {
  /** `sqlite`, or the address of a PostgreSQL database. */
  readonly store: string;
  readonly onFailure: AuditFailureMode;
  readonly contents: AuditContents;
  readonly encrypt: boolean;
  readonly retention: {
    /** How many days events of a class are kept; those of a class that is not here, for ever. */
    readonly days: Readonly<Partial<Record<EventClass, number>>>;
    readonly archive: boolean;
  };
  readonly anchors: readonly Anchor[];
  readonly anomalies: {
    readonly enabled: boolean;
    readonly action: AnomalyAction;
    readonly rules: Readonly<Record<string, AnomalyAction | "off">>;
    readonly webhook: WebhookTarget | undefined;
  };
  readonly telemetry: {
    /** Absent: telemetry is off. */
    readonly endpoint: URL | undefined;
    readonly headers: Readonly<Record<string, string>>;
    readonly prometheus: boolean;
  };
  /** Whose prices are used where the client tells none. */
  readonly model: string | undefined;
};

const ABSOLUTE_EXPECTED = "must be a whole path, from the root of the disk";
const ABSOLUTE_HINT =
  'Write it as "/mnt/worm/keyhole.jsonl": beside the project, whoever writes there could change it';
const OTLP_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT";

type Places = {
  readonly env: NodeJS.ProcessEnv;
  /** Where all that is expanded stands: it counts in the user's own config alone. */
  readonly usersFile?: string | undefined;
};

/** Throws what a user has to mend: a variable that is not set, an address that can't be one. */
export function toAuditSettings(
  { audit }: Pick<KeyholeConfig, "audit">,
  { env, usersFile }: Places,
): AuditSettings {
  const section: AuditSection = audit ?? {};
  const { anomalies, telemetry, retention } = section;
  const invalid = (message: string, hint = "Mend it there; docs/audit.md has the section's keys") =>
    new KeyholeError("config_invalid", usersFile === undefined ? message : `${usersFile}: ${message}`, {
      hint,
    });
  const expand = (text: string, key: string) => {
    try {
      return expandVariables(text, `audit.${key}`, env);
    } catch (error) {
      const { message, hint } = toKeyholeError(error);
      throw invalid(message, hint);
    }
  };
  const signed = (written: { url: string; secret: string }, key: string) => {
    const [url, secret] = [expand(written.url, `${key}.url`), expand(written.secret, `${key}.secret`)];
    const target = parseWebhookTarget(url, secret);
    if ("fault" in target) throw invalid(`"audit.${key}.${target.key}" ${target.fault}`);
    return target;
  };

  const anchorFile = (written: string, key: string) => {
    const file = expand(written, key);
    if (isAbsolute(file)) return file;
    throw invalid(`"audit.${key}" ${ABSOLUTE_EXPECTED}`, ABSOLUTE_HINT);
  };
  const store = expand(section.store ?? "sqlite", "store");
  if (!isStore(store))
    throw invalid('"audit.store" must be "sqlite" or an address such as "postgres://user@host/database"');
  const endpoint = telemetry?.endpoint && expand(telemetry.endpoint, "telemetry.endpoint");

  return {
    store,
    onFailure: section.onFailure ?? "stop",
    contents: section.contents ?? "code",
    encrypt: section.encrypt ?? false,
    retention: { days: toKeptDays(retention), archive: retention?.archive ?? true },
    anchors: (section.anchors ?? []).map((anchor, at) =>
      "file" in anchor
        ? { file: anchorFile(anchor.file, `anchors[${at}].file`) }
        : { webhook: signed(anchor.webhook, `anchors[${at}].webhook`) },
    ),
    anomalies: {
      enabled: anomalies?.enabled ?? true,
      action: anomalies?.action ?? "log",
      rules: anomalies?.rules ?? {},
      webhook: anomalies?.webhook ? signed(anomalies.webhook, "anomalies.webhook") : undefined,
    },
    telemetry: {
      endpoint: toEndpoint(endpoint, env, invalid),
      headers: Object.fromEntries(
        Object.entries(telemetry?.headers ?? {}).map(([name, text]) => [
          name,
          expand(text, `telemetry.headers.${name}`),
        ]),
      ),
      prometheus: telemetry?.prometheus ?? false,
    },
    model: section.model,
  };
}

function isStore(store: string): boolean {
  return store === "sqlite" || (/^postgres(?:ql)?:\/\//.test(store) && URL.canParse(store));
}

function toEndpoint(
  written: string | undefined,
  env: NodeJS.ProcessEnv,
  invalid: (message: string) => KeyholeError,
): URL | undefined {
  const text = written ?? env[OTLP_VARIABLE];
  if (text === undefined || text === "") return undefined;
  const url = toHttp(text);
  if (url !== undefined) return url;
  const key = written === undefined ? OTLP_VARIABLE : "audit.telemetry.endpoint";
  const message = `"${key}" must be an address such as "http://localhost:4318"`;
  throw written === undefined
    ? new KeyholeError("config_invalid", message, {
        hint: `Set ${OTLP_VARIABLE} to such an address, or unset it`,
      })
    : invalid(message);
}

function toHttp(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : undefined;
}
