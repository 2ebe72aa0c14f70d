import { createTelemetry } from "../../audit/telemetry/create-telemetry.ts";
import { toTelemetrySettings } from "../../audit/telemetry/settings.ts";
import type { Telemetry } from "../../audit/telemetry/telemetry.ts";
import type { Project } from "../project.ts";

/** As the user's own config and OpenTelemetry's variables say; without either it does nothing. */
export function openTelemetry(
  { config, env }: Pick<Project, "config" | "env">,
  onNotice: ((text: string) => void) | undefined,
): Telemetry {
  return createTelemetry(toTelemetrySettings(config.config.audit?.telemetry, env), { onNotice });
}
