import type { AuditSection } from "./schema.ts";

/** Those of which retention may be told; what the log says of itself stays. */
export const EVENT_CLASS_NAMES = [
  "runs",
  "calls",
  "decisions",
  "privacy",
  "network",
  "changes",
  "sessions",
  "anomalies",
] as const;

export const RETENTION_PRESETS = ["hipaa", "soc2", "gdpr"] as const;

export type KeptClass = (typeof EVENT_CLASS_NAMES)[number];

/** HIPAA asks for six years, with their leap days. */
const PRESET_DAYS: Readonly<Record<(typeof RETENTION_PRESETS)[number], number>> = {
  hipaa: 2_192,
  soc2: 365,
  gdpr: 180,
};

/** A class that is named has its own; else the longer of what the preset and `days` say. What is not in it is kept for ever. */
export function toKeptDays(retention: AuditSection["retention"]): Partial<Record<KeptClass, number>> {
  const { preset, days, classes = {} } = retention ?? {};
  const said = [days ?? [], preset === undefined ? [] : PRESET_DAYS[preset]].flat();
  const all = said.length === 0 ? undefined : Math.max(...said);
  const entries = EVENT_CLASS_NAMES.flatMap((name): [KeptClass, number][] => {
    const own = classes[name] ?? all;
    return own === undefined ? [] : [[name, own]];
  });
  return Object.fromEntries(entries);
}
